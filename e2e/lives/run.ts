/**
 * `npm run e2e -- lives`: the lives of 2,500 imports, in n8n's own engine against a virtual service on a
 * virtual clock, with lost requests, failed jobs, kills and cancels at random steps. The same seed gives
 * the same life; each run begins with another one.
 *
 *   npm run e2e -- lives 500           that many
 *   npm run e2e -- lives --seed 17     one, with all that happens in it
 */
import { randomInt } from 'node:crypto';
import { sumBy } from 'lodash';
import { z } from 'zod';

import { failedSeeds, runSeeds } from '../seededRuns';
import { type LifeOutcome, runLife } from './life';

const USUAL_COUNT = 2_500;
const SEEDS = 1_000_000;
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

const begun = performance.now();

runSeeds({
	file: __filename,
	usualCount: USUAL_COUNT,
	firstSeed: randomInt(1, SEEDS),
	tally: tallySchema,
	runAll: async (seeds) => {
		const tally: Tally = { lives: 0, failed: [], jobs: 0, interruptions: 0 };
		for (const seed of seeds) {
			const outcome = await runLife(seed);
			tally.lives++;
			tally.jobs += outcome.jobs;
			tally.interruptions += outcome.interruptions;
			if (outcome.problems.length === 0) continue;
			tally.failed.push(seed);
			if (tally.failed.length <= SHOWN) print(seed, outcome);
		}
		return tally;
	},
	runOne: async (seed) => {
		const outcome = await runLife(seed);
		print(seed, outcome);
		return outcome.problems.length === 0;
	},
	report: (tallies) => {
		const failed = failedSeeds(tallies);
		const [lives, jobs, interruptions] = (['lives', 'jobs', 'interruptions'] as const).map(
			(count) => sumBy(tallies, count),
		);
		const seconds = ((performance.now() - begun) / 1000).toFixed(0);
		console.log(
			`\n${lives} lives, ${jobs} import jobs, ${interruptions} kills and cancels in ${seconds} s`,
		);
		const shown = failed.slice(0, 2 * SHOWN).join(', ');
		console.log(
			failed.length === 0 ? 'No life failed.' : `${failed.length} lives failed: ${shown}`,
		);
		return failed.length === 0;
	},
});
