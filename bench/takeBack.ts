import { join } from 'node:path';
import { z } from 'zod';
import { say } from '../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { importItemsNode, nativeNode } from '../hosts/workflows';
import { JobService } from './jobService';
import {
	FROM_FILE,
	inN8n,
	measureIn,
	type MeasuredNode,
	type Measurement,
	writeRows,
} from './measure';
import { atMost, decimal, type Goal, goalTable, number, table } from './tables';

const SIZES = [10_000, 100_000];
const ROWS_AT_RATE = 300;
/** The rate of reading and writing people with a key of the standard tier (nodes/shared/service/rateTiers.ts). */
const RATE = 10;
const UNLIMITED = 10_000;
const MOST_STALL_MS = 50;
const MOST_DEVIATION = 0.15;
/** A row of the file, its person, its values before and after, and its item. */
const MOST_BYTES = 4096;

const FIELDS = ['NativeId', 'FirstName', 'LastName'];

/** What follows Take Back: the size of the file that it read. */
const SIZE: MeasuredNode[] = [
	{ type: 'n8n-nodes-base.limit', parameters: { maxItems: 1 } },
	{
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'raw',
			jsonOutput: "={{ { file: $('Node 2').first().binary.before } }}",
			options: {},
		},
	},
];
const sizeSchema = z.object({ file: z.object({ bytes: z.number() }) });

interface Cost {
	what: string;
	rows: number;
	seconds: number;
	megabytes: number;
}

/**
 * Updates people of whom each has another name, and takes that back.
 * @param profile whether to take all of V8's major garbage collections out of the stalls; a profile takes memory
 */
async function measureSize(folder: string, rows: number, rate: number, profile = false) {
	const path = join(folder, `${rows}.csv`);
	await writeRows(path, rows);
	return await inN8n(async (running) => {
		const service = await JobService.start(running.sandbox.url);
		const credential = running.credential('demo');
		const rates = { rateTier: 'manual', rateHigh: UNLIMITED, rateMedium: rate, rateLow: rate };
		const id = await running.n8n.client.createCredential({
			...credential,
			data: { ...credential.data, baseUrl: service.url, ...rates },
		});
		const parameters = {
			...FROM_FILE,
			hosting: 'put',
			uploadUrl: `${service.url}/drop/{file}?sig=1`,
			downloadUrl: 'https://files.example.org/{file}',
			options: { keepBefore: 1000 },
		};
		const fields = FIELDS.map((name): [string, string] => [name, `={{ $json.${name} }}`]);
		const nodes = [
			importItemsNode(id, parameters, Object.fromEntries(fields)),
			nativeNode('Take Back', 'nativeBulkImport', id, {
				resource: 'job',
				operation: 'takeBack',
				whatShouldHappen: 'takeBack',
			}),
		];
		try {
			const [one] = await measureIn(running, { step: 'file', path, profile }, nodes, 1, SIZE);
			if (!one) throw new Error('Nothing was measured.');
			return { one, costs: costsOf(one, rows), bytes: sizeSchema.parse(one.first).file.bytes };
		} finally {
			await service.close();
		}
	});
}

function costsOf({ works }: Measurement, rows: number): Cost[] {
	return works.map(({ ms, kilobytes }, index) => {
		const what = index === 0 ? 'Import Items' : 'Take Back';
		const cost = { what, rows, seconds: ms / 1000, megabytes: kilobytes / 1024 };
		say(`${what}, ${number(rows)} rows: ${decimal(cost.seconds)} s, ${number(cost.megabytes)} MB`);
		return cost;
	});
}

/** An import of known people that keeps what was there, and is taken back: lines of Markdown. */
export async function takeBack(): Promise<string[]> {
	return await inTemporaryFolder(async (folder) => {
		const measured = [];
		for (const rows of SIZES) measured.push(await measureSize(folder, rows, UNLIMITED));
		const profiled = await measureSize(folder, SIZES[1] ?? 0, UNLIMITED, true);
		const atRate = await measureSize(folder, ROWS_AT_RATE, RATE);
		const costs = measured.flatMap((each) => each.costs);
		const perRow = (what: string) =>
			costs.filter((each) => each.what === what).map(({ seconds, rows }) => seconds / rows);
		const goals = ['Import Items', 'Take Back'].flatMap((what): Goal[] => {
			const [small = Number.NaN, large = Number.NaN] = perRow(what);
			const [few, many] = costs.filter((each) => each.what === what);
			const growth = ((many?.megabytes ?? Number.NaN) - (few?.megabytes ?? 0)) * 1024 ** 2;
			const bytes = growth / ((many?.rows ?? 0) - (few?.rows ?? 0));
			const ratio = large / small - 1;
			return [
				[
					`${what}: time per row of the largest relative to the smallest`,
					`${ratio >= 0 ? '+' : ''}${(ratio * 100).toFixed(0)} %`,
					`at most +${MOST_DEVIATION * 100} %`,
					ratio <= MOST_DEVIATION,
				],
				[
					`${what}: memory that grows with the rows`,
					`${number(bytes)} bytes per row`,
					`at most ${number(MOST_BYTES)}`,
					bytes <= MOST_BYTES,
				],
			];
		});
		const [reading, writing] = atRate.costs;
		// Each row is read once for the import; to be taken back, it is read and written.
		const limited = [
			{ what: 'Import Items', seconds: reading?.seconds ?? Number.NaN, requests: ROWS_AT_RATE },
			{ what: 'Take Back', seconds: writing?.seconds ?? Number.NaN, requests: 2 * ROWS_AT_RATE },
		].map(({ what, seconds, requests }): Goal => {
			const ratio = (seconds * RATE) / requests;
			const name = `${what}: time relative to the rate limit`;
			return [name, `${decimal(ratio)} ×`, 'at most 1.2 ×', ratio <= 1.2];
		});
		const [, large] = measured;
		return [
			'## Imports that can be taken back',
			'',
			`From a file with 10 columns: Import Items updates the names of known people with Keep What Was There, which takes one request per row, and Take Back restores them, which takes two. The service responds at once. The file of ${number(SIZES[1] ?? 0)} rows takes ${decimal((large?.bytes ?? Number.NaN) / 1024 ** 2)} MB. The longest stall is that of a node, without V8’s major garbage collections, in a run of its own with a profile. The time compared with the rate limit is that of ${number(ROWS_AT_RATE)} rows at ${RATE} requests per second.`,
			'',
			table(
				['', 'rows', 'time (s)', 'time per row (ms)', 'extra memory (MB)'],
				costs.map(({ what, rows, seconds, megabytes }) => [
					what,
					number(rows),
					decimal(seconds),
					decimal((seconds / rows) * 1000),
					number(megabytes),
				]),
			),
			'',
			goalTable([
				...goals,
				...limited,
				atMost('longest stall', profiled.one.stallMs, MOST_STALL_MS, 'ms'),
			]),
			'',
		];
	});
}
