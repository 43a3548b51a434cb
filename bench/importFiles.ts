import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { say } from '../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { bareCost, inN8n, measureIn, type MeasuredNode, writeRows } from './measure';
import { atMost, decimal, goalTable, median, number, table } from './tables';

const ROWS = 100_000;
const TIMES = 3;

const build = (parameters: INodeParameters): MeasuredNode => ({
	type: 'n8n-nodes-native.nativeBulkImport',
	typeVersion: 1,
	parameters: { resource: 'file', operation: 'build', ...parameters },
});
const n8nsOwn: MeasuredNode[] = [
	{
		type: 'n8n-nodes-base.convertToFile',
		typeVersion: 1.1,
		parameters: { operation: 'csv', binaryPropertyName: 'data', options: {} },
	},
	{
		type: 'n8n-nodes-base.compression',
		typeVersion: 1.1,
		parameters: {
			operation: 'compress',
			binaryPropertyName: 'data',
			outputFormat: 'zip',
			fileName: 'rows.zip',
			binaryPropertyOutput: 'data',
		},
	},
];

interface Variant {
	ms: number;
	/** From the first run, in a process that has not grown yet. */
	megabytes: number;
	stallMs: number;
}

async function measure(
	name: string,
	source: INodeParameters,
	nodes: MeasuredNode[],
): Promise<Variant> {
	const measurements = await inN8n(
		async (running) => await measureIn(running, source, nodes, TIMES),
	);
	const variant = {
		ms: median(measurements.map(({ ms }) => ms)),
		megabytes: (measurements[0]?.kilobytes ?? Number.NaN) / 1024,
		stallMs: Math.max(...measurements.map(({ stallMs }) => stallMs)),
	};
	say(
		`${name}: ${variant.ms.toFixed(0)} ms, ${variant.megabytes.toFixed(0)} MB, longest stall ${variant.stallMs.toFixed(0)} ms`,
	);
	return variant;
}

/** Building the files of bulk imports, compared with n8n's own nodes: lines of Markdown. */
export async function importFiles(): Promise<string[]> {
	return await inTemporaryFolder(async (folder) => {
		const items = { step: 'rows', rows: ROWS };
		const baseline = await measure('Items alone', items, []);
		const ours = await measure('File → Build', items, [build({ source: 'items' })]);
		const theirs = await measure('Convert to File, Compression', items, n8nsOwn);
		const bareMs = median(await bareCost(ROWS));
		say(`Plain Node: ${bareMs.toFixed(0)} ms`);

		const fromFile: Array<Variant & { rows: number }> = [];
		for (const rows of [10_000, 1_000_000]) {
			const path = join(folder, `${rows}.csv`);
			await writeRows(path, rows);
			const variant = await measure(`File of ${number(rows)} rows`, { step: 'file', path }, [
				build({ source: 'binary' }),
			]);
			fromFile.push({ ...variant, rows });
		}
		const ourMs = ours.ms - baseline.ms;
		const theirMs = theirs.ms - baseline.ms;
		const ourMemory = Math.max(0, ours.megabytes - baseline.megabytes);
		const theirMemory = Math.max(0, theirs.megabytes - baseline.megabytes);
		const [speed, memory, cost] = [theirMs / ourMs, ourMemory / theirMemory, ourMs / bareMs];
		const longestStall = Math.max(ours.stallMs, ...fromFile.map(({ stallMs }) => stallMs));
		return [
			'## The files of bulk imports',
			'',
			`Times are the median of ${TIMES} runs, memory is the growth of the peak in the first run, and a stall is the longest time in all runs in which a node itself let n8n do nothing else, without V8’s major garbage collections. The cost of passing on the items alone, in the first line, is subtracted from the times and the memory below it.`,
			'',
			`### A zipped file of ${number(ROWS)} items with 10 columns`,
			'',
			table(
				['', 'time (ms)', 'extra memory (MB)', 'longest stall (ms)'],
				[
					[
						'items alone',
						number(baseline.ms),
						number(baseline.megabytes),
						number(baseline.stallMs),
					],
					['File → Build', number(ourMs), number(ourMemory), number(ours.stallMs)],
					[
						'Convert to File, then Compression',
						number(theirMs),
						number(theirMemory),
						number(theirs.stallMs),
					],
					['the same text in plain Node', number(bareMs), '', ''],
				],
			),
			'',
			goalTable([
				["faster than n8n's nodes", `${decimal(speed)} ×`, 'at least 4 ×', speed >= 4],
				['of their extra memory', `${decimal(memory)} ×`, 'below 0.5 ×', memory < 0.5],
				['of the bare cost', `${decimal(cost)} ×`, 'at most 2.5 ×', cost <= 2.5],
				atMost('longest stall, those of the next table included', longestStall, 50, 'ms'),
			]),
			'',
			'### A zipped file of the rows of a file',
			'',
			table(
				['rows', 'time (ms)', 'per row (µs)', 'extra memory (MB)', 'longest stall (ms)'],
				fromFile.map(({ rows, ms, megabytes, stallMs }) => [
					number(rows),
					number(ms),
					decimal((ms / rows) * 1000),
					number(megabytes),
					number(stallMs),
				]),
			),
			'',
		];
	});
}
