import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { InvalidRow, type LineWriter, lineWriter } from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { endpoints } from '../../../shared/service/endpoints';
import { jobNumber, jobState } from '../../../shared/service/importJobRecord';
import { readConcurrently, readImportJob } from '../../../shared/service/importJobWait';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { NativeService } from '../../../shared/service/nativeService';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { hasCutMark, readMarks } from '../../job/descriptionMark';
import { DUPLICATE_CHOICES } from '../mapping/duplicateRows';
import type { PlannedColumn } from '../mapping/importMapping';
import { RowChecksums, textChecksum, visitRows } from '../../rows/importRows';
import type { ImportPlan } from './importPlan';
import { type BuiltPart, type FileMark, parseFileMark, type Part } from './startedImport';

/** A column by the fields it fills: its name can depend on the order of the fields. */
function fieldsOf({ fields, source }: Pick<PlannedColumn, 'fields' | 'source'>): string {
	const names = fields.map(({ mappingType, field }) => `${mappingType.key}:${field}`);
	return (fields.some(({ field }) => field === source) ? names : [source, ...names]).sort().join();
}

/** Checksums of what an import does with its rows: all that counts for a Run Key or a plan. */
export class WrittenRows {
	private readonly checksums = new RowChecksums();
	private readonly columns: Array<{ field: string; index: number; write: LineWriter }>;
	private readonly fields: string[];
	/** What the import does with every row. */
	readonly mapping: string;

	constructor({ resourceType, mapping, settings }: ImportPlan) {
		const { columns, mappingTypes, fixed } = mapping;
		this.columns = columns
			.flatMap(({ name, expression, ...column }, index) => {
				// The last column, which the node adds, is different in each run.
				if (expression === undefined) return [];
				return { field: fieldsOf(column), index, write: lineWriter(settings.format, [name]) };
			})
			.sort((a, b) => (a.field < b.field ? -1 : 1));
		this.fields = this.columns.map(({ field }) => field);
		this.mapping = JSON.stringify([
			resourceType,
			mappingTypes.map(({ name }) => name),
			fixed.map(({ mappingType, field, value }) => `${mappingType.key}:${field}=${value}`).sort(),
			this.fields,
		]);
	}

	/** The values of a row as its file has them, in the order of the fields; undefined if it has none. */
	textsOf(row: FileRow): string[] | undefined {
		if (row instanceof InvalidRow) return undefined;
		const texts = this.columns.map(({ index, write }) => write([row[index]]));
		return texts.every((text) => typeof text === 'string') ? texts : undefined;
	}

	add(row: FileRow): void {
		this.checksums.addRow(this.fields, this.textsOf(row));
	}

	get count(): number {
		return this.checksums.count;
	}

	/** Rows `first` to before `end`, and what is done with them. */
	of(first: number, end: number): string {
		return this.checksums.of(first, end, this.mapping);
	}
}

const KEY_LABEL = 'Run Key';

export const runKeyOption: INodeProperties = {
	displayName: KEY_LABEL,
	name: 'runKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. sign-ups {{ $now.toISODate() }}',
	description:
		'Name of this import. Jobs that were already started under it for the same rows and fields are continued, not started again, where the service lists its jobs with descriptions.',
};

function rejectKey(text: string): InvalidInput {
	return new InvalidInput([{ field: KEY_LABEL, text }]);
}

/** The list of jobs does not tell which of them belong to an import. */
class UnclearJobs extends Error {
	/** @param message sentences that end "because …" */
	constructor(message: string) {
		super(message);
		this.name = 'UnclearJobs';
	}
}

/** @param reason sentences that end "because …" */
function cannotProtect(reason: string): InvalidInput {
	return rejectKey(
		`cannot protect this import, because ${reason} If this import may have been started before, check in the service which rows were imported. Then remove the Run Key, and note started imports in a data table instead.`,
	);
}

const NOT_LISTED = 'the service does not list its jobs with IDs and descriptions.';

/** A job started for a file of the same import. */
export type EarlierJob = FileMark & { jobId: number; description: string };

const text = z
	.string()
	.nullish()
	.catch(undefined)
	.transform((value) => value?.trim() ?? '');
