import { runLife } from '../../e2e/lives/life';
import { repetitions, seed as firstSeed } from '../support/randomCases';

const LIVES = repetitions(200, 20);
/** Later ones in which two jobs have the same rows. */
const FOUND = [498, 1648];

it('gives every row one outcome, and sends none twice, whatever happens to n8n and the service', async () => {
	const failed: string[] = [];
	let interruptions = 0;
	const seeds = Array.from({ length: LIVES }, (_, index) => firstSeed + index);
	for (const seed of [...seeds, ...FOUND]) {
		const outcome = await runLife(seed);
		interruptions += outcome.interruptions;
		const [problem] = outcome.problems;
		if (problem !== undefined) failed.push(`npm run e2e -- lives --seed ${seed}: ${problem}`);
	}
	expect(failed).toEqual([]);
	expect(interruptions).toBeGreaterThan(LIVES / 2);
});

it('runs the same life for the same seed', async () => {
	const { events } = await runLife(21);
	expect((await runLife(21)).events).toEqual(events);
	expect(events.length).toBeGreaterThan(5);
});
