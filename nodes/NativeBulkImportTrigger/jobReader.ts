import type { ImportJobRecord } from '../shared/service/importJobRecord';
import { readImportJob } from '../shared/service/importJobWait';
import type { NativeService } from '../shared/service/nativeService';
import { ServiceError } from '../shared/service/serviceErrors';
import { rethrow } from '../shared/transport/rethrow';
import { isFault, type JobList, listJobs } from './jobList';
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
	lastRead?: number | undefined;
	/** The list, if all jobs are watched. */
	list?: JobList;
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

/** Reads the list, and by their IDs the jobs that it does not show or does not say enough about. */
async function readAllJobs(
	service: NativeService,
	watch: Watch,
	state: WatchState,
): Promise<JobsRead> {
	const list = await listJobs(service, state);
	const jobs: ReadJobs = new Map();
	for (const [jobId, record] of list.records) jobs.set(jobId, { record });
	if (jobs.size === 0 && list.unclear.size > 0 && ![...list.unclear.values()].some(Boolean))
		throw new ServiceError({
			message: "The service's list of jobs does not say which of them have ended",
			description: 'Set Watch to "Specific Jobs". The node then reads the status of each job.',
		});
	// Before the beginning, unknown jobs have no events that would need the whole record.
	for (const [jobId, status] of list.unclear)
		if (status !== undefined && !state.begun && !state.open[jobId])
			jobs.set(jobId, { record: { id: jobId, status } });
	const toRead = jobsToRead(state, watch, new Set(jobs.keys()), list.unclear.keys());
	const { jobs: byId, lastRead } = await readJobs(service, toRead);
	for (const [jobId, job] of byId) jobs.set(jobId, job);
	// The next poll reads the same pages, for the jobs that had to wait.
	const hasUnread = toRead.some((jobId) => !jobs.has(jobId) && !state.open[jobId]);
	const read = hasUnread ? { ...list, sweep: state.sweep, isWhole: false } : list;
	return { jobs, lastRead, list: read };
}

/** Throws ServiceError if nothing could be read. */
export async function readWatchedJobs(
	service: NativeService,
	watch: Watch,
	state: WatchState,
): Promise<JobsRead> {
	if (!watch.jobIds) return await readAllJobs(service, watch, state);
	const read = await readJobs(service, jobsToRead(state, watch));
	throwIfNothingRead(read, state);
	return read;
}
