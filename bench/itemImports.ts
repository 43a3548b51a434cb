import { say } from '../hosts/runWithProgress.mjs';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';
import { importItemsNode } from '../hosts/workflows';
import { mapAutomatically } from '../hosts/locators';
import { JobService } from './jobService';
import { inN8n, measureIn, type MeasuredNode } from './measure';
import { atMost, decimal, goalTable, median, number, table } from './tables';

const ROWS = 100_000;
const TIMES = 3;

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
	return importItemsNode(id, {
		source: 'items',
		fieldMap: mapAutomatically,
		hosting: 'put',
		uploadUrl: `${url}/drop/{file}?sig=1`,
		downloadUrl: 'https://files.example.org/{file}',
		options: { waitForOutcome: 'none' },
	});
}

/**
 * Import Items from its start until its job is started, beside the file of the same items alone: lines of
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
	const ratio = startMs / buildMs;
	return [
		'## Imports of items, from start to upload',
		'',
		`${number(ROWS)} items with 10 columns: Import Items with its defaults, without waiting, beside File → Build of the same items. Everything is checked and cleaned, people are compared, and the file is written, before it is uploaded. What n8n needs to hand on the items alone is taken off.`,
		'',
		table(
			['', 'time (ms)', 'processor time (ms)', 'longest stall (ms)'],
			[
				['File → Build', number(buildMs), number(build.cpuMs - alone.cpuMs), number(build.stallMs)],
				['Import Items', number(startMs), number(start.cpuMs - alone.cpuMs), number(start.stallMs)],
			],
		),
		'',
		goalTable([
			['Import Items beside File → Build', `${decimal(ratio)} ×`, 'at most 2.5 ×', ratio <= 2.5],
			atMost('extra memory of Import Items', megabytes, 100, 'MB'),
			atMost('longest stall of Import Items', start.stallMs, 50, 'ms'),
		]),
		'',
	];
}
