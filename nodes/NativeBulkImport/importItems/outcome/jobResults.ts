import { sumBy } from 'lodash';

import { failedJobError, startedJobError } from '../../../shared/execution/importJobOutput';
import { collectResultFile } from '../../../shared/execution/importResults';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import { RecordIds, type RepeatedRecord } from '../../../shared/importFile/repeatedRecords';
import {
	complaintsIn,
	isProcessed,
	mergeOutcomes,
	type ResultRow,
	statusOf,
} from '../../../shared/importFile/resultFile';
import { jobState } from '../../../shared/service/importJobRecord';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import type { NativeService } from '../../../shared/service/nativeService';
import { sameName } from '../../../shared/service/nearestName';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { parseRowKey } from '../../rows/importRows';
import {
	type InvalidRows,
	leftOutBy,
	OUTCOME_STATUSES as STATUSES,
	type OwnColumns,
	type Part,
	type PartFailure,
	type RowOutcome,
	type StartedImport,
	withoutOutcome,
} from '../model';
import { referenceText } from '../start/startedImport';

type StartedPart = Part & { jobId: number };

/**
 * `joined`: the row is one of this import. `foreign`: the row of another run or file, so the file of the
 * job was replaced. `unmatched`: it names no row.
 */
type Match = 'joined' | 'foreign' | 'unmatched';

/**
 * Joins result rows to input rows by the node's own column. A row mentioned several times, e.g. in a file per
 * mapping type, is imported only if every mention says so.
 */
export class RowOutcomes {
	readonly recordIds: RecordIds;
	/** One entry per position: an index in {@link STATUSES}. */
	private readonly statuses: Uint8Array;
	/** One entry per position. Unlike a map, an array grows without a pause at a million rows. */
	private readonly details: Array<RowOutcome | undefined> = [];

	/**
	 * @param keepsImported whether to keep the details of imported rows. If not, memory grows only with the
	 * other rows, which lack their mentions before the first rejection
	 */
	constructor(
		private readonly itemColumn: string,
		private readonly rowCount: number,
		private readonly keepsImported: boolean,
	) {
		this.statuses = new Uint8Array(rowCount);
		this.recordIds = new RecordIds(rowCount);
	}

	/**
	 * Adds a mention of a row; a repeated mention changes nothing.
	 * @param job whose results have the row; the first row tells its run, if that is unknown
	 */
	add(job: Pick<StartedPart, 'jobId' | 'run' | 'first' | 'end'>, row: ResultRow): Match {
		const column =
			this.itemColumn in row.columns
				? this.itemColumn
				: Object.keys(row.columns).find((name) => sameName(name, this.itemColumn));
		const key = parseRowKey(column === undefined ? '' : (row.columns[column] ?? ''));
		if (!key) return 'unmatched';
		job.run ??= key.run;
		const { jobId, run, first, end } = job;
		const position = key.row - 1;
		if (key.run !== run || position < first || position >= Math.min(end, this.rowCount))
			return 'foreign';
		this.recordIds.add(position, row);
		const before = this.details[position];
		const mentioned = STATUSES.indexOf(statusOf(row));
		this.statuses[position] = Math.max(this.statuses[position] ?? 0, mentioned);
		const status = this.statusOf(position);
		if (status === 'imported' && !this.keepsImported) {
			if (before) this.details[position] = undefined;
			return 'joined';
		}
		// This includes a mention whose details were not kept.
		const record = before ?? this.recordIds.of(position);
		const outcome: RowOutcome = {
			status,
			jobId,
			primaryKey: row.primaryKey ?? record.primaryKey,
			primaryKeyType: row.primaryKeyType ?? record.primaryKeyType,
			outcomes: before ? mergeOutcomes(before.outcomes, row.outcomes) : row.outcomes,
		};
		this.details[position] = status === 'imported' ? outcome : detach(outcome);
		return 'joined';
	}

	get hasAny(): boolean {
		return this.statuses.some((status) => status > 0);
	}

