import { omit, pick, pickBy } from 'lodash';
import { z } from 'zod';

import { isKnownToRun, jobState } from '../shared/service/importJobRecord';
import { membership, withFewerRuns, withIds } from './idRanges';

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
	/** Since when the job shows the same unknown status, in milliseconds since 1970. */
	unknownSince: z.number().optional(),
	/** The job was reported as unreadable, which happens once. */
	reported: z.literal(true).optional(),
	/** Since when the job has ended without readable results, in milliseconds since 1970. */
	resultsMissingSince: z.number().optional(),
});

const sweepSchema = z.object({
	/** Link of the page with which the next poll continues. */
	from: z.string(),
	/** Entries on the pages before. */
	entries: z.number(),
	/** The most entries that the service said the list has; 0 if it did not say. */
	count: z.number().default(0),
});

/** One reading of the service's list of jobs from its first page to its end, over several polls. */
export type Sweep = z.infer<typeof sweepSchema>;

const watchStateSchema = z.object({
	version: z.literal(1),
	scope: z.string(),
	/** Whether the jobs that existed at the start are known. Used only if all jobs are watched. */
	begun: z.boolean(),
	/** Jobs that have not ended, by ID. */
	open: z.record(z.string(), openJobSchema),
	/** IDs of jobs whose end was reported or skipped, as ranges. Open jobs may be among them. */
	ended: z.array(z.number()),
	/** The job read last; the next poll continues after it. */
	lastRead: z.number(),
	/** Until `begun`: the first page of the list as it was first read. */
	front: z.array(z.number()).optional(),
	/** The unfinished sweep over the list. */
	sweep: sweepSchema.optional(),
	/** Consecutive polls in which a sweep failed or ended early. */
	listFailures: z.number(),
});

type OpenJob = z.infer<typeof openJobSchema>;

/** State between polls. Plain JSON: n8n saves it with the workflow. */
export type WatchState = z.infer<typeof watchStateSchema>;

export type Observation =
	| {
			kind: 'read';
			jobId: number;
			status: string | null | undefined;
			/** The list did not have the job when it was first read. */
			isNew?: boolean;
	  }
	/** The service responded to other requests but did not return this job. */
	| { kind: 'unreadable'; jobId: number; mayBeListed?: boolean }
	/** The job has ended, but its results have not been tried yet. */
	| { kind: 'queued'; jobId: number }
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

/** A status that the contract does not have may be an end: report one that lasts this long. */
export const UNKNOWN_STATUS_MS = 6 * 60 * 60_000;

/** Ranges of ended jobs remembered if all jobs are watched; at most 20 kB. */
const MOST_RANGES = 2000;

/** Consecutive failures of the list that may pass unnoticed. */
const MOST_LIST_FAILURES = 3;

/** Enough to distinguish statuses; keeps the state small whatever the service returns. */
const STATUS_LENGTH = 40;

/** The saved state without jobs no longer watched; a new one if none fits the scope. */
export function restoreState(saved: unknown, { scope, jobIds }: Watch): WatchState {
	const known = watchStateSchema.safeParse(saved).data;
	if (known?.scope !== scope)
		return { version: 1, scope, begun: false, open: {}, ended: [], lastRead: 0, listFailures: 0 };
	if (!jobIds) return known;
	const watched = new Set(jobIds);
	return {
		...known,
		open: pickBy(known.open, (_, jobId) => watched.has(Number(jobId))),
		ended: withIds([], jobIds.filter(membership(known.ended))),
	};
}

/** Whether the end of a job was reported or skipped. */
function isDone({ open, ended }: WatchState): (jobId: number) => boolean {
	const hasEnded = membership(ended);
	return (jobId) => hasEnded(jobId) && !open[jobId];
}

/**
 * The jobs to read one by one, in order.
 * @param listed jobs that this poll found in the service's list
 * @param unclear listed jobs of which the list does not say enough
 */
export function jobsToRead(
	state: WatchState,
	watch: Watch,
	listed: ReadonlySet<number> = new Set(),
	unclear: Iterable<number> = [],
): number[] {
	const known = watch.jobIds ?? Object.keys(state.open).map(Number);
	const done = isDone(state);
	const jobIds = [...new Set([...known, ...unclear])]
		.filter((jobId) => !done(jobId) && !listed.has(jobId))
		.sort((a, b) => a - b);
	const next = jobIds.findIndex((jobId) => jobId > state.lastRead);
	return next < 0 ? jobIds : [...jobIds.slice(next), ...jobIds.slice(0, next)];
}

/** Restarts if the clock was set back. */
function since(remembered: number | undefined, now: number): number {
	return remembered === undefined || remembered > now ? now : remembered;
}