const listedJobSchema = z
	.object({
		id: jobNumber.nullish().catch(undefined),
		jobId: jobNumber.nullish().catch(undefined),
		description: text,
		status: text,
	})
	.transform(({ id, jobId, ...job }) => ({ ...job, jobId: jobId ?? id ?? 0 }))
	.catch({ description: '', status: '', jobId: 0 });
/** Its ID is 0 if the service does not return it. */
type ListedJob = z.output<typeof listedJobSchema>;

/** Jobs whose description is read by their ID: a minute within the lowest rate limit. */
const MOST_READS = 100;

async function listJobs(service: NativeService): Promise<ListedJob[]> {
	const jobs: ListedJob[] = [];
	const onPart = (reason: string): void => {
		throw new UnclearJobs(`the list of import jobs is not whole. ${reason} Try again later.`);
	};
	try {
		const list = service.list(endpoints.listBulkImportJobs, { path: {} }, onPart);
		for await (const entry of list) jobs.push(listedJobSchema.parse(entry));
	} catch (error) {
		const hasNoList =
			error instanceof ServiceError && [403, 404, 405].includes(error.details.httpCode ?? 0);
		rethrow(hasNoList ? new UnclearJobs(NOT_LISTED) : error);
	}
	return jobs;
}

/** Empty if it cannot be read. */
async function readDescription(service: NativeService, jobId: number): Promise<string> {
	try {
		return text.parse((await readImportJob(service, jobId)).description);
	} catch {
		throwIfCancelled(service.signal);
		return '';
	}
}

/** Throws UnclearJobs if the list shows only the beginning of its longest description. */
async function checkNotCut(service: NativeService, jobs: readonly ListedJob[]): Promise<void> {
	let longest: ListedJob | undefined;
	for (const job of jobs)
		if (job.description.length > (longest?.description.length ?? 0)) longest = job;
	// A mark is the end of a description.
	if (!longest || readMarks(longest.description).length > 0) return;
	const shown = longest.description;
	const whole = await readDescription(service, longest.jobId);
	if (whole !== shown && whole.startsWith(shown.replace(/(\.{3}|…)$/, '').trim()))
		throw new UnclearJobs('the list of import jobs shows only the beginning of descriptions.');
}

/** By what the marks of an import's jobs are known: the checksum of its Run Key, or the run that began it. */
type Identity = Required<Pick<FileMark, 'key'>> | Pick<FileMark, 'run'>;

const isOf = (file: FileMark | undefined, identity: Identity): boolean =>
	'key' in identity ? file?.key === identity.key : file?.run === identity.run;

/**
 * The jobs of an import, without those that ended before they imported a row: their files can be started
 * again.
 * Throws UnclearJobs if it cannot be known of each job whether it belongs to the import.
 */
async function findEarlierJobs(service: NativeService, identity: Identity): Promise<EarlierJob[]> {
	const listed = await listJobs(service);
	const undescribed = listed.filter(({ description }) => description === '');
	if (undescribed.length > MOST_READS || undescribed.some(({ jobId }) => jobId === 0))
		throw new UnclearJobs(NOT_LISTED);
	await readConcurrently(service, undescribed, async (job) => {
		job.description = await readDescription(service, job.jobId);
	});
	await checkNotCut(service, listed);

	const name = 'key' in identity ? identity.key : identity.run;
	const jobs: EarlierJob[] = [];
	const toRead: number[] = [];
	const slice = new TimeSlice(service.signal);
	for (const { jobId, description, status } of listed) {
		if (slice.isOver) await slice.yield();
		const isCut = description === '' || hasCutMark(description);
		const file = parseFileMark(description);
		if (isCut || (!isOf(file, identity) && description.toLowerCase().includes(name)))
			throw new UnclearJobs(
				`the service does not return the whole description of import job ${jobId}.`,
			);
		if (!file || !isOf(file, identity)) continue;
		// Without its number the job cannot be continued, and its rows must not be sent again.
		if (jobId === 0) throw new UnclearJobs(NOT_LISTED);
		jobs.push({ ...file, jobId, description });
		if (status === '' || jobState(status) === 'failed') toRead.push(jobId);
	}
	const failed = new Set<number>();
	await readConcurrently(service, toRead, async (jobId) => {
		try {
			const { status, resultFiles } = await readImportJob(service, jobId);
			if (jobState(status) === 'failed' && !resultFiles?.length) failed.add(jobId);
		} catch {
			throwIfCancelled(service.signal);
			// It may be running; its outcome is read later.
		}
	});
	return jobs.filter(({ jobId }) => !failed.has(jobId));
}

