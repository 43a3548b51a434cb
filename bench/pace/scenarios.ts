import { total } from '../tables';
import type { Course, Second, Simulation } from './simulation';

/** When the one process joins or leaves, in seconds. */
const EVENT_AT = 60;

/** How long the service refuses everything in the scenario in which all begin from nothing, in seconds. */
const OUTAGE = 10;

export type Story = 'all at once' | 'one joins' | 'one leaves' | 'after an outage';

export const STORIES: readonly Story[] = [
	'all at once',
	'one joins',
	'one leaves',
	'after an outage',
];

/** Some processes on one key, and what happens to them. */
export function scenario(
	story: Story,
	limit: number,
	processes: number,
	seconds: number,
	eventAt = EVENT_AT,
): Simulation {
	return {
		limit,
		seconds,
		seed: 1,
		refusesAllFor: story === 'after an outage' ? OUTAGE : 0,
		processes: Array.from({ length: processes }, (_, process) => {
			const isTheOne = process === processes - 1;
			return {
				from: story === 'one joins' && isTheOne ? eventAt : 0,
				to: story === 'one leaves' && isTheOne ? eventAt : seconds,
			};
		}),
	};
}

/** When the processes that stay to the end are on their own, in seconds. */
export function beginOf(story: Story): number {
	if (story === 'all at once') return 0;
	return story === 'after an outage' ? OUTAGE : EVENT_AT;
}

interface Outcome {
	/** Accepted calls as a share of the limit. */
	pace: number;
	/** Rejected calls as a share of the calls sent. */
	rejected: number;
	/** Accepted calls of the process with fewest, as a share of those of the process with most. */
	lowest: number;
	/** Jain's index: 1 if all processes have the same, 1/n if one of n has everything. */
	jain: number;
}

function outcomeOf(seconds: readonly Second[], limit: number, present: readonly number[]): Outcome {
	const accepted = present.map((process) =>
		total(seconds.map((second) => second.accepted[process] ?? 0)),
	);
	const all = total(seconds.map((second) => total(second.accepted)));
	const rejected = total(seconds.map((second) => total(second.rejected)));
	const squares = total(accepted.map((count) => count ** 2));
	return {
		pace: all / (limit * seconds.length),
		rejected: rejected / Math.max(1, rejected + all),
		lowest: Math.min(...accepted) / Math.max(1, ...accepted),
		jain: total(accepted) ** 2 / Math.max(1, accepted.length * squares),
	};
}

/** The outcome between two seconds, for the processes that are there until the end. */
export function outcome(
	{ limit, processes, seconds }: Simulation,
	course: Course,
	from: number,
	to: number,
): Outcome {
	const present = processes.flatMap((process, index) => (process.to === seconds ? [index] : []));
	return outcomeOf(course.seconds.slice(from, to), limit, present);
}

/** Whether the processes have settled is judged over this many seconds, or longer if this many calls take longer. */
const SPAN = 20;
const SPAN_CALLS = 400;
const SETTLED_PACE = 0.9;
/** Above what the course comes to in its last part. */
const SETTLED_EXCESS = 0.05;

/**
 * Seconds from `begin` until the pace reaches 90 % of the limit and the rejected share nearly that of
 * the last third, for the first time over 20 s or 400 calls; undefined if that is never so.
 */
export function settledAfter(
	simulation: Simulation,
	course: Course,
	begin: number,
): number | undefined {
	const { limit, seconds } = simulation;
	const span = Math.max(SPAN, Math.ceil(SPAN_CALLS / limit));
	const most = outcome(simulation, course, Math.floor((seconds * 2) / 3), seconds).rejected;
	for (let from = begin; from + span <= seconds; from++) {
		const { pace, rejected } = outcome(simulation, course, from, from + span);
		if (pace >= SETTLED_PACE && rejected <= most + SETTLED_EXCESS) return from - begin;
	}
	return undefined;
}
