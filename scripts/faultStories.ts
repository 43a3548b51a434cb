/** Tells stories with each of some planted faults until one fails: judgeFaults.ts starts this in its copy. */
import { speedUpClock } from '../e2e/faults/fastClock';
import { runStory, type Stage, withStage } from '../e2e/pairs/runStory';
import { PAIR_STORIES } from '../e2e/pairs/story';

/** How a fault ended. */
export interface FaultStory {
	id: string;
	/** The first story that fails with the fault; undefined if none does. */
	seed?: number;
	/** What it says first. */
	problem?: string;
	/** Whether the story fails without the fault, too. */
	failsWithout?: boolean;
}

async function findStory(stage: Stage, id: string): Promise<FaultStory> {
	let isPlanted = true;
	globalThis.reachMutant = (reached) => isPlanted && reached === id;
	for (let seed = 1; seed <= PAIR_STORIES; seed++) {
		const { problems } = await runStory(stage, seed);
		const [problem] = problems;
		if (problem === undefined) continue;
		isPlanted = false;
		const unchanged = await runStory(stage, seed);
		return { id, seed, problem, failsWithout: unchanged.problems.length > 0 };
	}
	return { id };
}

async function main(ids: readonly string[]): Promise<void> {
	speedUpClock();
	await withStage(async (stage) => {
		for (const id of ids) {
			const story = await findStory(stage, id);
			await new Promise((resolve) => process.send?.(story, resolve));
		}
	});
	// What a fault has left waits for ever.
	process.disconnect();
	process.exit(0);
}

void main(process.argv.slice(2));
