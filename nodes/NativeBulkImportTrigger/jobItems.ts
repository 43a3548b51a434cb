import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { jobOutput } from '../shared/execution/importJobOutput';
import { readResultFile, downloadResultFile } from '../shared/execution/importResults';
import { type ImportJobRecord, jobState } from '../shared/service/importJobRecord';
import { readImportJob } from '../shared/service/importJobWait';
import type { NativeService } from '../shared/service/nativeService';
import { ServiceError } from '../shared/service/serviceErrors';
import { CallCancelled } from '../shared/transport/cancellation';
import { rethrow } from '../shared/transport/rethrow';
import type { ReadJob, ReadJobs } from './jobReader';
import type { JobEvent } from './watchState';

/** The results of further jobs wait for the next poll … */
const MOST_JOBS_WITH_RESULTS = 20;
/** … or after this many rows: n8n stores an execution as one text, which V8 limits to 512 MB. */
const MOST_ROWS = 100_000;

export interface OutputOptions {
	results: 'none' | 'rows' | 'binary';
	/** The job's columnsToIncludeInResultsFile; any other column is an outcome. */
	includedColumns: string[];
}

export interface ItemSource extends OutputOptions {
	functions: IPollFunctions;
	service: NativeService;
}

function problemOf(service: NativeService, error: unknown): IDataObject {
	if (error instanceof ServiceError) {
		const { message, description, httpCode } = error.details;
		return { message, description, httpCode: httpCode ?? null };
	}
	const message = error instanceof Error ? error.message : String(error);
	return { message: service.redactor.text(message), description: null, httpCode: null };
}

function readJobOutput(service: NativeService, jobId: number, read: ReadJob): IDataObject {
	if ('record' in read) return jobOutput(service, jobId, read.record);
	return {
		jobId,
		status: null,
		hasEnded: false,
		hasErrors: false,
		// Not `error`: n8n treats an item with that property as failed.
		problem: problemOf(service, read.error),
	};
}

/** One item for an event, without the results of the job. */
function buildPlainItem(
	{ service, results }: ItemSource,
	event: JobEvent,
	read: ReadJob,
	resultsProblem?: unknown,
): INodeExecutionData {
	const { jobId, ...reported } = event;
	const problem =
		resultsProblem === undefined ? {} : { resultsProblem: problemOf(service, resultsProblem) };
	const job = readJobOutput(service, jobId, read);
	return results === 'rows'
		? { json: { ...reported, jobId, ...problem, job } }
		: { json: { ...reported, ...job, ...reported, ...problem } };
}

/** Whether a job may have result files: a failed one has none (service.md 2.7). */
function mayHaveResults(record: ImportJobRecord): boolean {
	const state = jobState(record.status);
	return state === 'completed' || state === 'completedWithErrors';
}

/**
 * The items for the end of a job, with its results.
 * Throws if a result file cannot be read, so that no event is reported partially.
 * @param listed the record; a list may show jobs without their files
 */
async function buildResultItems(
	source: ItemSource,
	event: JobEvent,
	listed: ImportJobRecord,
): Promise<INodeExecutionData[]> {
	const { functions, service, results, includedColumns } = source;
	const { jobId, ...reported } = event;
	const record = listed.resultFiles?.length ? listed : await readImportJob(service, jobId);
	const files = record.resultFiles ?? [];
	const job = jobOutput(service, jobId, record);
	// Their links would be repeated in every row.
	delete job.resultFiles;
	const items: INodeExecutionData[] = [];
	for (const [index, file] of files.entries()) {
		const fileNumber = index + 1;
		if (results === 'binary') {
			const bytes = await downloadResultFile(service, file, fileNumber);
			const fileName = `job-${jobId}-results-${fileNumber}.csv`;
			const data = await functions.helpers.prepareBinaryData(bytes, fileName, 'text/csv');
			items.push({
				json: { ...job, ...reported, fileNumber, files: files.length },
				binary: { data },
			});
		} else {
			const known = { included: includedColumns };
			const rows = await readResultFile(service, file, fileNumber, known, (row) => ({
				json: { ...reported, jobId, ...row, job },
			}));
			for (const row of rows) items.push(row);
		}
	}
	return items.length > 0 ? items : [buildPlainItem(source, event, { record })];
}

/** Jobs whose events a later poll reports. */
export interface HeldEvents {
	/** Their results were not tried yet. */
	queued: ReadonlySet<number>;
	/** Their results could not be read. */
	withoutResults: ReadonlySet<number>;
}

/**
 * The items of events, and those that are held back for their results.
 * @param goesWithout whether to report a job even if its results cannot be read
 */
export async function buildItems(
	source: ItemSource,
	events: JobEvent[],
	jobs: ReadJobs,
	goesWithout: (jobId: number) => boolean,
): Promise<HeldEvents & { items: INodeExecutionData[] }> {
	const items: INodeExecutionData[][] = [];
	const queued = new Set<number>();
	const withoutResults = new Set<number>();
	let jobsWithResults = 0;
	let rows = 0;
	for (const event of events) {
		const { jobId } = event;
		const read = jobs.get(jobId);
		if (!read) continue;
		if ('error' in read || source.results === 'none' || !mayHaveResults(read.record)) {
			items.push([buildPlainItem(source, event, read)]);
			continue;
		}
		if (++jobsWithResults > MOST_JOBS_WITH_RESULTS || rows >= MOST_ROWS) {
			queued.add(jobId);
			continue;
		}
		try {
			const built = await buildResultItems(source, event, read.record);
			rows += built.length;
			items.push(built);
		} catch (error) {
			if (error instanceof CallCancelled) rethrow(error);
			if (goesWithout(jobId)) items.push([buildPlainItem(source, event, read, error)]);
			else withoutResults.add(jobId);
		}
	}
	return { items: items.flat(), queued, withoutResults };
}
