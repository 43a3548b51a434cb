import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until a turn counts as long: a busy machine and the garbage collector spoil several in a row. */
const TRIES = 12;

/**
 * The longest time without a turn of the event loop while work goes on, in milliseconds: the smaller of
 * wall clock and processor time, because a busy machine stops a process without its doing.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	const watch = async (): Promise<void> => {
		while (!isOver) {
			const start = performance.now();
			const cpu = process.cpuUsage();
			await sleep(1);
			const { user, system } = process.cpuUsage(cpu);
			longest = Math.max(longest, Math.min(performance.now() - start, (user + system) / 1000));
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

/** The shortest of the longest turns of a few tries; later ones only if the limit is exceeded. */
export async function longestTurnOf(
	work: () => Promise<unknown>,
	limitMs: number,
	most = TRIES,
): Promise<number> {
	let shortest = Infinity;
	for (let tries = 0; tries < most && shortest > limitMs; tries++)
		shortest = Math.min(shortest, await longestTurn(work));
	return Math.round(shortest);
}
