import { endpoints } from '../shared/service/endpoints';
import { type ImportJobRecord, importJobRecordSchema } from '../shared/service/importJobRecord';
import { addNoListHint, readImportJob } from '../shared/service/importJobWait';
import type { NativeService } from '../shared/service/nativeService';
import { wholeId } from '../shared/service/bodySchema';
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
export function isFault({ details: { httpCode } }: ServiceError): boolean {
	return httpCode === undefined || [401, 408, 429].includes(httpCode) || httpCode >= 500;
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

/** Pages of the list per poll, with 200 jobs each; the next poll goes on behind them. */
const MOST_PAGES = 50;

/** Half of the time of a poll: afterwards, open jobs are read one by one. */
const LISTING_MS = READING_MS / 2;

/** What a poll read of the service's list of jobs. */
interface JobList {
	records: Map<number, ImportJobRecord>;
	/** The error that cut it short, if any. */
	failure: ServiceError | undefined;
	/** Link of the page with which the next poll goes on; undefined if the list ended. */
	next: string | undefined;
}

const NO_LIST_ADVICE =
	'Set Watch to "Specific Jobs" and enter the IDs of the jobs. "Create" of the node Native Bulk Import returns them.';

/** Adds the jobs of a page; entries that are no jobs are left out. Returns whether any was new. */
function addJobs(records: JobList['records'], entries: unknown[]): boolean {
	const before = records.size;
	for (const entry of entries) {
		const { data } = importJobRecordSchema.safeParse(entry);
		// The record is undocumented; the response to its creation calls this number jobId.
		const jobId = wholeId(data?.id ?? data?.jobId);
		if (data && jobId !== undefined) records.set(jobId, data);
	}
	return records.size > before;
}

/**
 * Reads the list of jobs, as far as one poll may.
 * @param from where the poll before stopped; the first page comes first in any case, because the
 * newest jobs may be there
 */
export async function listJobs(service: NativeService, from: string | undefined): Promise<JobList> {
	const list: JobList = { records: new Map(), failure: undefined, next: from };
	const end = service.clock.now() + LISTING_MS;
	let link: string | undefined;
	try {
		for (let pages = 0; pages < MOST_PAGES && service.clock.now() < end; pages++) {
			const page = await service.readPage(endpoints.listBulkImportJobs, { path: {} }, link);
			const hasNew = addJobs(list.records, page.items);
			const { nextPageLink } = page;
			const following: string | undefined = nextPageLink ?? undefined;
			link = link === undefined && following !== undefined ? (from ?? following) : following;
			list.next = link;
			// Some lists go on for ever with the same jobs.
			if (link === undefined || !hasNew) return { ...list, next: undefined };
		}
	} catch (error) {
		if (!(error instanceof ServiceError)) rethrow(error);
		// A link that the service no longer accepts would fail in every poll.
		if (from !== undefined && link === from && !isFault(error))
			return await listJobs(service, undefined);
		return { ...list, failure: link === undefined ? addNoListHint(error, NO_LIST_ADVICE) : error };
	}
	return list;
}
