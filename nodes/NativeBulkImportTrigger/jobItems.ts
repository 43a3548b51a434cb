import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { jobOutput } from '../shared/execution/importJobOutput';
import { readResultFile, downloadResultFile } from '../shared/execution/importResults';
import { type ImportJobRecord, jobState } from '../shared/service/importJobRecord';
import { readImportJob } from '../shared/service/importJobWait';
import type { NativeService } from '../shared/service/nativeService';
import { ServiceError } from '../shared/service/serviceErrors';
import type { JobEvent } from './watchState';

/** What the user wants of the jobs. */
export interface OutputOptions {
	results: 'none' | 'rows' | 'binary';
	/** The job's columnsToIncludeInResultsFile; any other column is an outcome. */
	includedColumns: string[];
	/** Per request. */
	timeoutSeconds: number;
}

export interface ItemSource extends OutputOptions {
	functions: IPollFunctions;
	service: NativeService;
}

/** A job's record, or why there is none. */
type ObservedJob = { record: ImportJobRecord } | { error: ServiceError | undefined };

function problemOf(service: NativeService, error: unknown): IDataObject {
	if (error instanceof ServiceError) {
		const { message, description, httpCode } = error.details;
		return { message, description, httpCode: httpCode ?? null };
	}
	const message = error instanceof Error ? error.message : String(error);
	return { message: service.redactor.text(message), description: null, httpCode: null };
}

function observedJobOutput(
	service: NativeService,
	jobId: number,
	observed: ObservedJob,
): IDataObject {
	if ('record' in observed) return jobOutput(service, jobId, observed.record);
	return {
		jobId,
		status: null,
		hasEnded: false,
		hasErrors: false,
		// Not `error`: n8n treats an item with that property as failed.
		...(observed.error && { problem: problemOf(service, observed.error) }),
	};
}

/** One item for an event, without the results of the job. */
export function buildPlainItem(
	{ service, results }: ItemSource,
	event: JobEvent,
	observed: ObservedJob,
	resultsProblem?: unknown,
): INodeExecutionData {
	const { jobId, ...reported } = event;
	const problem =
		resultsProblem === undefined ? {} : { resultsProblem: problemOf(service, resultsProblem) };
	const job = observedJobOutput(service, jobId, observed);
	return results === 'rows'
		? { json: { ...reported, jobId, ...problem, job } }
		: { json: { ...job, ...reported, ...problem } };
}

/** Whether a job may have result files: a failed one has none (service.md 2.7). */
export function mayHaveResults(record: ImportJobRecord): boolean {
	const state = jobState(record.status);
	return state === 'completed' || state === 'completedWithErrors';
}

/**
 * The items for the end of a job, with its results.
 * Throws if a result file cannot be read, so that no event is reported partially.
 * @param listed the record; a list may show jobs without their files
 */
export async function buildResultItems(
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
