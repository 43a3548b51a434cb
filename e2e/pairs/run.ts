/**
 * `npm run e2e -- pairs`: stories of imports that hold every pair of choices of Import Items, in n8n's own engine
 * against the sandbox. The same seed tells the same story.
 *
 *   npm run e2e -- pairs 200           that many, from seed 1; after the pairs, choices are made at random
 *   npm run e2e -- pairs --seed 17     one, with all that happens in it
 */
import { sumBy } from 'lodash';
import { z } from 'zod';

import { speedUpClock } from '../faults/fastClock';
import { failedSeeds, runSeeds } from '../seededRuns';
import { runStory, type StoryOutcome, withStage } from './runStory';
import { describeChoices, PAIR_STORIES } from './story';

/** What is kept of a story that failed. */
const SHOWN_PROBLEMS = 10;

const tallySchema = z.object({
	stories: z.number(),
	runs: z.number(),
	failed: z.array(z.number()),
});
type Tally = z.infer<typeof tallySchema>;

function print({ story, events, problems }: StoryOutcome, isWhole: boolean): void {
	console.log(`\nStory ${story.seed}: ${describeChoices(story)}`);
	if (isWhole) for (const event of events) console.log(`  ${event}`);
	for (const problem of isWhole ? problems : problems.slice(0, SHOWN_PROBLEMS))
		console.log(`✖ ${problem}`);
}

runSeeds({
	file: __filename,
	usualCount: PAIR_STORIES,
	tally: tallySchema,
	runAll: async (seeds) => {
		speedUpClock();
		return await withStage(async (stage) => {
			const tally: Tally = { stories: 0, runs: 0, failed: [] };
			for (const seed of seeds) {
				const outcome = await runStory(stage, seed);
				tally.stories++;
				tally.runs += outcome.runs;
				if (outcome.problems.length === 0) continue;
				tally.failed.push(seed);
				print(outcome, false);
			}
			return tally;
		});
	},
	runOne: async (seed) => {
		speedUpClock();
		const outcome = await withStage(async (stage) => await runStory(stage, seed));
		print(outcome, true);
		return outcome.problems.length === 0;
	},
	report: (tallies) => {
		const failed = failedSeeds(tallies);
		const stories = sumBy(tallies, 'stories');
		console.log(`\n${stories} stories, ${sumBy(tallies, 'runs')} runs of the node`);
		for (const seed of failed) console.log(`npm run e2e -- pairs --seed ${seed}`);
		console.log(`${stories - failed.length} passed, ${failed.length} failed`);
		return failed.length === 0;
	},
});
