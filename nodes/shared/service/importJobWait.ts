import { z } from 'zod';

import { CallCancelled, pause } from '../transport/cancellation';
import { rethrow } from '../transport/rethrow';
import { counted } from './counted';
import { endpoints } from './endpoints';
import {
	type ImportJobRecord,
	importJobRecordSchema,
	isKnownToRun,
	jobState,
} from './importJobRecord';
import type { NativeService } from './nativeService';
import { ServiceError } from './serviceErrors';

export interface WaitPlan {
	/** Milliseconds between two polls, after the quick first ones. */
	pollIntervalMs: number;
	/** Milliseconds after which the wait ends even if the job runs on. */
	maxWaitMs: number;
}

/** A sleep of the whole execution between two looks at its jobs. All times in milliseconds since 1970. */
export const sleepSchema = z.object({
	since: z.number(),
	begunAt: z.number(),
	until: z.number(),
	/** Its length in milliseconds, from which that of the next one follows. */
	sleepMs: z.number(),
});
export type Sleep = z.infer<typeof sleepSchema>;

/** n8n looks for executions to wake every minute. */
const SHORTEST_SLEEP_MS = 30_000;
const LONGEST_SLEEP_MS = 15 * 60_000;

/** The next sleep of a wait, or undefined if it has lasted too long. */
export function nextSleep(
	since: number,
	previous: Sleep | undefined,
	{ pollIntervalMs, maxWaitMs }: WaitPlan,
	now: number,
): Sleep | undefined {
	const end = since + maxWaitMs;
	if (now >= end) return undefined;
	const interval = Math.max(pollIntervalMs, SHORTEST_SLEEP_MS);
	const longest = Math.max(interval, LONGEST_SLEEP_MS);
	const sleepMs = previous
		? Math.min(nextLookDelay(previous.sleepMs, interval), longest)
		: interval;
	return { since, begunAt: now, until: Math.min(now + sleepMs, end), sleepMs };
}

export type WaitedJob =
	| { record: ImportJobRecord }
	/** With the last status of a job that had not ended. */
	| { error: unknown; isOpen?: boolean; lastStatus?: string | undefined };

/** Small jobs end within seconds, so the first polls come quickly. */
const FIRST_LOOK_MS = 1000;

/** A job may not be readable right after its start (service.md 2.7). */
const GRACE_MS = 60_000;

/** The delay before the next poll: doubles up to the poll interval, then grows slowly to four times it. */
export function nextLookDelay(previousMs: number, pollIntervalMs: number): number {
	return previousMs < pollIntervalMs
		? Math.min(previousMs * 2, pollIntervalMs)
		: Math.min(previousMs * 1.25, pollIntervalMs * 4);
}

export async function readImportJob(
	service: NativeService,
	jobId: number,
): Promise<ImportJobRecord> {
	return await service.read(endpoints.getBulkImportJob, { path: { jobId } }, importJobRecordSchema);
}

/** Some deployments lack the list of jobs, which follows the general conventions only (service.md 1.1). */
export function addNoListHint(error: ServiceError, advice: string): ServiceError {
	if (![404, 405].some((status) => status === error.details.httpCode)) return error;
	const message = 'This deployment of the service has no list of import jobs';
	return error.with({ message, description: advice });
}

/** Each read starts in its own turn of the event loop: hundreds in one turn would block n8n. */
export async function readConcurrently<T>(
	{ clock }: NativeService,
	jobs: readonly T[],
	read: (job: T) => Promise<void>,
): Promise<void> {
	let turn = Promise.resolve();
	await Promise.all(
		jobs.map(async (job) => {
			turn = turn.then(async () => await clock.sleep(0));
			await turn;
			await read(job);
		}),
	);
}

function isNotFound(error: unknown): boolean {
	return error instanceof ServiceError && error.details.httpCode === 404;
}

/** Whether a later poll may succeed. */
export function mayPass(error: unknown, waitedMs = Infinity): error is ServiceError {
	if (isNotFound(error)) return waitedMs < GRACE_MS;
	return error instanceof ServiceError && error.details.replayable;
}

