import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** Where Linux counts the processor time of a process's main thread, in nanoseconds. */
const MAIN_THREAD = '/proc/self/schedstat';

/**
 * Reads the processor time, in milliseconds: of this thread alone where the system tells, because the garbage
 * collector has threads of its own that a busy machine delays into turns that are not theirs.
 */
export function openProcessorClock(): { read: () => number; close: () => void } {
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

function threadTime(work: () => unknown): number {
	const processor = openProcessorClock();
	const before = processor.read();
	try {
		work();
		return processor.read() - before;
	} finally {
		processor.close();
	}
}

/** Reads, writes and allocates, as the nodes do. */
function yardstick(): void {
	const rows = Array.from({ length: 1500 }, (_, i) => ({ name: `Zoë ${i} `.repeat(20), id: i }));
	const read = JSON.parse(JSON.stringify(rows)) as typeof rows;
	const names = read.map(({ name }) => name.normalize('NFC').replace(/\s+/g, ' '));
	if (new Set(names).size !== rows.length) throw new Error('Two names are the same.');
}

/** The processor time of the yardstick on a quiet machine with 2.5 GHz, in milliseconds, once it is compiled. */
const QUIET_MS = 4;

let isCompiled = false;

/**
 * How many times longer the processor takes now than that of a quiet machine: beside other work it has less
 * cache, and shares its arithmetic with the other half of its core. So a limit in milliseconds is one for a
 * quiet machine, and what exceeds it is compared with what else takes longer at this moment.
 */
export function slowness(): number {
	if (!isCompiled) for (let i = 0; i < 20; i++) yardstick();
	isCompiled = true;
	// Twice, because the garbage collector may come in between.
	return Math.max(1, Math.min(threadTime(yardstick), threadTime(yardstick)) / QUIET_MS);
}

/** The processor time that work takes, in milliseconds of a quiet machine. */
export function processorTime(work: () => unknown): number {
	const used = threadTime(work);
	return used / slowness();
}
