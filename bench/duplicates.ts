import { join } from 'node:path';
import { say } from '../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { importFileNode, inN8n, measureIn, type Measurement, writeRows } from './measure';
import { atMost, decimal, goalTable, number, table } from './tables';

const SIZES = [10_000, 1_000_000];
const CHOICES = { report: 'Report', last: 'Keep Last' };
const MOST_STALL_MS = 50;
/** 16 bytes per row and per value: record ID, email address, phone number, address, and two with the name. */
const MOST_BYTES = 16 * 8;

/** A dry run of a file, which does everything but send: lines of Markdown. */
export async function duplicates(): Promise<string[]> {
	const measured: Array<Measurement & { rows: number; name: string }> = [];
	await inTemporaryFolder(async (folder) => {
		for (const rows of SIZES) {
			const path = join(folder, `${rows}.csv`);
			await writeRows(path, rows);
			for (const [choice, name] of Object.entries(CHOICES)) {
				const [one] = await inN8n(async (running) => {
					const id = await running.n8n.client.createCredential(running.credential('demo'));
					const options = { dryRun: true, duplicates: choice };
					const node = importFileNode(id, running.sandbox.url, options);
					return await measureIn(running, { step: 'file', path, profile: true }, [node], 1);
				});
				if (!one) throw new Error('Nothing was measured.');
				measured.push({ ...one, rows, name });
				say(`${name}, ${number(rows)} rows: ${number(one.ms)} ms`);
			}
		}
	});
	const longest = Math.max(...measured.map(({ stallMs }) => stallMs));
	const growth = Object.values(CHOICES).map((name) => {
		const [small, large] = measured.filter((one) => one.name === name);
		return ((large?.kilobytes ?? 0) - (small?.kilobytes ?? 0)) * 1024;
	});
	const perRow = Math.max(...growth) / ((SIZES[1] ?? 0) - (SIZES[0] ?? 0));
	return [
		'## Duplicates in the list',
		'',
		'Import Items, Only Show, from a file with 10 columns, 7 of which tell who a person is.',
		'',
		table(
			['', 'rows', 'time (s)', 'per row (µs)', 'extra memory (MB)', 'longest stall (ms)'],
			measured.map(({ name, rows, ms, kilobytes, stallMs }) => [
				name,
				number(rows),
				decimal(ms / 1000),
				decimal((ms / rows) * 1000),
				number(kilobytes / 1024),
				number(stallMs),
			]),
		),
		'',
		goalTable([
			[
				'memory that grows with the rows',
				`${number(perRow)} bytes per row`,
				`at most ${MOST_BYTES}`,
				perRow <= MOST_BYTES,
			],
			atMost('longest stall', longest, MOST_STALL_MS, 'ms'),
		]),
		'',
	];
}
