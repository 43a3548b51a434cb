import { join } from 'node:path';
import { say } from '../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { nativeNode } from '../hosts/workflows';
import { JobService } from './jobService';
import {
	FROM_FILE,
	importFileNode,
	inN8n,
	measureIn,
	type Measurement,
	writeRows,
} from './measure';
import { atMost, decimal, type Goal, goalTable, median, number, table } from './tables';

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
	seconds: number;
	megabytes: number;
	stallMs: number;
}

function cost(step: Step, rows: number, measurements: Measurement[]): Cost {
	const result = {
		step,
		rows,
		perRow: (median(measurements.map(({ cpuMs }) => cpuMs)) / rows) * 1000,
		seconds: median(measurements.map(({ ms }) => ms)) / 1000,
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
	return await inN8n(async (running) => {
		const service = await JobService.start(running.sandbox.url);
		const credential = running.credential('demo');
		const rates = { rateTier: 'manual', rateHigh: 10_000, rateMedium: 10_000, rateLow: 10_000 };
		const id = await running.n8n.client.createCredential({
			...credential,
			data: { ...credential.data, baseUrl: service.url, ...rates },
		});
		const file = { step: 'file', path };
		const options = { waitForOutcome: 'none', maxRowsPerFile: ROWS_PER_FILE };
		const start = importFileNode(id, service.url, options);
		try {
			const started = await measureIn(running, file, [start], TIMES);
			// The jobs of the first run.
			for (const jobId of service.jobs.keys())
				if (jobId > Math.ceil(rows / ROWS_PER_FILE)) service.jobs.delete(jobId);
			const read = nativeNode('Read', 'nativeBulkImport', id, {
				resource: 'job',
				operation: 'getItemOutcomes',
				startedJobs: service.references(),
				...FROM_FILE,
				options: {},
			});
			const joined = await measureIn(running, file, [read], TIMES);
			return [cost('start', rows, started), cost('join', rows, joined)];
		} finally {
			await service.close();
		}
	});
}

/** Starting the jobs of a large file and joining their results later: lines of Markdown. */
export async function longImports(): Promise<string[]> {
	return await inTemporaryFolder(async (folder) => {
		const costs: Cost[] = [];
		for (const rows of SIZES) costs.push(...(await measureSize(folder, rows)));
		const goals = (['start', 'join'] as const).map((step): Goal => {
			const perRow = costs.filter((each) => each.step === step).map((each) => each.perRow);
			const growth = (perRow.at(-1) ?? Number.NaN) / (perRow[0] ?? Number.NaN) - 1;
			return [
				`${step}: processor time per row of the largest relative to the smallest`,
				`${growth >= 0 ? '+' : ''}${(growth * 100).toFixed(0)} %`,
				`at most +${MOST_DEVIATION * 100} %`,
				growth <= MOST_DEVIATION,
			];
		});
		const longest = Math.max(...costs.map(({ stallMs }) => stallMs));
		return [
			'## Imports whose outcome is read later',
			'',
			`From a file with 10 columns, ${number(ROWS_PER_FILE)} rows per job: Import Items without waiting, and Get Item Outcomes, which returns the rows that were not imported (1 %). The service responds at once. Stalls do not include V8’s major garbage collections.`,
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
			goalTable([...goals, atMost('longest stall', longest, MOST_STALL_MS, 'ms')]),
			'',
		];
	});
}
