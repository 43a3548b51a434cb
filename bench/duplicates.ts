import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { fromList, mapAutomatically } from '../hosts/locators';
import { say } from '../hosts/runWithProgress.mjs';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { nativeNode } from '../hosts/workflows';
import { benchEnvironment, measureIn, type Measurement, writeRows } from './measure';
import { decimal, number, table, verdict } from './tables';

const SIZES = [10_000, 1_000_000];
const CHOICES = { report: 'Report', last: 'Keep Last' };
const MOST_STALL_MS = 50;
/** 16 bytes per row and per value: record ID, email address, phone number, address, and two with the name. */
const MOST_BYTES = 16 * 8;

const node = (url: string, options: INodeParameters): INodeParameters => ({
	resource: 'job',
	operation: 'createFromItems',
	source: 'binary',
	inputDataFieldName: 'data',
	sourceDelimiter: 'CSV',
	resourceType: fromList('Contacts'),
	mappingTypes: ['CreateOrUpdateContact'],
	fieldMap: mapAutomatically,
	description: 'Duplicates',
	hosting: 'put',
	uploadUrl: `${url}/drop/{file}?sig=1`,
	downloadUrl: 'https://files.example.org/{file}',
	options: { dryRun: true, ...options },
});

/** A dry run of a file, which does everything but send: lines of Markdown. */
export async function duplicates(): Promise<string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-bench-'));
	const measured: Array<Measurement & { rows: number; name: string }> = [];
	try {
		for (const rows of SIZES) {
			const path = join(folder, `${rows}.csv`);
			await writeRows(path, rows);
			for (const [choice, name] of Object.entries(CHOICES)) {
				const running = await startSandboxedN8n({ env: benchEnvironment });
				try {
					const id = await running.n8n.client.createCredential(running.credential('demo'));
					const parameters = node(running.sandbox.url, { duplicates: choice });
					const [one] = await measureIn(
						running,
						{ step: 'file', path },
						[nativeNode('Import', 'nativeBulkImport', id, parameters)],
						1,
					);
					if (!one) throw new Error('Nothing was measured.');
					measured.push({ ...one, rows, name });
					say(`${name}, ${number(rows)} rows: ${number(one.ms)} ms`);
				} finally {
					await running.close();
				}
			}
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	const longest = Math.max(...measured.map(({ stallMs }) => stallMs));
	const growth = Object.values(CHOICES).map((name) => {
		const [small, large] = measured.filter((one) => one.name === name);
		return ((large?.kilobytes ?? 0) - (small?.kilobytes ?? 0)) * 1024;
	});
	const perRow = Math.max(...growth) / ((SIZES[1] ?? 0) - (SIZES[0] ?? 0));
	return [
		'## Duplicates in the list',
		'',
		'Import Items, Dry Run, from a file with 10 columns, 7 of which tell who a person is.',
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
		table(
			['', 'measured', 'goal', ''],
			[
				[
					'memory that grows with the rows',
					`${number(perRow)} bytes per row`,
					`at most ${MOST_BYTES}`,
					verdict(perRow <= MOST_BYTES),
				],
				[
					'longest stall',
					`${number(longest)} ms`,
					`at most ${MOST_STALL_MS} ms`,
					verdict(longest <= MOST_STALL_MS),
				],
			],
		),
		'',
	];
}
