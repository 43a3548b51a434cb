import { join } from 'node:path';
import { say } from '../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { importFileNode, inN8n, measureIn, type Measurement, writeRows } from './measure';
import { atMost, decimal, goalTable, number, table } from './tables';

const SIZES = [100_000, 1_000_000];
const MOST_STALL_MS = 50;

/** The one reading in which an import sees all rows before it sends any: lines of Markdown. */
export async function survey(): Promise<string[]> {
	const measured: Array<Measurement & { rows: number }> = [];
	await inTemporaryFolder(async (folder) => {
		for (const rows of SIZES) {
			const path = join(folder, `${rows}.csv`);
			await writeRows(path, rows);
			const [one] = await inN8n(async (running) => {
				const id = await running.n8n.client.createCredential(running.credential('demo'));
				const node = importFileNode(id, running.sandbox.url, { dryRun: true });
				return await measureIn(running, { step: 'file', path, profile: true }, [node], 1);
			});
			if (!one) throw new Error('Nothing was measured.');
			measured.push({ ...one, rows });
			say(`Survey, ${number(rows)} rows: ${number(one.ms)} ms`);
		}
	});
	return [
		'## The survey of a list',
		'',
		'Import Items with Only Show and otherwise its defaults, from a file with 10 columns: it judges each value and each row, compares people, counts opt-outs, and writes the files.',
		'',
		table(
			['rows', 'time (s)', 'per row (µs)', 'extra memory (MB)', 'longest stall (ms)'],
			measured.map(({ rows, ms, kilobytes, stallMs }) => [
				number(rows),
				decimal(ms / 1000),
				decimal((ms / rows) * 1000),
				number(kilobytes / 1024),
				number(stallMs),
			]),
		),
		'',
		goalTable([
			atMost(
				'longest stall',
				Math.max(...measured.map(({ stallMs }) => stallMs)),
				MOST_STALL_MS,
				'ms',
			),
		]),
		'',
	];
}
