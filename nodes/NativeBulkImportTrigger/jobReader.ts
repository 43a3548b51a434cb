import { endpoints } from '../shared/service/endpoints';
import { type ImportJobRecord, importJobRecordSchema } from '../shared/service/importJobRecord';
import { readImportJob } from '../shared/service/importJobWait';
import type { NativeService } from '../shared/service/nativeService';
import { wholeId } from '../shared/service/recordId';
import { ServiceError } from '../shared/service/serviceErrors';
import { rethrow } from '../shared/transport/rethrow';

/** The most jobs one poll reads one by one. */
const MOST_READS = 100;

/**
 * How long a poll begins to read jobs, in milliseconds. Half of the shortest poll interval of n8n, so
 * that a poll takes at most half of the key's Low rate and ends before the next one is due.
 */
const READING_MS = 30_000;

/** Reads that wait for their turn together; calls of other nodes queue behind no more than these. */
const PARALLEL_READS = 4;

/** After so many faults of the service one after the other, the rest is left to the next poll. */
const MOST_FAULTS = 5;

/** The outcome of reading jobs one by one. */
export interface JobsRead {
	records: Map<number, ImportJobRecord>;
	/** Why there is no record, for jobs that were asked for. */
	failures: Map<number, ServiceError>;
	/** The last job that was asked for; undefined for none. */
	lastRead: number | undefined;
}

/** Whether a response says nothing about the job that was asked for. */
function isFault({ details: { httpCode } }: ServiceError): boolean {
	return httpCode === undefined || httpCode === 401 || httpCode === 429 || httpCode >= 500;
}

/**
 * Reads jobs in the given order, several at a time, until the poll has had its share of the rate.
 * A job that cannot be read stops no other one; a service that fails again and again does.
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

/** The jobs of the service's list, with the error that cut it short, if one did. */
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

/** Reads the list of jobs. Entries that are no jobs are left out. */
export async function listJobs(service: NativeService): Promise<JobList> {
	const list: JobList = { records: new Map(), failure: undefined };
	try {
		for await (const entry of service.list(endpoints.listBulkImportJobs, { path: {} })) {
			const { data } = importJobRecordSchema.safeParse(entry);
			// The contract does not show the record; its creation calls the same number jobId.
			const jobId = wholeId(data?.id ?? data?.jobId);
			if (data && jobId !== undefined) list.records.set(jobId, data);
		}
	} catch (error) {
		if (!(error instanceof ServiceError)) rethrow(error);
		list.failure = addListHint(error);
	}
	return list;
}