	/** Whether a result mentions the row, even without an outcome. */
	mentions(position: number): boolean {
		return this.statusOf(position) !== 'missing' || this.details[position] !== undefined;
	}

	/** How many rows of a job results mention. */
	countMentioned({ first, end }: Pick<Part, 'first' | 'end'>): number {
		let count = 0;
		const last = Math.min(end, this.rowCount);
		for (let position = first; position < last; position++) if (this.mentions(position)) count++;
		return count;
	}

	statusOf(position: number): RowOutcome['status'] {
		return STATUSES[this.statuses[position] ?? 0] ?? 'missing';
	}

	of(position: number, jobId: number | null): RowOutcome {
		return this.details[position] ?? withoutOutcome(this.statusOf(position), jobId);
	}
}

/** Whether the service stored a part of a row, in a record whose ID it does not return. */
export function isPartlyStored({
	primaryKey,
	outcomes,
}: Pick<RowOutcome, 'primaryKey' | 'outcomes'>): boolean {
	return primaryKey === null && Object.values(outcomes).some(isProcessed);
}

export function failureText(outcome: RowOutcome, noun: string): string {
	const { status, outcomes } = outcome;
	if (status === 'missing' && Object.keys(outcomes).length > 0)
		return `The result file lists this ${noun} without an outcome. Check in the service before importing it again.`;
	if (status === 'missing')
		return `The results do not list this ${noun}. Check in the service before importing it again: the service probably rejected the whole ${noun}, for instance because a required value is blank, but it may have stored it.`;
	// Only of several mapping types does a name tell more.
	const isOne = Object.keys(outcomes).length === 1;
	const complaints = complaintsIn(outcomes)
		.map(([mappingType, text]) => (isOne ? text : `${mappingType}: ${text}`))
		.join('; ');
	if (!isPartlyStored(outcome)) return complaints;
	return `${complaints.replace(/\.$/, '')}. The rest of this ${noun} was stored.`;
}

export interface JobResults {
	/** The import, with why outcomes could not be read, and all rows that were not sent. */
	started: StartedImport;
	rows: RowOutcomes;
	/** Result rows that match no row of this import. */
	unmatched: number;
	/** Rows of a record that an earlier row has. */
	repeated: { rows: number; records: RepeatedRecord[] };
}

const NOT_SENT_ROW = new InvalidRow(
	'Row',
	'was not sent, because a value is not valid, because it is a duplicate, or because it has not changed. Only Show says how many of each.',
);

/** How to read the outcomes of started jobs later. */
export function outcomeAdvice(parts: readonly Part[]): string {
	return `For one outcome per row, run "Get Item Outcomes" with the same rows and Started Jobs set to ${parts.map(referenceText).join(', ')}.`;
}

/** Adds how to read the outcomes of a started job later. */
function addReference(error: unknown, part: Part): unknown {
	if (!(error instanceof ServiceError)) return error;
	return error.with({ description: `${error.details.description} ${outcomeAdvice([part])}` });
}

/** The results of a job are those of other rows: somebody uploaded to the same address. */
function replacedFile(jobId: number): ServiceError {
	return new ServiceError({
		message: `Import job ${jobId} did not import this file: another upload replaced it before the service downloaded it`,
		description:
			'Check in the service which of its rows were imported before importing any of them again. Make the address of each file different: use {file} in Upload URL and Download URL.',
		jobId,
		outcomeUnknown: true,
	});
}

