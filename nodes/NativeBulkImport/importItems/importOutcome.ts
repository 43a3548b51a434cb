import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failedJobError } from '../../shared/execution/importJobOutput';
import { readRowBatches } from '../../shared/execution/importResults';
import { errorItem, toNodeError } from '../../shared/execution/nodeErrors';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { jobState, type ResultFile } from '../../shared/service/importJobRecord';
import { waitForJobs, type WaitedJob, type WaitPlan } from '../../shared/service/importJobWait';
import { InvalidInput, problemSentence } from '../../shared/service/invalidInput';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import type { NativeService } from '../../shared/service/nativeService';
import { startedJobError } from '../../shared/service/importJobErrors';
import { messageOf, ServiceError } from '../../shared/service/serviceErrors';
import { CallCancelled, throwIfCancelled } from '../../shared/transport/cancellation';
import type { RepeatedRecord } from '../../shared/importFile/repeatedRecords';
import type { InvalidRows, Part, PartFailure } from './part';
import { invalidRowGroups, referenceText } from './startedFile';
import type { RowSource } from './rowSource';
import { failureText, type JobRows, type Match, type RowOutcome, RowOutcomes } from './rowOutcomes';

/** Outcomes of a row, in the order of summaries. */
export const ROW_STATUSES = [
	'imported',
	/** The service rejected at least one mapping, or the job as a whole. */
	'failed',
	/** No result mentions the row. */
	'missing',
	/** A value could not be written; nothing was sent. */
	'invalid',
	/** Its job was not started: importing again is safe. */
	'notSent',
	/** Its job was or may have been started and the outcome could not be read: do not import again. */
	'unknown',
] as const;

export type RowStatus = (typeof ROW_STATUSES)[number];

/** Words for each status in a sentence, with the advice on importing again. */
const STATUS_TEXTS: Record<RowStatus, string> = {
	imported: 'imported',
	failed: 'failed',
	missing: 'missing in the results (check before importing again)',
	invalid: 'invalid and not sent',
	notSent: 'not sent (safe to import again)',
	unknown: 'unknown (do not import again)',
};

/** Output as `importResult` of a row. */
export type RowResult = Omit<RowOutcome, 'status'> & {
	/** Number in the source file, from 1, without the header line. */
	row?: number;
	/** Its line in the source file, as spreadsheet programs number it. */
	line?: number;
	status: RowStatus;
	/** Why it was not imported. */
	reason?: string;
};

/** Columns of the result files that this import added. */
export interface OwnColumns {
	/** Holds the keys of the rows. */
	itemColumn: string;
	/** Labels of the outcome columns; empty if unknown. */
	labels: readonly string[];
}

interface StartedImport {
	plan: { run: string };
	/** Invalid rows included. */
	rowCount: number;
	warnings: string[];
}

/** Whether only the ID of a job is known, not its rows. */
function mayHoldAnyRow({ jobId, end }: Part): boolean {
	return jobId !== undefined && !Number.isFinite(end);
}

const NOT_MENTIONED =
	'None of the given jobs mentions this row in its results, and the service does not say which rows they had. Give the items of "Import Items", or check in the service before importing the row again.';

const NOT_SENT_ROW = new InvalidRow(
	'Row',
	'was not sent, because a value could not be written to the file. Import it again to see why.',
);

/** Adds how to read the outcomes of a started job later. */
function addReference(error: unknown, part: Part): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description = `${error.details.description} For one outcome per row, run "Get Item Outcomes" with the same rows and Started Jobs set to ${referenceText(part)}.`;
	return error.with({ description });
}

const MATCHES = ['joined', 'foreign', 'unmatched'] as const;

/** The results of a job are those of other rows: somebody uploaded to the same address. */
function replacedFile(jobId: number): ServiceError {
	return new ServiceError({
		message: `Import job ${jobId} did not import this file: another upload replaced it before the service downloaded it`,
		description:
			'Check in the service which of its rows were imported before importing any of them again. Give every file an address of its own: use {file} in Upload URL and Download URL.',
		jobId,
		outcomeUnknown: true,
	});
}

