import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { fromList, mapAutomatically } from '../hosts/locators';
import { say } from '../hosts/runWithProgress.mjs';
import { nativeNode } from '../hosts/workflows';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { JobService } from './jobService';
import { benchEnvironment, measureIn, type Measurement, writeRows } from './measure';
import { decimal, number, table, verdict } from './tables';

const SIZES = [10_000, 100_000, 1_000_000];
const ROWS_PER_FILE = 5000;
const TIMES = 3;
const MOST_STALL_MS = 50;
const MOST_DEVIATION = 0.15;

type Step = 'start' | 'join';

interface Cost {
	step: Step;
	rows: number;
	/** Processor time of the median run, in microseconds. */
	perRow: number;
	/** Of the median run. */
	seconds: number;
	megabytes: number;
	stallMs: number;
}

const source: INodeParameters = {
	source: 'binary',
	inputDataFieldName: 'data',
	sourceDelimiter: 'CSV',
};

function startNode(url: string): INodeParameters {
	return {
		resource: 'job',
		operation: 'createFromItems',
		...source,
		resourceType: fromList('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
		fieldMap: mapAutomatically,
		description: 'Long import',
		hosting: 'put',
		uploadUrl: `${url}/drop/{file}?sig=1`,
		downloadUrl: 'https://files.example.org/{file}',
		options: { waitForOutcome: 'none', maxRowsPerFile: ROWS_PER_FILE },
	};
}

function middle(values: number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function cost(step: Step, rows: number, measurements: Measurement[]): Cost {
	const median = middle(measurements.map(({ cpuMs }) => cpuMs));
	const result = {
		step,
		rows,
		perRow: (median / rows) * 1000,
		seconds: middle(measurements.map(({ ms }) => ms)) / 1000,
		megabytes: Math.max(...measurements.map(({ kilobytes }) => kilobytes)) / 1024,
		stallMs: Math.max(...measurements.map(({ stallMs }) => stallMs)),
	};
	say(
		`${step} ${number(rows)}: ${decimal(result.seconds)} s, ${decimal(result.perRow)} µs of processor time per row, ${number(result.megabytes)} MB, longest stall ${number(result.stallMs)} ms`,
	);
	return result;
}

async function measureSize(folder: string, rows: number): Promise<Cost[]> {
	const path = join(folder, `${rows}.csv`);
	await writeRows(path, rows);
	const running = await startSandboxedN8n({ env: benchEnvironment });
	const service = await JobService.start(running.sandbox.url);
	try {
		const credential = running.credential('demo');
		const rates = { rateTier: 'manual', rateHigh: 10_000, rateMedium: 10_000, rateLow: 10_000 };
		const id = await running.n8n.client.createCredential({
			...credential,
			data: { ...credential.data, baseUrl: service.url, ...rates },
		});
		const node = (parameters: INodeParameters) =>
			nativeNode('Import', 'nativeBulkImport', id, parameters);
		const file = { step: 'file', path };
		const started = await measureIn(running, file, [node(startNode(service.url))], TIMES);
		// The jobs of the first run.
		for (const jobId of service.jobs.keys())
			if (jobId > Math.ceil(rows / ROWS_PER_FILE)) service.jobs.delete(jobId);
		const read = node({
			resource: 'job',
			operation: 'getItemOutcomes',
			startedJobs: service.references(),
			...source,
			options: {},
		});
		const joined = await measureIn(running, file, [read], TIMES);
		return [cost('start', rows, started), cost('join', rows, joined)];
	} finally {
		await service.close();
		await running.close();
	}
}

/** Starting the jobs of a large file and joining their results later: lines of Markdown. */
export async function longImports(): Promise<string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-bench-'));
	try {
		const costs: Cost[] = [];
		for (const rows of SIZES) costs.push(...(await measureSize(folder, rows)));
		const verdicts = (['start', 'join'] as const).map((step) => {
			const perRow = costs.filter((each) => each.step === step).map((each) => each.perRow);
			const growth = (perRow.at(-1) ?? Number.NaN) / (perRow[0] ?? Number.NaN) - 1;
			return [
				`${step}: processor time per row of the largest beside the smallest`,
				`${growth >= 0 ? '+' : ''}${(growth * 100).toFixed(0)} %`,
				`at most +${MOST_DEVIATION * 100} %`,
				verdict(growth <= MOST_DEVIATION),
			];
		});
		const longest = Math.max(...costs.map(({ stallMs }) => stallMs));
		return [
			'## Imports whose outcome is read later',
			'',
			`From a file with 10 columns, ${number(ROWS_PER_FILE)} rows per job: Import Items without waiting, and Get Item Outcomes, which puts out the rows that were not imported (1 %). The service responds at once. Stalls are without major collections of V8’s garbage.`,
			'',
			table(
				[
					'',
					'rows',
					'jobs',
					'time (s)',
					'processor time per row (µs)',
					'extra memory (MB)',
					'longest stall (ms)',
				],
				costs.map(({ step, rows, seconds, perRow, megabytes, stallMs }) => [
					step,
					number(rows),
					number(Math.ceil(rows / ROWS_PER_FILE)),
					decimal(seconds),
					decimal(perRow),
					number(megabytes),
					number(stallMs),
				]),
			),
			'',
			table(
				['', 'measured', 'goal', ''],
				[
					...verdicts,
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
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
