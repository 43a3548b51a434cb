import { castArray, isObject, uniq, uniqBy } from 'lodash';

import { itemOf } from '../../../shared/execution/itemResult';
import type { NodeContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { rethrow } from '../../../shared/transport/rethrow';
import { ITEM_COLUMN } from '../mapping/importMapping';
import { type ImportRows, RowChecksums, visitRows } from '../../rows/importRows';
import type { FeatureContext, ImportContext, ImportFeature } from '../feature';
import type { FoundRows, Part, StartedImport } from '../model';
import {
	hasUnreadEnd,
	invalidRowsOf,
	jobIdsOf,
	notesOf,
	parseFileMark,
	parseReference,
	partFrom,
	partOf,
	sameRange,
	type StartedFile,
	startedFileSchema,
} from '../start/startedImport';
import type { ImportOutcome } from './importOutcome';
import { readOutcome } from './endedImport';

export interface GivenJobs {
	/** In the order of their rows; empty if only references were given. */
	files: StartedFile[];
	parts: Part[];
	jobIds: number[];
}

function reject(text: string): never {
	throw new InvalidInput([{ field: 'Started Jobs', text }]);
}

/** No import has more files. */
const MOST_REFERENCES = 1000;

/** The entered jobs, or the input items, as a flat list. */
export function readStartedJobs({ functions, parameters }: NodeContext): unknown[] {
	const entered = parameters.value('startedJobs') ?? '';
	if (typeof entered === 'string') {
		const texts = entered.split(/[\s,]+/, MOST_REFERENCES + 1).filter((text) => text !== '');
		if (texts.length > MOST_REFERENCES)
			reject(`has more than ${MOST_REFERENCES} jobs. Enter the jobs of one import.`);
		return texts.length > 0 ? texts : functions.getInputData().map(({ json }) => json);
	}
	const list: unknown[] = Array.isArray(entered) ? entered : [entered];
	return list.map((entry) => (isObject(entry) ? itemOf(entry).json : entry));
}

/** Rows come out beside the started files and have neither field, or an outcome. */
function looksLikeFile(entry: unknown): boolean {
	if (entry === null || typeof entry !== 'object') return false;
	const isRow = 'importResult' in entry || 'error' in entry;
	return !isRow && 'run' in entry && 'fileNumber' in entry;
}

/** The jobs of one import, from its started items or from references. Throws InvalidInput. */
export function givenJobsOf(entries: readonly unknown[]): GivenJobs {
	const files: StartedFile[] = [];
	const references: Part[] = [];
	for (const entry of entries) {
		const file = startedFileSchema.safeParse(entry).data;
		if (file) files.push(file);
		if (file || entry === null) continue;
		if (looksLikeFile(entry))
			reject(
				'has an item of "Import Items" that lacks some of its fields, or was changed. Pass these items unchanged.',
			);
		if (typeof entry === 'string' || typeof entry === 'number') {
			const text = `"${String(entry).slice(0, 40)}" is neither a job ID nor a started job.`;
			references.push(parseReference(String(entry)) ?? reject(text));
		}
	}
	// In a loop, the same file can come back each time.
	const distinct = uniqBy(files, ({ run, fileNumber }) => `${run} ${fileNumber}`);
	distinct.sort((a, b) => a.firstRow - b.firstRow);
	checkFiles(distinct);
	if (distinct.length === 0 && references.length === 0)
		reject(
			'has no job. Enter the items of "Import Items" as an expression, e.g. {{ $("Import Items").all() }}, or job IDs.',
		);
	const parts = distinct.length > 0 ? distinct.map(partOf) : uniqBy(references, 'jobId');
	return { files: distinct, parts, jobIds: jobIdsOf(parts) };
}

/** Rejects files that are not all those of one import. */
function checkFiles(files: readonly StartedFile[]): void {
	const [first] = files;
	if (!first) return;
	const runs = uniq(files.map(({ run }) => run));
	if (runs.length > 1)
		reject(
			`There are jobs of ${runs.length} imports (${runs.join(', ')}). Pass those of one import: filter by the field "run".`,
		);
	const missing = first.files - files.length;
	if (missing > 0)
		reject(
			`${missing} of ${first.files} files of the import are missing. Pass all items of "Import Items".`,
		);
	const jobIds = files.flatMap(({ jobId }) => jobId ?? []);
	if (uniq(jobIds).length < jobIds.length)
		reject('names one job for several files. Pass the items of "Import Items" unchanged.');
}

/** A job with what its description says of its rows, if the service returns it. Rejects one of other rows. */
function withMark(part: Part, ended: ReadonlyMap<number, WaitedJob>): Part {
	const { jobId } = part;
	const job = jobId === undefined ? undefined : ended.get(jobId);
	const told = job && 'record' in job ? job.record.description : undefined;
	const description = typeof told === 'string' ? told.trim() : '';
	const mark = parseFileMark(description);
	if (!mark) return part;
	const { run, first, end, rows, checksum } = mark;
	if (part.run === undefined) return { jobId, run, first, end, rows, checksum };
	if (part.run === run && sameRange(mark, part)) return part;
	return reject(
		`has import job ${jobId}, which belongs to other rows: its description is "${description}". Enter the jobs of these rows.`,
	);
}

/** Parts for the rows that are in none of the given jobs, e.g. because n8n was killed between two starts. */
function uncoveredParts(parts: readonly Part[], rowCount: number): Part[] {
	const uncovered: Part[] = [];
	let next = 0;
	for (const { first, end } of [...parts, { first: rowCount, end: rowCount }]) {
		if (first > next) {
			const error = new ServiceError({
				message: `Rows ${next + 1}–${first} are in none of the given jobs`,
				description:
					'Check in the service whether a job was started for them. If not, it is safe to import them again.',
				replayable: false,
				outcomeUnknown: true,
			});
			const rows = first - next;
			const failure = { status: 'unknown' as const, error };
			uncovered.push({ first: next, end: first, rows, checksum: '', failure });
		}
		next = Math.max(next, end);
	}
	return uncovered;
}

/** The import that started the given jobs, as far as they tell. */
export async function startedImportOf(
	{ files, parts: given }: GivenJobs,
	totalRows: number,
	features: readonly ImportFeature[],
	slice: TimeSlice,
): Promise<StartedImport> {
	const [first] = files;
	const found: FoundRows[] = [];
	for (const { restore } of features) {
		const one = first && (await restore?.(first, slice));
		found.push(...castArray(one ?? []));
	}
	const parts = [...given].sort((a, b) => a.first - b.first);
	const uncovered = first ? [] : uncoveredParts(parts, totalRows);
	return {
		...(first && { run: first.run }),
		totalRows,
		parts: [...parts, ...uncovered].sort((a, b) => a.first - b.first),
		invalid: invalidRowsOf(files),
		found,
		columns: {
			itemColumn: first?.includedColumns[0] ?? ITEM_COLUMN,
			labels: first?.outcomeColumns ?? [],
		},
		blankIds: first?.blankIds ?? {},
		notes: notesOf(first),
	};
}

/** @returns also why they could not be read to their end: a damaged file can have started jobs */
async function countRows(
	rows: ImportRows,
): Promise<{ checksums: RowChecksums; damage?: InvalidInput }> {
	const checksums = new RowChecksums();
	try {
		await visitRows(rows.read([], checksums), () => undefined);
		return { checksums };
	} catch (error) {
		if (!(error instanceof InvalidInput)) rethrow(error);
		return { checksums, damage: error };
	}
}

/** Rejects rows of other imports: rows are joined by number and would get wrong outcomes. */
async function checkRows(
	{ checksums, damage }: Awaited<ReturnType<typeof countRows>>,
	totalRows: number | undefined,
	parts: readonly Part[],
	isChecked: boolean,
	slice: TimeSlice,
): Promise<void> {
	const { count } = checksums;
	const reject = (text: string): never => {
		if (damage) throw damage;
		throw new InvalidInput([
			{ field: 'Rows', text: `${text} Pass the same rows in the same order.` },
		]);
	};
	const last = Math.max(0, ...parts.map(({ end }) => (Number.isFinite(end) ? end : 0)));
	if (totalRows !== undefined && totalRows !== count)
		reject(`There are ${count}, but the import had ${totalRows}.`);
	if (last > count) reject(`There are ${count}, but the jobs have rows up to ${last}.`);
	for (const { first, end, checksum, jobId } of isChecked ? parts : [])
		if (
			checksum !== '' &&
			Number.isFinite(end) &&
			(await checksums.of(first, end, slice)) !== checksum
		)
			reject(
				`Rows ${first + 1}–${end} do not have the values that were imported with job ${jobId ?? '(none)'}. If only columns changed that were not imported, turn off Check Rows.`,
			);
}

function withUnreadEnd(started: StartedImport, damage: InvalidInput | undefined): StartedImport {
	if (!damage || hasUnreadEnd(started.parts)) return started;
	const failure = { status: 'unknown' as const, error: damage };
	const unread = { ...partFrom(started.totalRows), failure };
	return { ...started, parts: [...started.parts, unread] };
}

/** Reads and joins the outcome of jobs that were started in an earlier run. */
export async function readGivenOutcome(
	context: FeatureContext & ImportContext,
	given: GivenJobs,
	ended: ReadonlyMap<number, WaitedJob>,
	rows: ImportRows,
): Promise<ImportOutcome> {
	// A job of other rows is rejected before these are read.
	const parts = given.parts.map((part) => withMark(part, ended));
	const slice = new TimeSlice(context.service.signal);
	const counted = await countRows(rows);
	const known = await startedImportOf(
		{ ...given, parts },
		counted.checksums.count,
		context.features,
		slice,
	);
	const isChecked = context.parameters.in('options').flag('checkRows', true);
	await checkRows(counted, given.files[0]?.totalRows, known.parts, isChecked, slice);
	return await readOutcome(context, rows, withUnreadEnd(known, counted.damage), ended);
}
