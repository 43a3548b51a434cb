import { CallCancelled, pause } from '../transport/cancellation';
import { rethrow } from '../transport/rethrow';
import { endpoints } from './endpoints';
import { importJobError } from './importJobErrors';
import { type ImportJobRecord, importJobRecordSchema, jobState } from './importJobRecord';
import type { NativeService } from './nativeService';
import { ServiceError } from './serviceErrors';

export interface WaitPlan {
	/** Milliseconds between two polls, after the quick first ones. */
	pollIntervalMs: number;
	/** Milliseconds after which the wait ends even if the job runs on. */
	maxWaitMs: number;
}

/** Result of waiting for one job: its record, or why there is none. */
export type WaitedJob = { record: ImportJobRecord } | { error: unknown };

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

/**
 * Reads jobs concurrently. Each read starts in its own turn of the event loop: hundreds in one turn
 * would block n8n.
 */
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

/** Whether a later poll may succeed. */
export function mayPass(error: unknown, waitedMs: number): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	const { httpCode } = error.details;
	if (httpCode === 404) return waitedMs < GRACE_MS;
	return error.details.replayable;
}

function notEnded(jobId: number, waitedMs: number, status: string | undefined): ServiceError {
	const minutes = Math.round(waitedMs / 6000) / 10;
	return importJobError(jobId, {
		message: `Import job ${jobId} has not ended after ${minutes} minutes; its last status was ${status ?? 'not readable'}`,
		description: `The job keeps running. Do not start it again: use the operation "Wait" with job ID ${jobId} later, or raise Max Wait (Minutes).`,
		replayable: true,
	});
}

interface OpenJob {
	jobId: number;
	delayMs: number;
	dueAt: number;
	lastStatus: string | undefined;
	lastError: ServiceError | undefined;
}

/**
 * Polls all jobs in turn until each has ended or the wait has lasted too long. A fault of the service
 * does not end the wait; a rejection (401, 403, 404 past the first minute) does.
 * @returns the end of each job by its id
 * @throws CallCancelled when the execution is cancelled
 */
export async function waitForJobs(
	service: NativeService,
	jobIds: number[],
	plan: WaitPlan,
): Promise<Map<number, WaitedJob>> {
	const { clock, signal } = service;
	const start = clock.now();
	const ended = new Map<number, WaitedJob>();
	const firstDelay = Math.min(FIRST_LOOK_MS, plan.pollIntervalMs);
	let open: OpenJob[] = [...new Set(jobIds)].map((jobId) => ({
		jobId,
		delayMs: firstDelay,
		dueAt: start,
		lastStatus: undefined,
		lastError: undefined,
	}));

	const look = async (job: OpenJob): Promise<void> => {
		try {
			const record = await readImportJob(service, job.jobId);
			job.lastStatus = record.status ?? undefined;
			if (jobState(record.status) !== 'running') ended.set(job.jobId, { record });
		} catch (error) {
			if (mayPass(error, clock.now() - start)) job.lastError = error;
			else if (error instanceof CallCancelled) rethrow(error);
			else ended.set(job.jobId, { error });
		}
		job.dueAt = clock.now() + job.delayMs;
		job.delayMs = nextLookDelay(job.delayMs, plan.pollIntervalMs);
	};

	while (open.length > 0) {
		const now = clock.now();
		const due = open.filter(({ dueAt }) => dueAt <= now);
		await readConcurrently(service, due, look);
		open = open.filter(({ jobId }) => !ended.has(jobId));
		const waited = clock.now() - start;
		if (waited >= plan.maxWaitMs) {
			for (const { jobId, lastStatus, lastError } of open) {
				ended.set(jobId, {
					error:
						lastStatus === undefined && lastError ? lastError : notEnded(jobId, waited, lastStatus),
				});
			}
			return ended;
		}
		if (open.length === 0) break;
		const nextDue = Math.min(...open.map(({ dueAt }) => dueAt), start + plan.maxWaitMs);
		await pause(clock, Math.max(0, nextDue - clock.now()), signal);
	}
	return ended;
}
