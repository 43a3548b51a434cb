import { endpoints } from '../shared/service/endpoints';
import { type ImportJobRecord, importJobRecordSchema } from '../shared/service/importJobRecord';
import { readImportJob } from '../shared/service/importJobWait';
import type { NativeService } from '../shared/service/nativeService';
import { wholeId } from '../shared/service/recordId';
import { ServiceError } from '../shared/service/serviceErrors';
import { rethrow } from '../shared/transport/rethrow';

/** Jobs per poll. */
const MOST_READS = 100;

/**
 * A poll starts no further read after this time. Half of n8n's shortest poll interval, so that a poll
 * takes at most half of the key's Low rate and ends before the next.
 */
const READING_MS = 30_000;

/** Concurrent reads; calls of other nodes queue behind no more than these. */
const PARALLEL_READS = 4;

/** After this many consecutive faults, the rest waits for the next poll. */
const MOST_FAULTS = 5;

export interface JobsRead {
	records: Map<number, ImportJobRecord>;
	/** Why a requested job has no record. */
	failures: Map<number, ServiceError>;
	/** The last job requested. */
	lastRead: number | undefined;
}

/** Whether an error is a fault of the service and says nothing about the job. */
function isFault({ details: { httpCode } }: ServiceError): boolean {
	return httpCode === undefined || httpCode === 401 || httpCode === 429 || httpCode >= 500;
}

/**
 * Reads jobs in the given order, several at a time, until the poll has used its share of the rate.
 * An unreadable job does not stop the others; a service that keeps failing does.
 */
export async function readJobs(service: NativeService, jobIds: number[]): Promise<JobsRead> {
	const queue = jobIds.slice(0, MOST_READS);
	const end = service.clock.now() + READING_MS;
	const read: JobsRead = { records: new Map(), failures: new Map(), lastRead: undefined };
	let faultsInARow = 0;
	const reader = async (): Promise<void> => {
		while (service.clock.now() < end && faultsInARow < MOST_FAULTS) {
			const jobId = queue.shift();
			if (jobId === undefined) return;
			read.lastRead = jobId;
			try {
				read.records.set(jobId, await readImportJob(service, jobId));
				faultsInARow = 0;
			} catch (error) {
				if (!(error instanceof ServiceError)) rethrow(error);
				read.failures.set(jobId, error);
				faultsInARow = isFault(error) ? faultsInARow + 1 : 0;
			}
		}
	};
	await Promise.all(Array.from({ length: PARALLEL_READS }, reader));
	return read;
}

/** The service's list of jobs, with the error that cut it short, if any. */
interface JobList {
	records: Map<number, ImportJobRecord>;
	failure: ServiceError | undefined;
}

/** The list of jobs follows the general conventions only (service.md 1.1); some deployments lack it. */
function addListHint(error: ServiceError): ServiceError {
	if (![404, 405].includes(error.details.httpCode ?? 0)) return error;
	return error.with({
		message: 'This deployment of the service has no list of import jobs',
		description:
			'Set Watch to "Specific Jobs" and enter the IDs of the jobs. "Create" of the node Native Bulk Import returns them.',
	});
}

/** Entries that are no jobs are left out. */
export async function listJobs(service: NativeService): Promise<JobList> {
	const list: JobList = { records: new Map(), failure: undefined };
	try {
		for await (const entry of service.list(endpoints.listBulkImportJobs, { path: {} })) {
			const { data } = importJobRecordSchema.safeParse(entry);
			// The record is undocumented; the response to its creation calls this number jobId.
			const jobId = wholeId(data?.id ?? data?.jobId);
			if (data && jobId !== undefined) list.records.set(jobId, data);
		}
	} catch (error) {
		if (!(error instanceof ServiceError)) rethrow(error);
		list.failure = addListHint(error);
	}
	return list;
}
