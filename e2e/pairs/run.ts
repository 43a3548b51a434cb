/**
 * `npm run e2e -- pairs`: stories of imports that hold every pair of choices of Import Items, and as many at
 * random, in n8n's own engine against the sandbox. The same seed tells the same story.
 *
 *   npm run e2e -- pairs 20            that many, from seed 1
 *   npm run e2e -- pairs --seed 17     one, with all that happens in it
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { z } from 'zod';

import { speedUpClock } from '../faults/fastClock';
import { runStory, type StoryOutcome, withStage } from './runStory';
import { describeChoices, PAIR_STORIES } from './story';

const PROCESSES = 2;
/** Stories whose choices are made at random, besides those that hold all pairs. */
const RANDOM_STORIES = 100;
/** Of a story that failed. */
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

/** Every so many seeds from the first one. */
async function runShare(first: number, last: number): Promise<Tally> {
	speedUpClock();
	return await withStage(async (stage) => {
		const tally: Tally = { stories: 0, runs: 0, failed: [] };
		for (let seed = first; seed <= last; seed += PROCESSES) {
			const outcome = await runStory(stage, seed);
			tally.stories++;
			tally.runs += outcome.runs;
			if (outcome.problems.length === 0) continue;
			tally.failed.push(seed);
			print(outcome, false);
		}
		return tally;
	});
}

async function runShareElsewhere(first: number, last: number): Promise<Tally> {
	const child = fork(__filename, [String(last), '--first', String(first)]);
	const [message] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit'),
	])) as unknown[];
	return tallySchema.parse(message);
}

async function main(): Promise<boolean> {
	const { values, positionals } = parseArgs({
		options: { seed: { type: 'string' }, first: { type: 'string' } },
		allowPositionals: true,
	});
	const last = Number(positionals[0] ?? PAIR_STORIES + RANDOM_STORIES);
	if (values.seed !== undefined) {
		speedUpClock();
		const seed = Number(values.seed);
		const outcome = await withStage(async (stage) => await runStory(stage, seed));
		print(outcome, true);
		return outcome.problems.length === 0;
	}
	if (values.first !== undefined) {
		const tally = await runShare(Number(values.first), last);
		await new Promise((resolve) => process.send?.(tally, resolve));
		return true;
	}
	const shares = Array.from({ length: PROCESSES }, (_, index) => index + 1);
	const tallies = await Promise.all(
		shares.map(async (first) => await runShareElsewhere(first, last)),
	);
	const sum = (count: (tally: Tally) => number): number =>
		tallies.reduce((total, tally) => total + count(tally), 0);
	const failed = tallies.flatMap((tally) => tally.failed).sort((one, other) => one - other);
	const stories = sum((tally) => tally.stories);
	console.log(`\n${stories} stories, ${sum(({ runs }) => runs)} runs of the node`);
	for (const seed of failed) console.log(`npm run e2e -- pairs --seed ${seed}`);
	console.log(`${stories - failed.length} passed, ${failed.length} failed`);
	return failed.length === 0;
}

void main().then((isGood) => process.exit(isGood ? 0 : 1));