/**
 * Why a job of the Run Key is not the job of a file of this run; undefined if it is.
 * @param unchanged number of rows that are left out because they were imported before
 */
function difference(
	job: EarlierJob,
	part: Part | undefined,
	unchanged: number,
): string | undefined {
	const { jobId, first, end, fileNumber } = job;
	const rows = `rows ${first + 1}–${end}`;
	const isSameRange = part?.first === first && part.end === end;
	if (isSameRange && part.written === job.written) return undefined;
	if (unchanged > 0)
		return `${jobId}, and Skip Unchanged Rows By leaves out rows that this job imported. If the outcome of no row under this key is unknown, enter another Run Key to send the others.`;
	return isSameRange && part.checksum === job.checksum
		? `${jobId}, which does something else with its ${rows}. Use the same mapping types, fields and options to continue it, or another Run Key.`
		: `${jobId}, whose ${rows} are not the rows of file ${fileNumber} of this run. Use the same rows and file limits to continue it, or another Run Key.`;
}

async function findJobsOfKey(service: NativeService, runKey: string): Promise<EarlierJob[]> {
	if (runKey === '') return [];
	try {
		return await findEarlierJobs(service, { key: textChecksum(runKey) });
	} catch (error) {
		throw error instanceof UnclearJobs ? cannotProtect(error.message) : error;
	}
}

/** Why rows are not sent that n8n may have sent when it ran this part of the execution before. */
export function mayBeSent(run: string, reason: string): ServiceError {
	return new ServiceError({
		message:
			'These rows may have been sent already, because n8n went back to an earlier wait of this execution and ran this node again',
		description: `${reason} Look in the service for import jobs with "run ${run}" in their description. If there is one, do not import these rows again: use "Get Item Outcomes" with its job ID.`,
		outcomeUnknown: true,
	});
}

/**
 * The jobs of a run that n8n may have begun before, by the number of their file. Throws ServiceError if they
 * cannot be known.
 */
export async function findJobsOfRun(
	service: NativeService,
	run: string,
): Promise<ReadonlyMap<number, EarlierJob>> {
	try {
		const jobs = await findEarlierJobs(service, { run });
		return new Map(jobs.map((job) => [job.fileNumber, job]));
	} catch (error) {
		throwIfCancelled(service.signal);
		const reason =
			error instanceof UnclearJobs
				? `The node cannot know, because ${error.message}`
				: `The list of import jobs could not be read: ${messageOf(error)}.`;
		throw mayBeSent(run, reason);
	}
}

/** Why the file of a run is not continued with the job that was started for it; undefined if it is. */
export function otherFileOfRun(
	{ jobId, run, first, end, checksum }: EarlierJob,
	part: Part,
): ServiceError | undefined {
	if (part.first === first && part.end === end && part.checksum === checksum) return undefined;
	return mayBeSent(run, `Import job ${jobId} was started then, with other rows or values.`);
}

/**
 * The jobs to continue by the number of their file. Throws InvalidInput if a job of the Run Key imports
 * something else than the file of this run.
 * @param files of this run; read only if there are jobs
 */
export async function findJobsToContinue(
	{ service, runKey }: ImportPlan,
	files: AsyncIterable<BuiltPart> | Iterable<BuiltPart>,
	unchanged: number,
): Promise<ReadonlyMap<number, EarlierJob>> {
	const jobs = await findJobsOfKey(service, runKey);
	if (jobs.length === 0) return new Map();
	const parts: Part[] = [];
	for await (const { part } of files) parts.push(part);
	// Nothing has changed, so nothing is sent under any key.
	if (parts.length === 0) return new Map();
	for (const job of jobs) {
		const text = difference(job, parts[job.fileNumber - 1], unchanged);
		if (text !== undefined) throw rejectKey(`"${runKey}" belongs to import job ${text}`);
	}
	return new Map(jobs.map((job) => [job.fileNumber, job]));
}