/** Whether the results of a job that has ended could not be read before. */
export function hasMissingResults({ open }: WatchState, jobId: number): boolean {
	return open[jobId]?.resultsMissingSince !== undefined;
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

/** A job after one observation of it, and the event that is to be reported. */
interface ObservedJob {
	/** Undefined for a job that is no longer open. */
	job?: OpenJob;
	hasEnded?: boolean;
	event?: JobEventName | undefined;
}

function wantedUnreadable({ events }: Watch): JobEventName | undefined {
	return events.has('unreadable') ? 'unreadable' : undefined;
}

function afterUnreadable(
	known: OpenJob | undefined,
	watch: Watch,
	now: number,
	mayBeListed = false,
): ObservedJob {
	const unreadableSince = since(known?.unreadableSince, now);
	if (now - unreadableSince < GRACE_MS || known?.reported)
		return { job: { ...known, unreadableSince } };
	const event = wantedUnreadable(watch);
	// A job that comes back is in the list again; one that never left it would be reported again.
	return watch.jobIds || mayBeListed
		? { job: { ...known, unreadableSince, reported: true }, event }
		: { event };
}

function afterObservation(
	observation: Observation,
	known: OpenJob | undefined,
	watch: Watch,
	now: number,
): ObservedJob {
	if (observation.kind === 'unreadable')
		return afterUnreadable(known, watch, now, observation.mayBeListed);
	if (observation.kind === 'queued') return { job: omit(known, 'unreadableSince') };
	const readable: OpenJob = pick(known, 'status', 'reported');
	if (observation.kind === 'withoutResults')
		return { job: { ...readable, resultsMissingSince: since(known?.resultsMissingSince, now) } };
	const status = observation.status ?? '';
	const isNews =
		status !== '' && (known?.status === undefined || !isSameStatus(status, known.status));
	const event = isNews ? statusEvent(status, watch.events) : undefined;
	if (jobState(status) !== 'running') return { hasEnded: true, event };
	const job = { ...readable, ...(isNews && { status: status.slice(0, STATUS_LENGTH) }) };
	if (isKnownToRun(status) || status.trim() === '') return { job, event };
	const unknownSince = isNews ? now : since(known?.unknownSince, now);
	if (now - unknownSince < UNKNOWN_STATUS_MS || job.reported)
		return { job: { ...job, unknownSince }, event };
	return { job: { ...job, reported: true }, event: wantedUnreadable(watch) };
}

/**
 * The events of a poll, and the state after it. If all jobs are watched, nothing is reported of those found
 * before the whole list was read: they existed before.
 * @param now milliseconds since 1970
 * @param isWhole whether a sweep that this poll ended has read the whole list
 */
export function afterObservations(
	before: WatchState,
	watch: Watch,
	observations: Observation[],
	now: number,
	isWhole = true,
): { state: WatchState; events: JobEvent[] } {
	const open = { ...before.open };
	const newlyEnded: number[] = [];
	const done = isDone(before);
	const isSilent = !watch.jobIds && !before.begun;
	const events: JobEvent[] = [];
	for (const observation of observations) {
		const { jobId } = observation;
		if (done(jobId)) continue;
		const known = open[jobId];
		const { job, hasEnded, event } = afterObservation(observation, known, watch, now);
		const isNew = observation.kind === 'read' && observation.isNew;
		if (event !== undefined && (known || isNew || !isSilent))
			events.push({ jobId, event, previousStatus: known?.status ?? null });
		if (job) open[jobId] = job;
		else delete open[jobId];
		if (hasEnded) newlyEnded.push(jobId);
	}
	const ended = withIds(before.ended, newlyEnded);
	// Jobs between the ranges may be on pages that were not read yet.
	const mayForget = !watch.jobIds && isWhole;
	return {
		state: {
			...before,
			begun: before.begun || isWhole,
			open,
			ended: mayForget ? withFewerRuns(ended, MOST_RANGES) : ended,
		},
		events,
	};
}

/** What a poll has read of the list of jobs. */
interface ListReading {
	front: number[];
	/** Undefined if the list ended. */
	sweep?: Sweep | undefined;
	isWhole: boolean;
	/** Why a page could not be read, or that the list ended early. */
	failure?: Error | undefined;
}

/** The state after a poll of all jobs. A list that failed is well again once it was read as a whole. */
export function afterListing(
	state: WatchState,
	{ front, sweep, isWhole, failure }: ListReading,
): WatchState {
	return {
		...omit(state, 'front', 'sweep'),
		...(sweep && { sweep }),
		...(!state.begun && { front }),
		listFailures: isWhole ? 0 : state.listFailures + (failure ? 1 : 0),
	};
}

/** Whether the list has failed for so long that the user must know: its jobs may be missed. */
export function isListBroken({ listFailures }: WatchState): boolean {
	return listFailures >= MOST_LIST_FAILURES;
}
