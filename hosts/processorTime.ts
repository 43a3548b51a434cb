import { existsSync, readFileSync } from 'node:fs';

/**
 * The processor time that the main thread of a process has used, in milliseconds, as Linux counts it; undefined on
 * other systems. Not of the process: the garbage collector has threads of its own that a busy machine delays.
 */
export function mainThreadTime(pid: number | 'self'): number | undefined {
	const file = `/proc/${pid}/schedstat`;
	return existsSync(file) ? parseInt(readFileSync(file, 'utf8'), 10) / 1e6 : undefined;
}

/** The same of this process, of all its threads where the system does not tell them apart. */
export function usedTime(): number {
	const ofThread = mainThreadTime('self');
	if (ofThread !== undefined) return ofThread;
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

function timeOf(work: () => unknown): number {
	const before = usedTime();
	work();
	return usedTime() - before;
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
	return Math.max(1, Math.min(timeOf(yardstick), timeOf(yardstick)) / QUIET_MS);
}

/** The processor time that work takes, in milliseconds of a quiet machine. */
export function processorTime(work: () => unknown): number {
	const used = timeOf(work);
	return used / slowness();
}
