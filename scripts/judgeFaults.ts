import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { chunk } from 'lodash';

import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { copyRepository } from './copyRepository';
import type { FaultStory } from './faultStories';
import { plant } from './plant';
import { changeOfFault, type Fault, FAULTS } from './plantedFaults';

/** Characters shown of what a story says. */
const SHOWN_CHARACTERS = 200;

/** Tells stories with some of the faults, one after the other. */
async function tellStories(
	folder: string,
	faults: readonly Fault[],
	onEnd: (story: FaultStory) => void,
): Promise<void> {
	const ids = faults.map(({ id }) => id);
	const child = fork('scripts/faultStories.ts', ids, { cwd: folder });
	child.on('message', onEnd);
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0) throw new Error(`The stories of ${ids.join(', ')} ended with ${code}.`);
}

function describeStory({ seed, problem, failsWithout }: FaultStory): string {
	if (seed === undefined) return 'No story fails.';
	const command = `npm run e2e -- pairs --seed ${seed}`;
	return failsWithout
		? `${command} fails without it, too.`
		: `${command}: ${problem?.slice(0, SHOWN_CHARACTERS)}`;
}

/**
 * `npm run mutants -- faults`: plants faults that people fear into a copy of the nodes' code, switches on one at
 * a time, and tells the stories of `npm run e2e -- pairs` until one fails. Fails when a fault is not found.
 * @param ids of the faults; none for all
 */
export async function judgeFaults(ids: readonly string[]): Promise<void> {
	const faults = FAULTS.filter(({ id }) => ids.length === 0 || ids.includes(id));
	if (faults.length === 0) throw new Error(`There is no fault ${ids.join(', ')}.`);
	await inTemporaryFolder(async (folder) => {
		copyRepository(folder);
		plant(
			folder,
			faults.map((fault) => changeOfFault(folder, fault)),
		);
		let found = 0;
		const report = (story: FaultStory): void => {
			const isFound = story.seed !== undefined && !story.failsWithout;
			if (isFound) found++;
			const what = faults.find(({ id }) => id === story.id)?.what;
			console.log(`${isFound ? '✔' : '✖'} ${what}\n  ${describeStory(story)}`);
		};
		const share = Math.ceil(faults.length / availableParallelism());
		await Promise.all(
			chunk(faults, share).map(async (some) => await tellStories(folder, some, report)),
		);
		console.log(`\n${found} of ${faults.length} faults found`);
		if (found < faults.length) process.exitCode = 1;
	});
}