const PLAN_LABEL = 'Approved Plan';

export const approvedPlanOption: INodeProperties = {
	displayName: PLAN_LABEL,
	name: 'approvedPlan',
	type: 'string',
	default: '',
	placeholder: 'e.g. 300-1a2b3c4d-5e6f7a8b-9c0d1e2f',
	description:
		'The plan code of a dry run, or all its items. Nothing is sent if the rows, the fields, their settings or the database differ from what that dry run showed. An AI agent cannot fill it in.',
};

const itemsSchema = z.array(z.object({ json: z.record(z.unknown()) })).catch([]);

/** The items of the dry run, if they were given in place of the code. */
export function plannedItems({ parameters }: NodeContext): Array<Record<string, unknown>> {
	const items = itemsSchema.parse(parameters.in('options').value('approvedPlan'));
	return items.map(({ json }) => json);
}

/** Number of rows, their values, what is done with them, and the database. */
const CODE = /^\d{1,9}(-[0-9a-f]{8}){3}$/;

function rejectPlan(text: string): InvalidInput {
	return new InvalidInput([{ field: PLAN_LABEL, text }]);
}

function differs(parts: string[]): InvalidInput {
	return rejectPlan(
		`is not the plan of this import. Different: ${parts.join('; ')}. Nothing was sent. Make a new dry run and have its plan approved.`,
	);
}

/**
 * The code of the plan that a person has approved; undefined if none is needed. Throws InvalidInput if it
 * is none, or of another database, which needs no request to see.
 */
export function readApprovedPlan(context: ServiceContext): string | undefined {
	const { parameters, service } = context;
	const entered = String(parameters.unevaluated('options.approvedPlan') ?? '');
	if (entered === '') return undefined;
	if (/\$fromAI\b/i.test(entered))
		throw rejectPlan(
			'cannot be filled in by an AI agent. Enter the plan that a person has approved.',
		);
	const ofItems = plannedItems(context).find(({ plan }) => typeof plan === 'string')?.plan;
	const given = String(ofItems ?? parameters.in('options').value('approvedPlan') ?? '');
	const code = given.trim().toLowerCase();
	if (!CODE.test(code)) {
		const what = given === '' ? 'is an expression without a value' : 'is not a plan code';
		throw rejectPlan(`${what}. Give the "plan" of a dry run. Nothing was sent.`);
	}
	if (!code.endsWith(textChecksum(service.target.identity)))
		throw differs([`the database (now ${service.target.text})`]);
	return code;
}

/** What is done with the rows, whatever they hold. */
function importSettings(plan: ImportPlan): string {
	const { parameters, mapping } = plan;
	const options = parameters.in('options');
	return JSON.stringify([
		new WrittenRows(plan).mapping,
		mapping.columns.map(({ source, expression = '' }) => `${source}=${expression}`).sort(),
		options.flag('cleanValues', true),
		options.choice('duplicates', DUPLICATE_CHOICES),
		parameters.unevaluated('options.skipUnchangedBy') ?? null,
	]);
}

/** Reads all rows once for the plan code of this import. */
export async function planCode(plan: ImportPlan): Promise<string> {
	const { service, rows, mapping } = plan;
	const written = new WrittenRows(plan);
	await visitRows(rows.read(mapping.columns), (row) => written.add(row));
	const values = written.of(0, written.count);
	const settings = textChecksum(importSettings(plan));
	return [written.count, values, settings, textChecksum(service.target.identity)].join('-');
}

/** Throws InvalidInput naming what differs from the approved plan. */
export function checkApproved(approved: string, planned: string): void {
	const [rowCount, rows, mapping] = approved.split('-');
	const [nowCount, nowRows, nowMapping] = planned.split('-');
	const parts: string[] = [];
	if (rowCount !== nowCount)
		parts.push(`the number of rows (the plan had ${rowCount}, now there are ${nowCount})`);
	if (mapping !== nowMapping)
		parts.push(
			'the fields, or what is done with the rows (Clean Values, Duplicates in the List, Skip Unchanged Rows By)',
		);
	// Other fields write other values.
	if (parts.length === 0 && rows !== nowRows) parts.push('the values of the rows');
	if (parts.length > 0) throw differs(parts);
}
