import { pick } from 'lodash';
import { z } from 'zod';

import { jobState } from '../shared/service/importJobRecord';

/** `statusChanged` is every change that no other event reports. */
export const jobEventNames = [
	'completed',
	'completedWithErrors',
	'failed',
	'statusChanged',
	'unreadable',
] as const;

export type JobEventName = (typeof jobEventNames)[number];

export interface Watch {
	/** Identifies the set of jobs: a state of another scope is discarded. */
	scope: string;
	/** Undefined for all jobs the service lists. */
	jobIds: number[] | undefined;
	events: ReadonlySet<JobEventName>;
}

const openJobSchema = z.object({
	/** The last status reported or skipped; missing until one was read. */
	status: z.string().optional(),
	/** Since when the job cannot be read, in milliseconds since 1970. */
	unreadableSince: z.number().optional(),
	/** The job was reported as unreadable, which happens once. */
	reported: z.literal(true).optional(),
	/** Since when the job has ended without readable results, in milliseconds since 1970. */
	resultsMissingSince: z.number().optional(),
});

const watchStateSchema = z.object({
	version: z.literal(1),
	scope: z.string(),
	/** Whether the jobs that existed at the start are known. Used only if all jobs are watched. */
	begun: z.boolean(),
	/** Jobs that have not ended, by ID. */
	open: z.record(z.string(), openJobSchema),
	/** IDs of jobs whose end was reported or skipped, ascending. */
	ended: z.array(z.number()),
	/** Jobs with an ID up to this one have ended, unless they are open. */
	historyUpTo: z.number(),
	/** The job read last; the next poll continues after it. */
	lastRead: z.number(),
	/** Link of the page of the service's list with which the next poll goes on. */
	listFrom: z.string().optional(),
});

type OpenJob = z.infer<typeof openJobSchema>;

/** State between polls. Plain JSON: n8n saves it with the workflow. */
export type WatchState = z.infer<typeof watchStateSchema>;

export type Observation =
	| { kind: 'read'; jobId: number; status: string | null | undefined }
	/** The service responded to other requests but did not return this job. */
	| { kind: 'unreadable'; jobId: number }
	/** The job has ended, but its results cannot be read yet. */
	| { kind: 'withoutResults'; jobId: number };

export interface JobEvent {
	jobId: number;
	event: JobEventName;
	/** Null if no status was read before. */
	previousStatus: string | null;
}

/**
 * A job may not be readable right after its start (service.md 2.7), and a file host may be down for a
 * moment: report only what lasts this long.
 */
export const GRACE_MS = 10 * 60_000;

/** Ended jobs remembered one by one if all jobs are watched; 500 IDs are about 5 kB. */
const MOST_REMEMBERED = 500;

/** Enough to distinguish statuses; keeps the state small whatever the service returns. */
const STATUS_LENGTH = 40;

/** The saved state without jobs no longer watched; a new one if none fits the scope. */
export function restoreState(saved: unknown, { scope, jobIds }: Watch): WatchState {
	const known = watchStateSchema.safeParse(saved).data;
	if (known?.scope !== scope)
		return { version: 1, scope, begun: false, open: {}, ended: [], historyUpTo: 0, lastRead: 0 };
	if (!jobIds) return known;
	const watched = new Set(jobIds);
	const { open, ended } = known;
	return {
		...known,
		open: Object.fromEntries(Object.entries(open).filter(([id]) => watched.has(Number(id)))),
		ended: ended.filter((id) => watched.has(id)),
	};
}

/**
 * The jobs to read one by one, in order.
 * @param listed jobs that this poll found in the service's list
 */
export function jobsToRead(
	state: WatchState,
	watch: Watch,
	listed: ReadonlySet<number> = new Set(),
): number[] {
	const ended = new Set(state.ended);
	const jobIds = (watch.jobIds ?? Object.keys(state.open).map(Number))
		.filter((jobId) => !ended.has(jobId) && !listed.has(jobId))
		.sort((a, b) => a - b);
	const next = jobIds.findIndex((jobId) => jobId > state.lastRead);
	return next < 0 ? jobIds : [...jobIds.slice(next), ...jobIds.slice(0, next)];
}

/** Restarts if the clock was set back. */
function since(remembered: number | undefined, now: number): number {
	return remembered === undefined || remembered > now ? now : remembered;
}

/** Whether to report the end of a job whose results have been missing for too long. */
export function goesWithoutResults(state: WatchState, jobId: number, now: number): boolean {
	const start = state.open[jobId]?.resultsMissingSince;
	return start !== undefined && now - start >= GRACE_MS;
}

/** The event of a job's status, if it is wanted. */
export function statusEvent(
	status: string,
	events: ReadonlySet<JobEventName>,
): JobEventName | undefined {
	const state = jobState(status);
	if (state !== 'running' && events.has(state)) return state;
	return events.has('statusChanged') ? 'statusChanged' : undefined;
}

