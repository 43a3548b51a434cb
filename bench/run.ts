/**
 * `npm run bench`: what the nodes cost, measured side by side in the real n8n, and written to
 * docs/performance.md. Needs Linux, for its count of memory.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';
import { say } from '../scripts/shownCommand.mjs';
import {
	bareCost,
	measuredInN8n,
	type Measurement,
	type MeasuredNode,
	resultReading,
	writeRows,
} from './measure';

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

/** The middle one, so that a single disturbance says nothing. */
function median(values: number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

interface Variant {
	ms: number;
	/** Of the first run, in a process that has not grown yet. */
	megabytes: number;
	stallMs: number;
}

function summed(measurements: Measurement[]): Variant {
	return {
		ms: median(measurements.map(({ ms }) => ms)),
		megabytes: (measurements[0]?.kilobytes ?? Number.NaN) / 1024,
		stallMs: Math.max(...measurements.map(({ stallMs }) => stallMs)),
	};
}

async function measured(
	name: string,
	source: INodeParameters,
	nodes: MeasuredNode[],
): Promise<Variant> {
	const variant = summed(await measuredInN8n(source, nodes, TIMES));
	say(
		`${name}: ${variant.ms.toFixed(0)} ms, ${variant.megabytes.toFixed(0)} MB, longest stall ${variant.stallMs.toFixed(0)} ms`,
	);
	return variant;
}

const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const decimal = (value: number) => value.toFixed(1);
const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

async function main(): Promise<void> {
	if (process.platform !== 'linux') throw new Error('The bench counts memory as Linux does.');
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-bench-'));
	try {
		const items = { step: 'rows', rows: ROWS };
		const baseline = await measured('Items alone', items, []);
		const ours = await measured('File → Build', items, [build({ source: 'items' })]);
		const theirs = await measured('Convert to File, Compression', items, n8nsOwn);
		const bareMs = median(await bareCost(ROWS));
		say(`Plain Node: ${bareMs.toFixed(0)} ms`);

		const fromFile: Array<Variant & { rows: number }> = [];
		for (const rows of [10_000, 1_000_000]) {
			const path = join(folder, `${rows}.csv`);
			await writeRows(path, rows);
			const variant = await measured(`File of ${number(rows)} rows`, { step: 'file', path }, [
				build({ source: 'binary' }),
			]);
			fromFile.push({ ...variant, rows });
		}
		const results: Array<{ rows: number; ms: number; kilobytes: number }> = [];
		for (const rows of [50_000, 500_000]) results.push({ rows, ...(await resultReading(rows)) });

		const ourMs = ours.ms - baseline.ms;
		const theirMs = theirs.ms - baseline.ms;
		const ourMemory = Math.max(0, ours.megabytes - baseline.megabytes);
		const theirMemory = Math.max(0, theirs.megabytes - baseline.megabytes);
		const longestStall = Math.max(ours.stallMs, ...fromFile.map(({ stallMs }) => stallMs));
		const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
		const document = [
			'# Performance',
			'',
			`Written by \`npm run bench\`; do not edit. Measured in n8n 2.8.4 on Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}. Every variant has an n8n process of its own; times are the median of ${TIMES} runs, memory is the growth of the peak in the first run, a stall is the longest time in all runs in which a node itself let n8n do nothing else. What n8n needs to hand on the items alone is taken off the times and the memory below it.`,
			'',
			`## A zipped file of ${number(ROWS)} items with 10 columns`,
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
			table(
				['', 'measured', 'goal', ''],
				[
					[
						"faster than n8n's nodes",
						`${decimal(theirMs / ourMs)} ×`,
						'at least 4 ×',
						verdict(theirMs / ourMs >= 4),
					],
					[
						'of their extra memory',
						`${decimal(ourMemory / theirMemory)} ×`,
						'below 0.5 ×',
						verdict(ourMemory / theirMemory < 0.5),
					],
					[
						'of the bare cost',
						`${decimal(ourMs / bareMs)} ×`,
						'at most 2.5 ×',
						verdict(ourMs / bareMs <= 2.5),
					],
					[
						'longest stall, those of the next table included',
						`${number(longestStall)} ms`,
						'at most 50 ms',
						verdict(longestStall <= 50),
					],
				],
			),
			'',
			'## A zipped file of the rows of a file',
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
			'## Reading a result file',
			'',
			table(
				['rows', 'time (ms)', 'per row (µs)', 'extra memory (MB)'],
				results.map(({ rows, ms, kilobytes }) => [
					number(rows),
					number(ms),
					decimal((ms / rows) * 1000),
					number(kilobytes / 1024),
				]),
			),
			'',
		].join('\n');
		const docs = join(__dirname, '..', 'docs');
		mkdirSync(docs, { recursive: true });
		const path = join(docs, 'performance.md');
		const formatted = await format(document, { ...(await resolveConfig(path)), filepath: path });
		writeFileSync(path, formatted);
		say(`\n${document}`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
