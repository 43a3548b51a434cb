import { max, sumBy } from 'lodash';
import { performance, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { slowness, usedTime } from '../../hosts/processorTime';

/** Tries until a turn counts as long: a busy machine spoils several in a row. */
const TRIES = 12;

/** From when until when, in milliseconds, and what counts of it. */
interface Turn {
	from: number;
	until: number;
	ms: number;
}

/** A turn without the collections of garbage in it: how long one takes is due to all that a process holds. */
function withoutCollections({ from, until, ms }: Turn, collections: readonly PerformanceEntry[]) {
	const within = collections.filter(
		({ startTime, duration }) => startTime >= from && startTime + duration <= until,
	);
	return ms - sumBy(within, 'duration');
}

/**
 * The longest time without a turn of the event loop while work is done, in milliseconds: the smaller of
 * wall clock and processor time, because a busy machine stops a process without its doing.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	const turns: Turn[] = [];
	const collections: PerformanceEntry[] = [];
	const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
	observer.observe({ entryTypes: ['gc'] });
	let isOver = false;
	const watch = async (): Promise<void> => {
		while (!isOver) {
			const from = performance.now();
			const before = usedTime();
			await sleep(1);
			const used = usedTime() - before;
			const until = performance.now();
			turns.push({ from, until, ms: Math.min(until - from, used) });
		}
	};
	const watching = watch();
	try {
		await work();
	} finally {
		// A turn that began with the last of the work is watched to its end.
		await sleep(2);
		isOver = true;
		await watching;
		// Those of the last turn are told after it.
		await sleep(1);
		observer.disconnect();
	}
	return max(turns.map((turn) => withoutCollections(turn, collections))) ?? 0;
}

/** The shortest of the longest turns of a few tries, in milliseconds of a quiet machine; later ones only if the limit is exceeded. */
export async function longestTurnOf(
	work: () => Promise<unknown>,
	limitMs: number,
): Promise<number> {
	let shortest = Infinity;
	for (let tries = 0; tries < TRIES && shortest > limitMs; tries++) {
		const longest = await longestTurn(work);
		shortest = Math.min(shortest, longest <= limitMs ? longest : longest / slowness());
	}
	return Math.round(shortest);
}