/** Reads the results of jobs that have ended or could not be read. */
export async function readJobResults(
	service: NativeService,
	started: StartedImport,
	ended: ReadonlyMap<number, WaitedJob>,
	keepsImported: boolean,
): Promise<JobResults> {
	const { columns, totalRows } = started;
	const rows = new RowOutcomes(columns.itemColumn, totalRows, keepsImported);
	const invalid = new Map(started.invalid);
	let unmatched = 0;
	const parts: Part[] = [];
	for (const part of started.parts) {
		const { jobId } = part;
		const end = jobId === undefined ? undefined : ended.get(jobId);
		if (jobId === undefined || !end) {
			parts.push(part);
			continue;
		}
		const results = await readResults(service, columns, { ...part, jobId }, end, rows);
		unmatched += results.unmatched;
		const { failure } = results;
		parts.push({ ...part, failure });
		if (!failure) await findUnsentRows(service, part, rows, invalid, started);
	}
	// Several jobs can have the same rows: one that imported nothing says nothing about the others.
	const hasFailed = ({ failure }: Part): number => (failure?.status === 'failed' ? 1 : 0);
	parts.sort((a, b) => a.first - b.first || hasFailed(a) - hasFailed(b));
	const repeated = await rows.recordIds.find(new TimeSlice(service.signal));
	return { started: { ...started, parts, invalid }, rows, unmatched, repeated };
}

/** @returns why the outcomes of an ended job could not be read, and the result rows of other imports */
async function readResults(
	service: NativeService,
	{ itemColumn, labels }: OwnColumns,
	part: StartedPart,
	end: WaitedJob,
	outcomes: RowOutcomes,
): Promise<{ failure?: PartFailure; unmatched: number }> {
	const { jobId, fetchAdvice = '' } = part;
	const unknown = (what: 'end' | 'results', error: unknown): PartFailure => ({
		status: 'unknown',
		error: addReference(startedJobError(jobId, what, error), part),
	});
	if ('error' in end) return { failure: unknown('end', end.error), unmatched: 0 };
	const files = end.record.resultFiles ?? [];
	const job = { ...part };
	const known = { included: [itemColumn], labels };
	// Counts, not a list: a result file can have a million rows.
	const begin = () => ({ joined: 0, foreign: 0, unmatched: 0 });
	const counts: Array<Record<Match, number>> = [];
	try {
		for (const [index, file] of files.entries())
			counts.push(
				await collectResultFile(service, file, index + 1, known, begin, (count, row) => {
					count[outcomes.add(job, row)]++;
				}),
			);
	} catch (error) {
		throwIfCancelled(service.signal);
		return { failure: unknown('results', error), unmatched: 0 };
	}
	const foreign = sumBy(counts, 'foreign');
	const unmatched = foreign + sumBy(counts, 'unmatched');
	const joined = sumBy(counts, 'joined');
	if (jobState(end.record.status) === 'failed' && joined + unmatched === 0) {
		const failed = failedJobError(service, jobId, end.record);
		const error = failed.with({ description: failed.details.description + fetchAdvice });
		return { failure: { status: 'failed', error }, unmatched };
	}
	if (foreign > 0 && joined === 0)
		return { failure: { status: 'unknown', error: replacedFile(jobId) }, unmatched };
	// A row without a result was rejected, unless it may be one that could not be matched.
	const isComplete = unmatched === 0 || (joined > 0 && outcomes.countMentioned(part) >= part.rows);
	if (files.length > 0 && isComplete) return { unmatched };
	const reason =
		files.length === 0
			? 'the service returned no result file'
			: `${unmatched} of ${joined + unmatched} result rows could not be matched to an input row`;
	return { failure: unknown('results', new Error(reason)), unmatched };
}

/** A job given by its reference says how many of its rows were not sent, but not which. */
async function findUnsentRows(
	service: NativeService,
	{ first, end, rows }: Part,
	outcomes: RowOutcomes,
	invalid: InvalidRows,
	started: StartedImport,
): Promise<void> {
	if (!Number.isFinite(end) || end - first <= rows) return;
	const slice = new TimeSlice(service.signal);
	const unmentioned: number[] = [];
	let unsent = end - first - rows;
	for (let position = first; position < end; position++) {
		if (slice.isOver) await slice.yield();
		if (invalid.has(position) || leftOutBy(started.found, position)) unsent--;
		else if (!outcomes.mentions(position)) unmentioned.push(position);
	}
	// If the service also left out rows, it is unknown which.
	if (unmentioned.length !== unsent) return;
	for (const position of unmentioned) invalid.set(position, NOT_SENT_ROW);
}
