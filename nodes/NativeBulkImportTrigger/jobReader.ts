import { endpoints } from '../shared/service/endpoints';
import { type ImportJobRecord, importJobRecordSchema } from '../shared/service/importJobRecord';
import { addNoListHint, readImportJob } from '../shared/service/importJobWait';
import { MOST_EMPTY_PAGES } from '../shared/service/listPages';
import type { NativeService } from '../shared/service/nativeService';
import { wholeId } from '../shared/service/bodySchema';
import { ServiceError } from '../shared/service/serviceErrors';
import { rethrow } from '../shared/transport/rethrow';
import { jobsToRead, type Watch, type WatchState } from './watchState';

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

/** A job's record, or why there is none. */
export type ReadJob = { record: ImportJobRecord } | { error: ServiceError };

/** What a poll read, by job ID. */
export type ReadJobs = Map<number, ReadJob>;

interface JobsRead {
	jobs: ReadJobs;
	/** The last job that was read by its ID. */
	lastRead?: number;
	/** Link of the page of the list with which the next poll goes on; undefined if the list ended. */
	listFrom?: string;
	/** The error that cut the list short. */
	listFailure?: ServiceError;
}

/** Whether an error is a fault of the service and says nothing about the job. */
function isFault({ details: { httpCode } }: ServiceError): boolean {
	return httpCode === undefined || [401, 408, 429].includes(httpCode) || httpCode >= 500;
}

/**
 * Reads jobs in the given order, several at a time, until the poll has used its share of the rate.
 * An unreadable job does not stop the others; a service that keeps failing does.
 */
async function readJobs(service: NativeService, jobIds: number[]): Promise<JobsRead> {
	const queue = jobIds.slice(0, MOST_READS);
	const end = service.clock.now() + READING_MS;
	const read: JobsRead = { jobs: new Map() };
	let faultsInARow = 0;
	const reader = async (): Promise<void> => {
		while (service.clock.now() < end && faultsInARow < MOST_FAULTS) {
			const jobId = queue.shift();
			if (jobId === undefined) return;
			read.lastRead = jobId;
			try {
				read.jobs.set(jobId, { record: await readImportJob(service, jobId) });
				faultsInARow = 0;
			} catch (error) {
				if (!(error instanceof ServiceError)) rethrow(error);
				read.jobs.set(jobId, { error });
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

const NO_LIST_ADVICE =
	'Set Watch to "Specific Jobs" and enter the IDs of the jobs. "Create" of the node Native Bulk Import returns them.';

/** Adds the jobs of a page; entries that are no jobs are left out. Returns whether any was new. */
function addJobs(jobs: ReadJobs, entries: unknown[]): boolean {
	const before = jobs.size;
	for (const entry of entries) {
		const { data } = importJobRecordSchema.safeParse(entry);
		// The record is undocumented; the response to its creation calls this number jobId.
		const jobId = wholeId(data?.id ?? data?.jobId);
		if (data && jobId !== undefined) jobs.set(jobId, { record: data });
	}
	return jobs.size > before;
}

/**
 * Reads the list of jobs, as far as one poll may.
 * @param from where the poll before stopped; the first page comes first in any case, because the
 * newest jobs may be there
 */
async function listJobs(service: NativeService, from: string | undefined): Promise<JobsRead> {
	const jobs: ReadJobs = new Map();
	const end = service.clock.now() + LISTING_MS;
	let link: string | undefined;
	let emptyPages = 0;
	try {
		for (let pages = 0; pages < MOST_PAGES && service.clock.now() < end; pages++) {
			const page = await service.readPage(endpoints.listBulkImportJobs, { path: {} }, link);
			const hasNew = addJobs(jobs, page.items);
			const following: string | undefined = page.nextPageLink ?? undefined;
			emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
			// Some lists go on for ever with the same jobs, or without any.
			const isEnd = !hasNew && (emptyPages === 0 || emptyPages > MOST_EMPTY_PAGES);
			if (following === undefined || isEnd) return { jobs };
			link = link === undefined ? (from ?? following) : following;
		}
	} catch (error) {
		if (!(error instanceof ServiceError)) rethrow(error);
		if (link === undefined)
			return { jobs, listFrom: from, listFailure: addNoListHint(error, NO_LIST_ADVICE) };
		// A link that the service no longer accepts would fail in every poll.
		if (link === from && !isFault(error)) return await listJobs(service, undefined);
		return { jobs, listFrom: link, listFailure: error };
	}
	return { jobs, listFrom: link };
}

/** Whether a rejection concerns only this job. */
function isAboutJob(error: ServiceError, hasReadBefore: boolean): boolean {
	const { httpCode = 0 } = error.details;
	return httpCode === 404 || (httpCode >= 400 && !isFault(error) && hasReadBefore);
}

export function errorsIn(jobs: ReadJobs): ServiceError[] {
	return [...jobs.values()].flatMap((read) => ('error' in read ? read.error : []));
}

/** Throws the service's error if no job could be read. */
function throwIfNothingRead({ jobs }: JobsRead, state: WatchState): void {
	const errors = errorsIn(jobs);
	const [first] = errors;
	if (!first || errors.length < jobs.size) return;
	const hasReadBefore =
		state.ended.length > 0 || Object.values(state.open).some(({ status }) => status !== undefined);
	if (!errors.some((error) => isAboutJob(error, hasReadBefore))) throw first;
}

/** Throws ServiceError if nothing could be read. */
export async function readWatchedJobs(
	service: NativeService,
	watch: Watch,
	state: WatchState,
): Promise<JobsRead> {
	if (watch.jobIds) {
		const read = await readJobs(service, jobsToRead(state, watch));
		throwIfNothingRead(read, state);
		return read;
	}
	const { jobs, ...list } = await listJobs(service, state.listFrom);
	// Do not initialise from a partial list: missing jobs would look new later.
	if (list.listFailure && (!state.begun || jobs.size === 0)) throw list.listFailure;
	const hasStatus = (read: ReadJob) => 'record' in read && Boolean(read.record.status);
	if (jobs.size > 0 && ![...jobs.values()].some(hasStatus))
		throw new ServiceError({
			message: 'The list of jobs of the service does not say which of them have ended',
			description: 'Set Watch to "Specific Jobs", whose status is read one by one.',
		});
	const missing = list.listFailure ? [] : jobsToRead(state, watch, new Set(jobs.keys()));
	const read = await readJobs(service, missing);
	return { ...list, ...read, jobs: new Map([...read.jobs, ...jobs]) };
}
