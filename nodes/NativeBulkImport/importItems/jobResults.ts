import { failedJobError } from '../../shared/execution/importJobOutput';
import { readRowBatches } from '../../shared/execution/importResults';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import type { RepeatedRecord } from '../../shared/importFile/repeatedRecords';
import { startedJobError } from '../../shared/service/importJobErrors';
import { jobState, type ResultFile } from '../../shared/service/importJobRecord';
import type { WaitedJob } from '../../shared/service/importJobWait';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../shared/transport/cancellation';
import type { InvalidRows, OwnColumns, Part, PartFailure, StartedImport } from './part';
import { type JobRows, type Match, RowOutcomes } from './rowOutcomes';
import { referenceText } from './startedFile';

/** What the results of all jobs say. */
export interface JobResults {
	/** Those of the import, with why their outcomes could not be read. */
	parts: readonly Part[];
	invalid: InvalidRows;
	rows: RowOutcomes;
	/** Result rows that match no row of this import. */
	unmatched: number;
	/** Rows of a record that an earlier row has. */
	repeated: { rows: number; records: RepeatedRecord[] };
}

type StartedPart = Part & { jobId: number };

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

/**
 * Reads the results of jobs that have ended or could not be read.
 * @param keepsImported see {@link RowOutcomes}
 */
export async function readJobResults(
	service: NativeService,
	{ parts, invalid, columns, totalRows }: StartedImport,
	ended: ReadonlyMap<number, WaitedJob>,
	keepsImported: boolean,
): Promise<JobResults> {
	const rows = new RowOutcomes(columns.itemColumn, totalRows, keepsImported);
	const all = new Map(invalid);
	let unmatched = 0;
	const read: Part[] = [];
	for (const part of parts) {
		const { jobId } = part;
		const end = jobId === undefined ? undefined : ended.get(jobId);
		if (jobId === undefined || !end) {
			read.push(part);
			continue;
		}
		const results = await readResults(service, columns, { ...part, jobId }, end, rows);
		unmatched += results.unmatched;
		const { failure } = results;
		read.push({ ...part, failure });
		if (!failure) await findUnsentRows(service, part, rows, all);
	}
	const slice = new TimeSlice(service.signal);
	const repeated = await rows.recordIds.find(async () => {
		if (slice.isOver) await slice.yield();
	});
	return { parts: read, invalid: all, rows, unmatched, repeated };
}

/** @returns why the outcomes of an ended job could not be read, and the result rows of other imports */
async function readResults(
	service: NativeService,
	columns: OwnColumns,
	part: StartedPart,
	end: WaitedJob,
	outcomes: RowOutcomes,
): Promise<{ failure?: PartFailure; unmatched: number }> {
	const { jobId, run, first, end: lastEnd, fetchAdvice = '' } = part;
	const unknown = (what: 'end' | 'results', error: unknown): PartFailure => ({
		status: 'unknown',
		error: addReference(startedJobError(jobId, what, error), part),
	});
	if ('error' in end) return { failure: unknown('end', end.error), unmatched: 0 };
	const files = end.record.resultFiles ?? [];
	if (jobState(end.record.status) === 'failed' && files.length === 0) {
		const failed = failedJobError(service, jobId, end.record);
		const error = failed.with({ description: failed.details.description + fetchAdvice });
		return { failure: { status: 'failed', error }, unmatched: 0 };
	}
	const rows: JobRows = { jobId, first, end: lastEnd, ...(run !== undefined && { run }) };
	const found = { joined: 0, foreign: 0, unmatched: 0 };
	try {
		for (const [index, file] of files.entries()) {
			const inFile = await readResultFile(service, columns, rows, file, index + 1, outcomes);
			for (const match of MATCHES) found[match] += inFile[match];
		}
	} catch (error) {
		throwIfCancelled(service.signal);
		return { failure: unknown('results', error), unmatched: 0 };
	}
	const unmatched = found.foreign + found.unmatched;
	if (found.foreign > 0)
		return { failure: { status: 'unknown', error: replacedFile(jobId) }, unmatched };
	if (files.length > 0 && (unmatched === 0 || found.joined > 0)) return { unmatched };
	// A single row without a result was rejected. If no row has one, nothing is known.
	const reason =
		files.length === 0
			? 'the service gives no result file'
			: `none of the ${unmatched} result rows could be matched to an input row`;
	return { failure: unknown('results', new Error(reason)), unmatched };
}

async function readResultFile(
	service: NativeService,
	{ itemColumn, labels }: OwnColumns,
	job: JobRows,
	file: ResultFile,
	fileNumber: number,
	outcomes: RowOutcomes,
): Promise<Record<Match, number>> {
	const count = { joined: 0, foreign: 0, unmatched: 0 };
	const known = { included: [itemColumn], labels };
	const restart = (): void => {
		for (const match of MATCHES) count[match] = 0;
	};
	for await (const rows of readRowBatches(service, file, fileNumber, known, restart)) {
		for (const row of rows) count[outcomes.add(job, row)]++;
	}
	return count;
}

/** A job given by its reference says how many of its rows were not sent, but not which. */
async function findUnsentRows(
	service: NativeService,
	{ first, end, rows }: Part,
	outcomes: RowOutcomes,
	invalid: InvalidRows,
): Promise<void> {
	if (!Number.isFinite(end) || end - first <= rows) return;
	const slice = new TimeSlice(service.signal);
	const unmentioned: number[] = [];
	let unsent = end - first - rows;
	for (let position = first; position < end; position++) {
		if (slice.isOver) await slice.yield();
		if (invalid.has(position)) unsent--;
		else if (!outcomes.mentions(position)) unmentioned.push(position);
	}
	// If the service also left out rows, nobody can tell which.
	if (unmentioned.length !== unsent) return;
	for (const position of unmentioned) invalid.set(position, NOT_SENT_ROW);
}