/** `In Progress` and `inprogress` are the same status. */
function isSameStatus(one: string, other: string): boolean {
	const word = (status: string) =>
		status
			.slice(0, STATUS_LENGTH)
			.replace(/[^\p{L}\p{N}]/gu, '')
			.toLowerCase();
	return word(one) === word(other);
}

/** The ended jobs to remember; if all jobs are watched, the oldest become history. */
function remembered(
	ended: ReadonlySet<number>,
	{ historyUpTo }: WatchState,
	{ jobIds }: Watch,
): Pick<WatchState, 'ended' | 'historyUpTo'> {
	const ascending = [...ended].sort((a, b) => a - b);
	const surplus = jobIds ? 0 : Math.max(0, ascending.length - MOST_REMEMBERED);
	const forgotten = ascending.splice(0, surplus);
	return { ended: ascending, historyUpTo: Math.max(historyUpTo, forgotten.at(-1) ?? 0) };
}

/** A job after one observation of it, and the event that is to be reported. */
interface ObservedJob {
	/** Undefined for a job that is no longer open. */
	job?: OpenJob;
	hasEnded?: boolean;
	event?: JobEventName | undefined;
}

function afterUnreadable(known: OpenJob | undefined, watch: Watch, now: number): ObservedJob {
	const unreadableSince = since(known?.unreadableSince, now);
	if (now - unreadableSince < GRACE_MS || known?.reported)
		return { job: { ...known, unreadableSince } };
	const event = watch.events.has('unreadable') ? 'unreadable' : undefined;
	// If the job comes back, the service's list shows it again.
	return watch.jobIds ? { job: { ...known, unreadableSince, reported: true }, event } : { event };
}

function afterObservation(
	observation: Observation,
	known: OpenJob | undefined,
	watch: Watch,
	now: number,
): ObservedJob {
	if (observation.kind === 'unreadable') return afterUnreadable(known, watch, now);
	const readable: OpenJob = pick(known, 'status', 'reported');
	if (observation.kind === 'withoutResults')
		return { job: { ...readable, resultsMissingSince: since(known?.resultsMissingSince, now) } };
	const status = observation.status ?? '';
	const isNews =
		status !== '' && (known?.status === undefined || !isSameStatus(status, known.status));
	const event = isNews ? statusEvent(status, watch.events) : undefined;
	if (jobState(status) !== 'running') return { hasEnded: true, event };
	return { job: { ...readable, ...(isNews && { status: status.slice(0, STATUS_LENGTH) }) }, event };
}

/**
 * The events of a poll, and the state after it. If all jobs are watched, nothing is reported of those found
 * before the list was read to its end: they existed before.
 * @param now milliseconds since 1970
 * @param isListRead whether this poll reached the end of the service's list
 */
export function afterObservations(
	before: WatchState,
	watch: Watch,
	observations: Observation[],
	now: number,
	isListRead = true,
): { state: WatchState; events: JobEvent[] } {
	const open = { ...before.open };
	const ended = new Set(before.ended);
	const isSilent = !watch.jobIds && !before.begun;
	const events: JobEvent[] = [];
	for (const observation of observations) {
		const { jobId } = observation;
		const known = open[jobId];
		if (ended.has(jobId)) continue;
		const { job, hasEnded, event } = afterObservation(observation, known, watch, now);
		if (hasEnded && !watch.jobIds && !known && jobId <= before.historyUpTo) continue;
		if (event !== undefined && (known || !isSilent))
			events.push({ jobId, event, previousStatus: known?.status ?? null });
		if (job) open[jobId] = job;
		else delete open[jobId];
		if (hasEnded) ended.add(jobId);
	}
	const begun = before.begun || isListRead;
	return { state: { ...before, begun, open, ...remembered(ended, before, watch) }, events };
}

/** Back-off after polls that could read nothing. */
const pollPauseSchema = z.object({
	/** Consecutive polls that could read nothing. */
	failures: z.number(),
	/** When to poll again, in milliseconds since 1970. */
	until: z.number(),
});

type PollPause = z.infer<typeof pollPauseSchema>;

const FIRST_PAUSE_MS = 2 * 60_000;

/** Longest delay of an event after the service is back. */
export const LONGEST_PAUSE_MS = 5 * 60_000;

function pauseOf(saved: unknown): PollPause | undefined {
	return pollPauseSchema.safeParse(saved).data;
}

/** Whether to skip this poll; a clock that was set back ends the pause. */
export function isPaused(saved: unknown, now: number): boolean {
	const left = (pauseOf(saved)?.until ?? now) - now;
	return left > 0 && left <= LONGEST_PAUSE_MS;
}

/** The pause after another failed poll. The first failure has none. */
export function nextPause(saved: unknown, now: number): PollPause {
	const failures = (pauseOf(saved)?.failures ?? 0) + 1;
	const pauseMs =
		failures === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 2));
	return { failures, until: now + pauseMs };
}
