/** Runs of made-up cases, each told by its seed, in processes side by side. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { range } from 'lodash';
import type { z } from 'zod';

const PROCESSES = 2;

interface SeededRuns<Tally> {
	/** The program itself, which is run again in each process. */
	file: string;
	/** How many run unless the command says so. */
	usualCount: number;
	/** The seed of the first one; default: 1. */
	firstSeed?: number;
	tally: z.ZodType<Tally>;
	/** Runs these, and shows which fail. */
	runAll: (seeds: readonly number[]) => Promise<Tally>;
	/** Runs one, and shows all that happens in it. @returns whether it succeeded */
	runOne: (seed: number) => Promise<boolean>;
	/** Shows the sums. @returns whether all of them succeeded */
	report: (tallies: Tally[]) => boolean;
}

/** The seeds of the tallies that failed, in order. */
export const failedSeeds = (tallies: ReadonlyArray<{ failed: number[] }>): number[] =>
	tallies.flatMap(({ failed }) => failed).sort((one, other) => one - other);

/** A process ends after this many: what was killed in its runs stays in its memory, about 5 MB each. */
const SEEDS_OF_PROCESS = 500;

async function runElsewhere<Tally>(
	{ file, tally }: SeededRuns<Tally>,
	first: number,
	last: number,
): Promise<Tally> {
	const child = fork(file, [String(last), '--first', String(first)]);
	const [message] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit').then(([code, signal]) => {
			throw new Error(`The process of seeds ${first} to ${last} ended: ${signal ?? code}`);
		}),
	])) as unknown[];
	return tally.parse(message);
}

async function runAsAsked<Tally>(runs: SeededRuns<Tally>): Promise<boolean> {
	const { values, positionals } = parseArgs({
		options: { seed: { type: 'string' }, first: { type: 'string' } },
		allowPositionals: true,
	});
	if (values.seed !== undefined) return await runs.runOne(Number(values.seed));
	if (values.first !== undefined) {
		const tally = await runs.runAll(range(Number(values.first), Number(positionals[0]) + 1));
		await new Promise((resolve) => process.send?.(tally, resolve));
		return true;
	}
	const count = Number(positionals[0] ?? runs.usualCount);
	const { firstSeed = 1 } = runs;
	const last = firstSeed + count - 1;
	const size = Math.min(SEEDS_OF_PROCESS, Math.ceil(count / PROCESSES));
	const firsts = range(firstSeed, last + 1, size).values();
	const tallies: Tally[] = [];
	const work = async () => {
		for (const first of firsts)
			tallies.push(await runElsewhere(runs, first, Math.min(first + size - 1, last)));
	};
	await Promise.all(Array.from({ length: PROCESSES }, work));
	return runs.report(tallies);
}

/** Runs what the command asks for, and ends the process: what was killed in a run waits for ever. */
export function runSeeds<Tally>(runs: SeededRuns<Tally>): void {
	void runAsAsked(runs).then((isGood) => process.exit(isGood ? 0 : 1));
}
