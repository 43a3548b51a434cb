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

/** Every so many seeds from the first one. */
const shareOf = (first: number, last: number): number[] => range(first, last + 1, PROCESSES);

async function runElsewhere<Tally>(
	{ file, tally }: SeededRuns<Tally>,
	first: number,
	last: number,
): Promise<Tally> {
	const child = fork(file, [String(last), '--first', String(first)]);
	const [message] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit'),
	])) as unknown[];
	return tally.parse(message);
}

async function runAsAsked<Tally>(runs: SeededRuns<Tally>): Promise<boolean> {
	const { values, positionals } = parseArgs({
		options: { seed: { type: 'string' }, first: { type: 'string' } },
		allowPositionals: true,
	});
	const last = Number(positionals[0] ?? runs.usualCount);
	if (values.seed !== undefined) return await runs.runOne(Number(values.seed));
	if (values.first !== undefined) {
		const tally = await runs.runAll(shareOf(Number(values.first), last));
		await new Promise((resolve) => process.send?.(tally, resolve));
		return true;
	}
	const firsts = range(1, PROCESSES + 1);
	return runs.report(
		await Promise.all(firsts.map(async (first) => await runElsewhere(runs, first, last))),
	);
}

/** Runs what the command asks for, and ends the process: what was killed in a run waits for ever. */
export function runSeeds<Tally>(runs: SeededRuns<Tally>): void {
	void runAsAsked(runs).then((isGood) => process.exit(isGood ? 0 : 1));
}
