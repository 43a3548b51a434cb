import { say } from '../hosts/runWithProgress.mjs';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';
import { importItemsNode } from '../hosts/workflows';
import { JobService } from './jobService';
import { inN8n, measureIn, type MeasuredNode } from './measure';
import { atMost, decimal, type Goal, goalTable, median, number, table } from './tables';

const ROWS = 100_000;
const TIMES = 3;

/** Mapped by hand. The rows also have the ID of a record: with it, nobody would be compared by name. */
const FIELDS = [
	'FirstName',
	'LastName',
	'AddressLine1',
	'City',
	'StateOrProvince',
	'ZipOrPostal',
	'Email',
	'Phone',
	'DOB',
];

interface Cost {
	ms: number;
	cpuMs: number;
	megabytes: number;
	stallMs: number;
}

const buildNode: MeasuredNode = {
	type: 'n8n-nodes-native.nativeBulkImport',
	typeVersion: 1,
	parameters: { resource: 'file', operation: 'build', source: 'items', options: {} },
};

/** What a node costs in an n8n of its own, so that the peak of its memory is that of this node. */
async function measure(
	name: string,
	nodeFor: (running: SandboxedN8n, service: JobService) => Promise<MeasuredNode[]>,
): Promise<Cost> {
	return await inN8n(async (running) => {
		const service = await JobService.start(running.sandbox.url);
		try {
			const nodes = await nodeFor(running, service);
			const runs = await measureIn(running, { step: 'rows', rows: ROWS }, nodes, TIMES);
			const cost = {
				ms: median(runs.map(({ ms }) => ms)),
				cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
				megabytes: (runs[0]?.kilobytes ?? Number.NaN) / 1024,
				stallMs: Math.max(...runs.map(({ stallMs }) => stallMs)),
			};
			say(
				`${name}: ${number(cost.ms)} ms, ${number(cost.cpuMs)} ms of processor time, ${number(cost.megabytes)} MB`,
			);
			return cost;
		} finally {
			await service.close();
		}
	});
}

async function importNode(running: SandboxedN8n, { url }: JobService): Promise<MeasuredNode> {
	const credential = running.credential('demo');
	const rates = { rateTier: 'manual', rateHigh: 10_000, rateMedium: 10_000, rateLow: 10_000 };
	const id = await running.n8n.client.createCredential({
		...credential,
		data: { ...credential.data, baseUrl: url, ...rates },
	});
	const parameters = {
		source: 'items',
		hosting: 'put',
		uploadUrl: `${url}/drop/{file}?sig=1`,
		downloadUrl: 'https://files.example.org/{file}',
		options: { waitForOutcome: 'none' },
	};
	const fields = FIELDS.map((name): [string, string] => [name, `={{ $json.${name} }}`]);
	return importItemsNode(id, parameters, Object.fromEntries(fields));
}

/**
 * Import Items from its start until its job is started, compared with the file of the same items alone: lines of
 * Markdown.
 */
export async function itemImports(): Promise<string[]> {
	const alone = await measure('Items alone', async () => await Promise.resolve([]));
	const build = await measure('File → Build', async () => await Promise.resolve([buildNode]));
	const start = await measure('Import Items', async (running, service) => [
		await importNode(running, service),
	]);
	const [buildMs, startMs] = [build.ms - alone.ms, start.ms - alone.ms];
	const megabytes = Math.max(0, start.megabytes - alone.megabytes);
	const [buildCpu, startCpu] = [build.cpuMs - alone.cpuMs, start.cpuMs - alone.cpuMs];
	const atMostTimes = (name: string, ratio: number): Goal => [
		name,
		`${decimal(ratio)} ×`,
		'at most 2.5 ×',
		ratio <= 2.5,
	];
	return [
		'## Imports of items, from start to upload',
		'',
		`${number(ROWS)} items with 10 columns: Import Items of ${FIELDS.length} fields that are mapped by hand, with its defaults and without waiting, compared with File → Build of the same items. Before the upload, everything is checked and cleaned, people are compared, and the file is written. The cost of passing on the items alone is subtracted. Processor time covers all threads; time includes the pauses in which n8n does other work, which are longer on a busy machine.`,
		'',
		table(
			['', 'time (ms)', 'processor time (ms)', 'longest stall (ms)'],
			[
				['File → Build', number(buildMs), number(buildCpu), number(build.stallMs)],
				['Import Items', number(startMs), number(startCpu), number(start.stallMs)],
			],
		),
		'',
		goalTable([
			atMostTimes('time relative to File → Build', startMs / buildMs),
			atMostTimes('processor time relative to File → Build', startCpu / buildCpu),
			atMost('extra memory of Import Items', megabytes, 100, 'MB'),
			atMost('longest stall of Import Items', start.stallMs, 50, 'ms'),
		]),
		'',
	];
}