export class ImportOutcome {
	readonly parts: Part[] = [];
	readonly invalid: InvalidRows = new Map();
	/** Once the outcomes are read. */
	readonly counts = { imported: 0, failed: 0, missing: 0, invalid: 0, notSent: 0, unknown: 0 };
	/** Result rows that match no row of this import. */
	unmatched = 0;
	/** Rows without a record ID that other rows have, by its name. */
	blankIds: Record<string, number> = {};
	/** Rows of a record that an earlier row has. */
	repeated: { rows: number; records: RepeatedRecord[] } = { rows: 0, records: [] };
	private rowCount = 0;
	private rows: RowOutcomes | undefined;
	private current = 0;
	private readonly failures = new Map<Part, IDataObject>();

	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly service: NativeService,
		readonly source: Pick<RowSource, 'noun' | 'lineOf'>,
		private readonly columns: OwnColumns,
	) {}

	get jobIds(): number[] {
		return this.parts.flatMap(({ jobId }) => jobId ?? []);
	}

	/** Whether no row has an outcome because every job ended in an error. */
	get isUnknown(): boolean {
		return this.parts.every(({ failure }) => failure !== undefined) && !this.rows?.hasAny;
	}

	/** Whether the file could not be read to its end. */
	get hasUnreadEnd(): boolean {
		return this.parts.some(({ jobId, end }) => jobId === undefined && !Number.isFinite(end));
	}

	private get hasBlankIds(): boolean {
		return Object.keys(this.blankIds).length > 0;
	}

	/**
	 * Waits for the jobs of all parts and reads the outcomes of their rows.
	 * @param keepsImported see {@link RowOutcomes}
	 */
	async waitForEnd(wait: WaitPlan, rowCount: number, keepsImported: boolean): Promise<void> {
		const ended = await waitForJobs(this.service, this.jobIds, wait);
		await this.readOutcomes(ended, rowCount, keepsImported);
	}

	/** Reads the outcomes of jobs that have ended or could not be read. */
	async readOutcomes(
		ended: ReadonlyMap<number, WaitedJob>,
		rowCount: number,
		keepsImported: boolean,
	): Promise<void> {
		this.rowCount = rowCount;
		const rows = new RowOutcomes(this.columns.itemColumn, rowCount, keepsImported);
		this.rows = rows;
		for (const part of this.parts) {
			const end = part.jobId === undefined ? undefined : ended.get(part.jobId);
			if (part.jobId === undefined || !end) continue;
			part.failure = await this.readResults({ ...part, jobId: part.jobId }, end, rows);
			if (!part.failure) await this.findUnsentRows(part, rows);
		}
		await this.countRows();
		const slice = new TimeSlice(this.service.signal);
		this.repeated = await rows.recordIds.find(async () => {
			if (slice.isOver) await slice.yield();
		});
	}

	/** By position from 0; undefined if the row is in a file that was not sent. */
	statusAt(position: number): RowStatus | undefined {
		if (this.invalid.has(position)) return 'invalid';
		const part = this.partOf(position);
		// A result of the row itself outranks an error of its file.
		const said = this.rows?.statusOf(position) ?? 'missing';
		if (said !== 'missing') return said;
		if (part && mayHoldAnyRow(part)) return 'unknown';
		if (part?.failure) return part.failure.status;
		return this.rows && part ? 'missing' : undefined;
	}

	/** By position from 0; undefined if the row is in a file that was not sent. */
	resultAt(position: number): RowResult | undefined {
		const status = this.statusAt(position);
		if (status === undefined) return undefined;
		const line = this.source.lineOf?.(position + 1);
		const row = {
			...(this.source.noun === 'row' && { row: position + 1 }),
			...(line !== undefined && { line }),
		};
		const withoutOutcome = (reason: string, jobId: number | null = null): RowResult => {
			const blank = { jobId, primaryKey: null, primaryKeyType: null, outcomes: {} };
			return { ...row, status, ...blank, reason };
		};
		const invalidRow = this.invalid.get(position);
		if (invalidRow) {
			const { field, reason } = invalidRow;
			return withoutOutcome(problemSentence({ field, text: reason }));
		}
		const part = this.partOf(position);
		const failure = this.failureAt(position);
		if (part && failure) return withoutOutcome(String(failure.message), part.jobId);
		if (!this.rows || !part) return undefined;
		if (status === 'unknown') return withoutOutcome(NOT_MENTIONED);
		const outcome = this.rows.of(position, part.jobId ?? null);
		return outcome.status === 'imported'
			? { ...row, ...outcome }
			: { ...row, ...outcome, reason: failureText(outcome, this.source.noun) };
	}

	/**
	 * A row that was not imported, as a failed item: n8n sends items that hold only an error to the error
	 * output.
	 * @param values of the row, if no input item has them
	 */
	failedRow(position: number, result: RowResult, values?: IDataObject): IDataObject {
		const details = this.failureAt(position) ?? {
			message: result.reason ?? '',
			description: this.advice(result),
			httpCode: null,
			// The service would reject the row again, and its imported parts could be duplicated.
			replayable: false,
			outcomeUnknown: result.status === 'missing',
			request: null,
		};
		return { error: { ...details, importResult: result, ...(values && { values }) } };
	}

	/** One item per file, from which Get Item Outcomes reads the outcome later. */
	startedItems({ plan: { run }, rowCount, warnings }: StartedImport): IDataObject[] {
		const { itemColumn, labels } = this.columns;
		const invalidRows = invalidRowGroups(this.invalid);
		return this.parts.map((part, index) => {
			const { jobId, first, end, rows, checksum, description, startedAt, fetchAdvice } = part;
			const status = part.isContinued ? 'continued' : 'started';
			return {
				jobId: jobId ?? null,
				status: part.failure?.status ?? status,
				fileNumber: index + 1,
				files: this.parts.length,
				run,
				jobRun: part.run ?? run,
				totalRows: rowCount,
				firstRow: first + 1,
				lastRow: Number.isFinite(end) ? end : null,
				rows,
				checksum,
				includedColumns: [itemColumn],
				outcomeColumns: [...labels],
				description: description ?? '',
				startedAt: startedAt ?? null,
				...(fetchAdvice !== undefined && { fetchAdvice }),
				...(part.failure && {
					failure: { ...this.failureOf(part, part.failure), status: part.failure.status },
				}),
				...(index === 0 && invalidRows.length > 0 && { invalidRows }),
				...(index === 0 && warnings.length > 0 && { warnings }),
				...(index === 0 && this.hasBlankIds && { blankIds: this.blankIds }),
			};
		});
	}

	/** The counts as a sentence, with the job IDs; zero counts are left out. */
	sentence(): string {
		const { counts } = this;
		const { noun } = this.source;
		const texts = ROW_STATUSES.flatMap((status) =>
			counts[status] > 0 ? [`${counts[status]} ${STATUS_TEXTS[status]}`] : [],
		);
		return [
			`${this.rowCount} ${noun}s: ${texts.join(', ') || 'none'}`,
			...Object.entries(this.blankIds).map(([name, rows]) => `${rows} without ${name}`),
			...(this.unmatched > 0 ? [`${this.unmatched} result rows belong to no ${noun}`] : []),
			...(this.repeated.rows > 0
				? [`${this.repeated.rows} have the record ID of an earlier ${noun}`]
				: []),
			this.jobs(),
		].join('; ');
	}

	/** The IDs of the jobs: `import jobs 5, 6 (5 continued, not started again)`. */
	jobs(): string {
		const ids = this.jobIds;
		const continued = this.parts.flatMap(({ jobId, isContinued }) =>
			isContinued && jobId !== undefined ? jobId : [],
		);
		const note =
			continued.length > 0 ? ` (${continued.join(', ')} continued, not started again)` : '';
		return `import job${ids.length === 1 ? '' : 's'} ${ids.join(', ') || 'none'}${note}`;
	}

	summary(): IDataObject {
		return {
			rows: this.rowCount,
			...this.counts,
			unmatchedResults: this.unmatched,
			...(this.repeated.rows > 0 && { sameRecord: this.repeated.rows }),
			...(this.hasBlankIds && { blankIds: this.blankIds }),
			jobs: this.parts.map(({ jobId, rows, isContinued, failure }) => ({
				jobId: jobId ?? null,
				rows,
				...(isContinued && { continued: true }),
				...(failure && {
					error: toNodeError(this.functions.getNode(), failure.error, 0).message,
				}),
			})),
		};
	}

	/** Why no row has an outcome: the errors of all files. */
	error(): unknown {
		const errors = this.parts.flatMap(({ failure }) => (failure ? [failure.error] : []));
		const [first, ...others] = errors;
		if (others.length === 0) return first;
		const messages = errors.map(messageOf);
		const all = messages.map(
			(message, index) => `File ${index + 1}: ${message.replace(/\.$/, '')}.`,
		);
		const details = errors.flatMap((error) => (error instanceof ServiceError ? error.details : []));
		return new ServiceError({
			message: messages[0] ?? '',
			description: `This import has several files. Check each before importing any of its rows again. ${all.join(' ')}`,
			httpCode: details[0]?.httpCode,
			replayable: errors.every(
				(error) =>
					error instanceof InvalidInput ||
					(error instanceof ServiceError && error.details.replayable),
			),
			outcomeUnknown: details.some(({ outcomeUnknown }) => outcomeUnknown),
			request: details[0]?.request,
			serviceErrors: [],
		});
	}

	/** Adds the started jobs to an unforeseen error, which must not hide them. */
	afterStart(error: unknown): unknown {
		const [jobId, ...others] = this.jobIds;
		if (jobId === undefined || error instanceof CallCancelled) return error;
		const started = startedJobError(jobId, 'results', error);
		if (others.length === 0 || !(started instanceof ServiceError)) return started;
		return new ServiceError({
			...started.details,
			description: `${started.details.description} The other jobs of this import are ${others.join(', ')}.`,
		});
	}

	/** @returns why the outcomes of an ended job could not be read; undefined if they could */
	private async readResults(
		part: Part & { jobId: number },
		end: WaitedJob,
		outcomes: RowOutcomes,
	): Promise<PartFailure | undefined> {
		const { jobId, fetchAdvice = '' } = part;
		const unknown = (what: 'end' | 'results', error: unknown): PartFailure => ({
			status: 'unknown',
			error: addReference(startedJobError(jobId, what, error), part),
		});
		if ('error' in end) return unknown('end', end.error);
		const state = jobState(end.record.status);
		const files = end.record.resultFiles ?? [];
		if (state === 'failed' && files.length === 0) {
			const failed = failedJobError(this.service, jobId, end.record);
			const description = failed.details.description + fetchAdvice;
			return { status: 'failed', error: failed.with({ description }) };
		}
		const { run, first, end: lastEnd } = part;
		const rows: JobRows = { jobId, first, end: lastEnd, ...(run !== undefined && { run }) };
		const found = { joined: 0, foreign: 0, unmatched: 0 };
		try {
			for (const [index, file] of files.entries()) {
				const inFile = await this.readResultFile(rows, file, index + 1, outcomes);
				for (const match of MATCHES) found[match] += inFile[match];
			}
			this.unmatched += found.foreign + found.unmatched;
			if (found.foreign > 0) return { status: 'unknown', error: replacedFile(jobId) };
			const read = found.joined + found.unmatched;
			if (files.length > 0 && (read === 0 || found.joined > 0)) return undefined;
			// A single row without a result was rejected. If no row has one, nothing is known.
			throw new Error(
				files.length === 0
					? 'the service gives no result file'
					: `none of the ${read} result rows could be matched to an input row`,
			);
		} catch (error) {
			throwIfCancelled(this.service.signal);
			return unknown('results', error);
		}
	}

	private async readResultFile(
		job: JobRows,
		file: ResultFile,
		fileNumber: number,
		outcomes: RowOutcomes,
	): Promise<Record<Match, number>> {
		const count = { joined: 0, foreign: 0, unmatched: 0 };
		const known = { included: [this.columns.itemColumn], labels: this.columns.labels };
		const restart = (): void => {
			for (const match of MATCHES) count[match] = 0;
		};
		for await (const rows of readRowBatches(this.service, file, fileNumber, known, restart)) {
			for (const row of rows) count[outcomes.add(job, row)]++;
		}
		return count;
	}

	/** A job given by its reference says how many of its rows were not sent, but not which. */
	private async findUnsentRows({ first, end, rows }: Part, outcomes: RowOutcomes): Promise<void> {
		if (!Number.isFinite(end) || end - first <= rows) return;
		const slice = new TimeSlice(this.service.signal);
		const unmentioned: number[] = [];
		let unsent = end - first - rows;
		for (let position = first; position < end; position++) {
			if (slice.isOver) await slice.yield();
			if (this.invalid.has(position)) unsent--;
			else if (!outcomes.mentions(position)) unmentioned.push(position);
		}
		// If the service also left out rows, nobody can tell which.
		if (unmentioned.length !== unsent) return;
		for (const position of unmentioned) this.invalid.set(position, NOT_SENT_ROW);
	}

	/** The only place that counts outcomes. */
	private async countRows(): Promise<void> {
		const slice = new TimeSlice(this.service.signal);
		for (let position = 0; position < this.rowCount; position++) {
			if (slice.isOver) await slice.yield();
			const status = this.statusAt(position);
			if (status !== undefined) this.counts[status]++;
		}
	}

	/** The error of the row's file; undefined if the row has its own outcome. */
	private failureAt(position: number): IDataObject | undefined {
		const part = this.partOf(position);
		const isOwn =
			this.invalid.has(position) || (this.rows?.statusOf(position) ?? 'missing') !== 'missing';
		return part?.failure && !isOwn && !mayHoldAnyRow(part)
			? this.failureOf(part, part.failure)
			: undefined;
	}

	private partOf(position: number): Part | undefined {
		const first = this.parts[this.current]?.first ?? Number.POSITIVE_INFINITY;
		if (position < first) this.current = 0;
		while (position >= (this.parts[this.current]?.end ?? Number.POSITIVE_INFINITY)) this.current++;
		return this.parts[this.current];
	}

	private failureOf(part: Part, { error }: PartFailure): IDataObject {
		const known = this.failures.get(part);
		if (known) return known;
		const nodeError = toNodeError(this.functions.getNode(), error, 0);
		const failure = errorItem(error, nodeError).error as IDataObject;
		this.failures.set(part, failure);
		return failure;
	}

	private advice({ row, line, status, jobId, primaryKey, primaryKeyType }: RowResult): string {
		const { noun } = this.source;
		const where = [
			...(line === undefined ? [] : [`Line ${line} of the file.`]),
			...(row === undefined || line !== undefined ? [] : [`Row ${row}.`]),
			...(jobId === null ? [] : [`Import job ${jobId}.`]),
		];
		const what =
			status === 'missing'
				? `Check in the service whether it is there before you correct the ${noun} and import it again.`
				: primaryKey === null
					? `Correct the ${noun} and import it again; the others are not affected.`
					: `The record exists as ${primaryKeyType ?? 'ID'} ${primaryKey}. Fix the rejected values in the service, or import the corrected ${noun} with this ID: without it, the record may be stored twice.`;
		return [...where, what].join(' ');
	}
}
