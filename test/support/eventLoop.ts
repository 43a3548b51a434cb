import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { slowness, usedTime } from '../../hosts/processorTime';

/** Tries until a turn counts as long: a busy machine and the garbage collector spoil several in a row. */
const TRIES = 12;

/**
 * The longest time without a turn of the event loop while work is done, in milliseconds: the smaller of
 * wall clock and processor time, because a busy machine stops a process without its doing.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	const watch = async (): Promise<void> => {
		while (!isOver) {
			const start = performance.now();
			const before = usedTime();
			await sleep(1);
			const used = usedTime() - before;
			longest = Math.max(longest, Math.min(performance.now() - start, used));
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
	}
	return longest;
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
