/**
 * `npm run e2e -- lives`: the lives of 10,000 imports, in n8n's own engine against a virtual service on a
 * virtual clock, with lost requests, failed jobs, kills and cancels at random steps. The same seed gives
 * the same life.
 *
 *   npm run e2e -- lives 500           that many, from seed 1
 *   npm run e2e -- lives --seed 17     one, with all that happens in it
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { z } from 'zod';

import { type LifeOutcome, runLife } from './life';

const USUAL_COUNT = 10_000;
const PROCESSES = 2;
/** Failed lives that each process shows. */
const SHOWN = 5;

const tallySchema = z.object({
	lives: z.number(),
	failed: z.array(z.number()),
	jobs: z.number(),
	interruptions: z.number(),
});
type Tally = z.infer<typeof tallySchema>;

function print(seed: number, { plan, events, problems }: LifeOutcome): void {
	const { rows, ...settings } = plan;
	console.log(`\nLife ${seed}: ${JSON.stringify(settings)}`);
	console.log(`  rows that should be ${rows.map(({ expected }) => expected).join(', ')}`);
	for (const event of events) console.log(`  ${event}`);
	for (const problem of problems) console.log(`✖ ${problem}`);
}

/** Every so many seeds from the first one. */
async function runShare(first: number, last: number): Promise<Tally> {
	const tally: Tally = { lives: 0, failed: [], jobs: 0, interruptions: 0 };
	for (let seed = first; seed <= last; seed += PROCESSES) {
		const outcome = await runLife(seed);
		tally.lives++;
		tally.jobs += outcome.jobs;
		tally.interruptions += outcome.interruptions;
		if (outcome.problems.length === 0) continue;
		tally.failed.push(seed);
		if (tally.failed.length <= SHOWN) print(seed, outcome);
	}
	return tally;
}

async function runShareElsewhere(first: number, last: number): Promise<Tally> {
	const child = fork(__filename, [String(last), '--first', String(first)]);
	const [message] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit'),
	])) as unknown[];
	return tallySchema.parse(message);
}

function sum(tallies: Tally[], count: (tally: Tally) => number): number {
	return tallies.reduce((total, tally) => total + count(tally), 0);
}

async function main(): Promise<boolean> {
	const { values, positionals } = parseArgs({
		options: { seed: { type: 'string' }, first: { type: 'string' } },
		allowPositionals: true,
	});
	const last = Number(positionals[0] ?? USUAL_COUNT);
	if (values.seed !== undefined) {
		const outcome = await runLife(Number(values.seed));
		print(Number(values.seed), outcome);
		return outcome.problems.length === 0;
	}
	if (values.first !== undefined) {
		const tally = await runShare(Number(values.first), last);
		await new Promise((resolve) => process.send?.(tally, resolve));
		return true;
	}
	const begun = performance.now();
	const shares = Array.from({ length: PROCESSES }, (_, index) => index + 1);
	const tallies = await Promise.all(
		shares.map(async (first) => await runShareElsewhere(first, last)),
	);
	const seconds = ((performance.now() - begun) / 1000).toFixed(0);
	const lives = sum(tallies, (tally) => tally.lives);
	const jobs = sum(tallies, (tally) => tally.jobs);
	const interruptions = sum(tallies, (tally) => tally.interruptions);
	const failed = tallies.flatMap((tally) => tally.failed).sort((one, other) => one - other);
	console.log(
		`\n${lives} lives, ${jobs} import jobs, ${interruptions} kills and cancels in ${seconds} s`,
	);
	const shown = failed.slice(0, 2 * SHOWN).join(', ');
	console.log(failed.length === 0 ? 'No life failed.' : `${failed.length} lives failed: ${shown}`);
	return failed.length === 0;
}

// What was killed in a life waits for ever.
void main().then((isGood) => process.exit(isGood ? 0 : 1));
