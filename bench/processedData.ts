import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { say } from '../hosts/runWithProgress.mjs';
import { benchStep, inN8n, publish } from './measure';
import { decimal, number, table } from './tables';

const SIZES = [1000, 10_000, 100_000, 300_000];

const cost = z.object({ ms: z.number(), stallMs: z.number() });
/** Keyed by the steps of BenchStep.node.js. */
const costsSchema = z
	.object({ record: cost, look: cost, putBack: cost, removeSome: cost, addSome: cost })
	.catchall(cost);

/** Bytes of the database of n8n. */
function databaseSize(folder: string): number {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /database\.sqlite(-wal)?$/.test(name))
		.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** What n8n needs to remember rows for a node: lines of Markdown. */
export async function processedData(): Promise<string[]> {
	const rows: string[][] = [];
	for (const size of SIZES) {
		await inN8n(async (running) => {
			const { userFolder } = running.n8nOptions;
			const run = await publish(running, [benchStep({ step: 'memory', rows: size })]);
			const before = databaseSize(userFolder);
			const costs = costsSchema.parse(await run());
			const bytes = databaseSize(userFolder) - before;
			const longest = Math.max(...Object.values(costs).map(({ stallMs }) => stallMs));
			say(`${number(size)} hashes: compared in ${number(costs.look.ms + costs.putBack.ms)} ms`);
			rows.push([
				number(size),
				number(costs.look.ms + costs.putBack.ms),
				number(costs.record.ms),
				number(costs.addSome.ms),
				number(costs.removeSome.ms),
				number(longest),
				decimal((size * 27) / 1e6),
				decimal(bytes / 1e6),
			]);
		});
	}
	return [
		'## What n8n remembers',
		'',
		'For _Skip Rows Imported Before_ and _Send Once Key_, n8n keeps MD5 hashes of 24 characters, two for each row (three after an import of more than 5,000) and two for each key, all of a node as one JSON text in one row of its table `processed_data`. It reads, hashes, compares and writes all of them in one step, in which it does nothing else. Dry runs and imports compare once, in calls of at most 50,000 hashes, and remove the hashes that they only looked up; each import then adds the rows that it sends, and those that were imported.',
		'',
		table(
			[
				'hashes',
				'compare (ms)',
				'record all (ms)',
				'add 200 (ms)',
				'remove 200 (ms)',
				'longest stall (ms)',
				'size of the row (MB)',
				'growth of the database with its log (MB)',
			],
			rows,
		),
		'',
		'So an import compares at most 100,000 rows, and rejects a longer list before anything is sent; n8n keeps the last 20,000 keys that were sent.',
		'',
	];
}