function notEnded(
	{ jobId, lastStatus: status, lastError }: PolledJob,
	waitedMs: number,
): ServiceError {
	const minutes = Math.round(waitedMs / 6000) / 10;
	const ends = isKnownToRun(status) ? 'has not ended' : 'is not known to have ended';
	return new ServiceError({
		jobId,
		message: `Import job ${jobId} ${ends} after ${counted(minutes, 'minute')}; its last status was ${status?.trim() || 'blank'}`,
		description: `The job may still run.${lastError ? ` The last check failed: ${lastError.message}.` : ''} Do not start it again: use the operation "Wait" with job ID ${jobId} later, or raise Max Wait (Minutes).`,
		replayable: true,
	});
}

interface PolledJob {
	jobId: number;
	delayMs: number;
	dueAt: number;
	end?: WaitedJob;
	lastStatus?: string;
	lastError?: ServiceError;
	/** Since when a job that was readable is not. */
	lostAt?: number | undefined;
}

/** @param waitedMs how long the job has been waited for before it is polled */
async function pollJob(
	service: NativeService,
	job: PolledJob,
	start: number,
	waitedMs: number,
): Promise<void> {
	const { clock } = service;
	try {
		const record = await readImportJob(service, job.jobId);
		job.lostAt = undefined;
		delete job.lastError;
		job.lastStatus = record.status ?? '';
		if (jobState(record.status) !== 'running') job.end = { record };
	} catch (error) {
		const wasReadable = waitedMs > 0 || job.lastStatus !== undefined;
		job.lostAt = wasReadable && isNotFound(error) ? (job.lostAt ?? clock.now()) : undefined;
		if (mayPass(error, clock.now() - (job.lostAt ?? start))) job.lastError = error;
		else if (error instanceof CallCancelled) rethrow(error);
		else job.end = { error };
	}
}

/**
 * Polls all jobs in turn until each has ended or the time is over. A fault of the service does not end the
 * wait; a rejection (401, 403, 404 for a minute) does.
 * @param waitedMs how long the jobs have been waited for before
 * @param pollMs how long to poll; every job is polled once at least, and one that is lost until it is found
 * or given up
 * @returns the end of each job by its ID; jobs that have not ended as errors
 * @throws CallCancelled when the execution is cancelled
 */
export async function waitForJobs(
	service: NativeService,
	jobIds: readonly number[],
	plan: WaitPlan,
	waitedMs = 0,
	pollMs = plan.maxWaitMs - waitedMs,
): Promise<Map<number, WaitedJob>> {
	const { clock, signal } = service;
	const pollUntil = clock.now() + pollMs;
	const start = clock.now() - waitedMs;
	const delayMs = Math.min(FIRST_LOOK_MS, plan.pollIntervalMs);
	const jobs = [...new Set(jobIds)].map(
		(jobId): PolledJob => ({ jobId, delayMs, dueAt: clock.now() }),
	);
	let open = jobs;
	while (open.length > 0) {
		const now = clock.now();
		const due = open.filter(({ dueAt }) => dueAt <= now);
		await readConcurrently(service, due, async (job) => {
			await pollJob(service, job, start, waitedMs);
			job.dueAt = clock.now() + job.delayMs;
			job.delayMs = nextLookDelay(job.delayMs, plan.pollIntervalMs);
		});
		open = open.filter(({ end }) => !end);
		const end = open.some(({ lostAt }) => lostAt !== undefined) ? Infinity : pollUntil;
		if (open.length === 0 || clock.now() >= end) break;
		const nextDue = Math.min(...open.map(({ dueAt }) => dueAt), end);
		await pause(clock, Math.max(0, nextDue - clock.now()), signal);
	}
	const waited = clock.now() - start;
	return new Map(
		jobs.map((job): [number, WaitedJob] => {
			const { jobId, end, lastStatus, lastError } = job;
			const fault = lastStatus === undefined ? lastError : undefined;
			const error = fault ?? notEnded(job, waited);
			return [jobId, end ?? { error, isOpen: true, lastStatus }];
		}),
	);
}
