import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until a turn counts as long: a busy machine and the garbage collector spoil several in a row. */
const TRIES = 12;

/** Where Linux counts the processor time of a process's main thread, in nanoseconds. */
const MAIN_THREAD = '/proc/self/schedstat';

/**
 * Reads the processor time, in milliseconds: of this thread alone where the system tells, because the garbage
 * collector has threads of its own that a busy machine delays into turns that are not theirs.
 */
function openProcessorClock(): { read: () => number; close: () => void } {
	const ofProcess = () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	};
	if (!existsSync(MAIN_THREAD)) return { read: ofProcess, close: () => undefined };
	const file = openSync(MAIN_THREAD, 'r');
	const buffer = Buffer.alloc(64);
	return {
		read: () => parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)), 10) / 1e6,
		close: () => closeSync(file),
	};
}

/** The processor time that work takes, in milliseconds: other processes run at the same time. */
export function processorTime(work: () => unknown): number {
	const processor = openProcessorClock();
	const before = processor.read();
	try {
		work();
		return processor.read() - before;
	} finally {
		processor.close();
	}
}

/**
 * The longest time without a turn of the event loop while work is done, in milliseconds: the smaller of
 * wall clock and processor time, because a busy machine stops a process without its doing.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	const processor = openProcessorClock();
	const watch = async (): Promise<void> => {
		while (!isOver) {
			const start = performance.now();
			const before = processor.read();
			await sleep(1);
			const used = processor.read() - before;
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
		processor.close();
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
