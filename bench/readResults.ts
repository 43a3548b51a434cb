/**
 * Reads a made-up result file and prints time, CPU time, the longest stall and peak memory:
 * `tsx readResults.ts <rows> <how>`, where how is `join` (as Import Items does), `rows` (as Get Results
 * does) or `split` (the same text split in plain Node, to compare with).
 */
import { readResultRows } from '../nodes/shared/importFile/resultFile';
import { TimeSlice } from '../nodes/shared/execution/timeSlice';
import { RowOutcomes } from '../nodes/NativeBulkImport/importItems/rowOutcomes';
import { resultFile, RUN } from './resultFile';

const ways: Record<string, (rows: number) => Promise<unknown>> = {
	async join(rows) {
		const outcomes = new RowOutcomes('N8nItem', rows, false);
		const job = { jobId: 1, run: RUN, first: 0, end: rows };
		for await (const batch of readResultRows(resultFile(rows), ['N8nItem']))
			for (const row of batch) outcomes.add(job, row);
		return outcomes;
	},
	async rows(rows) {
		const slice = new TimeSlice(undefined);
		const output: unknown[] = [];
		for await (const batch of readResultRows(resultFile(rows), ['N8nItem'])) {
			if (slice.isOver) await slice.yield();
			for (const row of batch) output.push({ json: { jobId: 1, ...row }, pairedItem: { item: 0 } });
		}
		return output;
	},
	async split(rows) {
		const output: string[][] = [];
		for await (const chunk of resultFile(rows))
			for (const line of Buffer.from(chunk).toString().split('\r\n')) output.push(line.split(','));
		return output;
	},
};

async function main(): Promise<void> {
	const [, , count = '1000000', how = 'join'] = process.argv;
	const read = ways[how];
	if (!read) throw new Error(`There is no way ${how}: ${Object.keys(ways).join(', ')}.`);
	let latest = performance.now();
	let stallMs = 0;
	const watch = setInterval(() => {
		const now = performance.now();
		stallMs = Math.max(stallMs, now - latest - 1);
		latest = now;
	}, 1);
	const before = process.resourceUsage().maxRSS;
	const start = performance.now();
	const cpu = process.cpuUsage();
	const result = await read(Number(count));
	const { user, system } = process.cpuUsage(cpu);
	const ms = performance.now() - start;
	clearInterval(watch);
	const kilobytes = process.resourceUsage().maxRSS - before;
	const cpuMs = (user + system) / 1000;
	process.stdout.write(JSON.stringify({ ms, cpuMs, stallMs, kilobytes }));
	if (result === undefined) process.exitCode = 1;
}

void main();
