import { parseArgs } from 'node:util';

import { speedUpClock } from '../faults/fastClock';
import { runStory, withStage } from './runStory';
import { OPTIONS } from './options';
import { PAIR_STORIES } from './story';

async function main(): Promise<boolean> {
	const { values } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
	speedUpClock();
	const begun = process.cpuUsage();
	const seeds = values.seed
		? values.seed.split(',').map(Number)
		: Array.from({ length: PAIR_STORIES }, (_, i) => i + 1);
	let failed = 0;
	let runs = 0;
	await withStage(async (stage) => {
		for (const seed of seeds) {
			const o = await runStory(stage, seed).catch((error: unknown) => ({
				problems: [String((error as Error).stack)],
				events: [],
				runs: 0,
				story: undefined,
			}));
			runs += o.runs;
			process.stderr.write(`${seed} `);
			if (o.problems.length) failed++;
			if (o.problems.length || values.seed) {
				const chosen = Object.entries(o.story?.chosen ?? {})
					.filter(([n, c]) => c !== OPTIONS.find((x) => x.name === n)?.choices[0])
					.map(([n, c]) => `${n}: ${c}`)
					.join(', ');
				console.log(`\nStory ${seed} ${chosen}`);
				if (values.seed) for (const e of o.events) console.log('  ', e);
				for (const p of o.problems.slice(0, 8)) console.log('  ✖', p);
			}
		}
	});
	const { user, system } = process.cpuUsage(begun);
	console.log(
		`${seeds.length} stories, ${runs} runs, ${failed} failed, cpu ${(user + system) / 1e6} s`,
	);
	return failed === 0;
}
void main().then((ok) => process.exit(ok ? 0 : 1));
