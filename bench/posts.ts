import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { SandboxOptions } from '../sandbox/index';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { say } from '../hosts/runWithProgress.mjs';
import { benchEnvironment, benchStep, publish, type MeasuredNode } from './measure';
import { decimal, number, percent, table, verdict } from './tables';

const TENANT = 'bench';
const KEY = '66666666-6666-4666-8666-666666666666';
/** Of the tier "custom": service.md 8.2. */
export const HIGH = 200;
const LOW = 4;
const RESPONSE_MS = 100;
export const POSTS = 4000;
const WORKFLOWS = 3;
const FOUND_OR_CREATED = 120;
const SIZES = [1000, 10_000, 100_000];
/** A key without limits, to measure what the calls cost by themselves. */
const UNLIMITED = { high: 1_000_000, medium: 1_000_000, low: 1_000_000, monthly: null };

const meterSchema = z.object({
	cpuMs: z.number(),
	peakKilobytes: z.number(),
	kilobytes: z.number(),
});

type Credentials = NonNullable<MeasuredNode['credentials']>;

const oursNode = (credentials: Credentials): MeasuredNode => ({
	type: 'n8n-nodes-native.nativeCanvassResponse',
	typeVersion: 1,
	credentials,
	onError: 'continueRegularOutput',
	parameters: {
		resource: 'canvassResponse',
		operation: 'create',
		canvassContext: {
			contactTypeId: { __rl: true, mode: 'id', value: '2' },
			// Or the service merges equal responses of one person.
			skipMatching: true,
		},
		resultCodeId: { __rl: true, mode: 'id', value: '1' },
	},
});

/** @param batching of the option with this name; none is n8n's default, all items at once */
const httpRequestNode =
	(url: string, batching?: { batchSize: number; batchInterval: number }) =>
	(credentials: Credentials): MeasuredNode => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.3,
		credentials,
		onError: 'continueRegularOutput',
		parameters: {
			method: 'POST',
			url: `=${url}/v2/people/{{ $json.personId }}/canvassResponses`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'nativeApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'{ "canvassContext": { "contactTypeId": 2, "skipMatching": true }, "resultCodeId": 1 }',
			options: batching ? { batching: { batch: batching } } : {},
		},
	});

interface Bench extends SandboxedN8n {
	folder: string;
	credentials: Credentials;
	meter: () => Promise<z.output<typeof meterSchema>>;
}

async function inBench<Result>(
	sandbox: SandboxOptions['tier'],
	people: number,
	rates: IDataObject,
	protocol: 'http' | 'https',
	work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-bench-'));
	const running = await startSandboxedN8n({
		env: benchEnvironment,
		sandbox: {
			tier: sandbox,
			tenants: [{ name: TENANT, key: KEY, extraPeople: people }],
		},
	});
	try {
		const credential = running.credential(TENANT);
		const id = await running.n8n.client.createCredential({
			...credential,
			data: {
				...credential.data,
				...rates,
				...(protocol === 'http' && { baseUrl: running.sandbox.url }),
			},
		});
		const readMeter = await publish(running, [benchStep({ step: 'meter' })]);
		const bench: Bench = Object.assign(running, {
			folder,
			credentials: { nativeApi: { id, name: credential.name } },
			meter: async () => meterSchema.parse(await readMeter()),
		});
		return await work(bench);
	} finally {
		await running.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Publishes a workflow that gives the items to the node, if there is one. */
async function workflowOf(
	{ folder, ...running }: Bench,
	items: readonly IDataObject[],
	node?: MeasuredNode,
): Promise<() => Promise<unknown>> {
	const path = join(folder, `${randomUUID()}.json`);
	writeFileSync(path, JSON.stringify(items));
	return await publish(running, [
		benchStep({ step: 'given', path }),
		...(node ? [node] : []),
		{ type: 'n8n-nodes-base.limit', typeVersion: 1, parameters: { maxItems: 1 } },
	]);
}

interface Cost {
	/** Of the whole n8n process. */
	cpuMs: number;
	/** Growth of its memory up to the peak. */
	megabytes: number;
}

/** What n8n uses while it runs these workflows at the same time. */
async function costOf(bench: Bench, runs: Array<() => Promise<unknown>>): Promise<Cost> {
	// n8n has things to do after a start and after an execution.
	await wait(3000);
	const before = await bench.meter();
	await Promise.all(runs.map(async (run) => await run()));
	const after = await bench.meter();
	return {
		cpuMs: after.cpuMs - before.cpuMs,
		megabytes: (after.peakKilobytes - before.kilobytes) / 1024,
	};
}

export interface Posted extends Cost {
	/** Calls taken by the service per second, from the first to the last. */
	perSecond: number;
	rejected: number;
	lost: number;
	doubled: number;
	sent: number;
}

function countArrived(bench: Bench, pathEnd: string): { perSecond: number; sent: number } {
	const calls = bench.sandbox.requests.filter(({ path }) => path.endsWith(pathEnd));
	const times = calls.filter(({ admitted }) => admitted).map(({ atMs }) => atMs);
	const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
	return { perSecond: (times.length - 1) / seconds, sent: calls.length };
}

/** Posts one canvass response for each of so many people, by several workflows at once. */
async function post(
	bench: Bench,
	responses: number,
	workflows: number,
	node: MeasuredNode,
): Promise<Posted> {
	const { control } = bench.sandbox;
	const people = control.people(TENANT).map(({ nativeId }) => ({ personId: nativeId }));
	const items = Array.from(
		{ length: responses },
		(_, index) => people[index % people.length] ?? {},
	);
	const shares = Array.from({ length: workflows }, (_, share) =>
		items.filter((_item, index) => index % workflows === share),
	);
	const withoutNode = await Promise.all(shares.map((share) => workflowOf(bench, share)));
	// The first run of a workflow also loads its nodes.
	await Promise.all(withoutNode.map(async (run) => await run()));
	const baseline = await costOf(bench, withoutNode);

	const runs = await Promise.all(shares.map((share) => workflowOf(bench, share, node)));
	control.clearRequests();
	const cost = await costOf(bench, runs);
	const stored = control.canvassResponses(TENANT);
	const distinct = new Set(stored.map(({ nativeId }) => nativeId)).size;
	const isEachPersonOnce = responses <= people.length;
	return {
		...countArrived(bench, '/canvassResponses'),
		cpuMs: cost.cpuMs - baseline.cpuMs,
		megabytes: cost.megabytes,
		rejected: control.stats().status429,
		lost: Math.max(0, responses - (isEachPersonOnce ? distinct : stored.length)),
		doubled: isEachPersonOnce ? stored.length - distinct : Math.max(0, stored.length - responses),
	};
}

interface Variant {
	name: string;
	node: (url: string) => (credentials: Credentials) => MeasuredNode;
}

/**
 * HTTP Request prepares its items one after the other, 4 to 5 ms each, and waits between the batches on top
 * of that. 50 every 50 ms is what came nearest to the limit with few rejections when tried by hand; 200
 * every 1,000 ms is what one enters first.
 */
export const variants: Variant[] = [
	{ name: 'Native Canvass Response', node: () => oursNode },
	{
		name: 'HTTP Request, tuned: 50 items every 50 ms',
		node: (url) => httpRequestNode(url, { batchSize: 50, batchInterval: 50 }),
	},
	{
		name: 'HTTP Request, 200 items every 1,000 ms',
		node: (url) => httpRequestNode(url, { batchSize: 200, batchInterval: 1000 }),
	},
	{ name: 'HTTP Request, default settings', node: (url) => httpRequestNode(url) },
];

export async function atTheLimit(
	variant: Variant,
	workflows: number,
	protocol: 'http' | 'https' = 'https',
	responseMs = RESPONSE_MS,
): Promise<Posted> {
	const rates = { rateTier: 'custom' };
	const measured = await inBench('custom', POSTS, rates, protocol, async (bench) => {
		bench.sandbox.control.addFault({
			method: 'POST',
			pathPrefix: '/people',
			count: 10 * POSTS,
			fault: { kind: 'latency', ms: responseMs },
		});
		return await post(
			bench,
			POSTS,
			workflows,
			variant.node(protocol === 'http' ? bench.sandbox.url : bench.sandbox.httpsUrl)(
				bench.credentials,
			),
		);
	});
	say(
		`${variant.name}, ${protocol}, ${workflows} at once, ${responseMs} ms: ${measured.perSecond.toFixed(1)} per second, ${measured.rejected} of ${measured.sent} rejected, ${measured.lost} lost, ${measured.doubled} doubled, ${(measured.cpuMs / POSTS).toFixed(2)} ms per item, ${measured.megabytes.toFixed(0)} MB`,
	);
	return measured;
}

const postsTable = (measured: Array<[Variant, Posted]>) =>
	table(
		[
			'',
			'of the limit',
			'rejected',
			'lost',
			'doubled',
			'processor time per item (ms)',
			'extra memory (MB)',
		],
		measured.map(([{ name }, of]) => [
			name,
			percent(of.perSecond / HIGH),
			`${number(of.rejected)} (${percent(of.rejected / of.sent)})`,
			number(of.lost),
			number(of.doubled),
			(of.cpuMs / POSTS).toFixed(2),
			number(of.megabytes),
		]),
	);

async function sendFindOrCreate(): Promise<number> {
	const perSecond = await inBench('custom', 0, { rateTier: 'custom' }, 'https', async (bench) => {
		const items = Array.from({ length: FOUND_OR_CREATED }, (_, index) => ({
			email: `new.${index}@example.org`,
		}));
		const run = await workflowOf(bench, items, {
			type: 'n8n-nodes-native.nativePeople',
			typeVersion: 1,
			credentials: bench.credentials,
			parameters: {
				resource: 'person',
				operation: 'findOrCreate',
				firstName: 'Ann',
				email: '={{ $json.email }}',
			},
		});
		await run();
		const { perSecond: pace, sent } = countArrived(bench, '/people/findOrCreate');
		if (sent !== FOUND_OR_CREATED) throw new Error(`${sent} calls for ${FOUND_OR_CREATED} people.`);
		return pace;
	});
	say(`Find or Create: ${perSecond.toFixed(3)} per second`);
	return perSecond;
}

async function withoutLimit(items: number): Promise<Posted> {
	const rates = { rateTier: 'manual', rateHigh: 20_000, rateMedium: 20_000, rateLow: 20_000 };
	const measured = await inBench(
		UNLIMITED,
		1000,
		rates,
		'https',
		async (bench) => await post(bench, items, 1, oursNode(bench.credentials)),
	);
	say(
		`${number(items)} items: ${(measured.cpuMs / items).toFixed(2)} ms each, ${measured.megabytes.toFixed(0)} MB, ${measured.lost} lost`,
	);
	return measured;
}

/** Calls for single records beside n8n's HTTP Request node: lines of Markdown. */
export async function posts(): Promise<string[]> {
	const alone: Array<[Variant, Posted]> = [];
	for (const variant of variants) alone.push([variant, await atTheLimit(variant, 1)]);
	const plain: Array<[Variant, Posted]> = [];
	for (const variant of variants.slice(0, 2)) {
		plain.push([variant, await atTheLimit(variant, 1, 'http')]);
	}
	const together: Array<[Variant, Posted]> = [];
	for (const variant of variants) together.push([variant, await atTheLimit(variant, WORKFLOWS)]);
	const findOrCreate = await sendFindOrCreate();
	const bySize: Array<[number, Posted]> = [];
	for (const size of SIZES) bySize.push([size, await withoutLimit(size)]);

	const [ours, tuned] = alone.map(([, measured]) => measured);
	const [oursTogether] = together.map(([, measured]) => measured);
	const [oursPlain, tunedPlain] = plain.map(([, measured]) => measured);
	if (!ours || !tuned || !oursTogether || !oursPlain || !tunedPlain) {
		throw new Error('Nothing was measured.');
	}
	const wrong = [ours, oursTogether, ...bySize.map(([, measured]) => measured)].reduce(
		(sum, { lost, doubled }) => sum + lost + doubled,
		0,
	);
	const atLeast = (name: string, share: number, goal: number) => [
		name,
		percent(share),
		`at least ${goal * 100} %`,
		verdict(share >= goal),
	];
	const atMost = (name: string, share: number, goal: number) => [
		name,
		percent(share),
		`at most ${goal * 100} %`,
		verdict(share <= goal),
	];
	const cpu = (where: string, our: Posted, their: Posted) => [
		`processor time per item of HTTP Request's, ${where}`,
		`${(our.cpuMs / their.cpuMs).toFixed(2)} ×`,
		'at most 0.5 ×',
		verdict(our.cpuMs / their.cpuMs <= 0.5),
	];
	return [
		'## Calls for single records',
		'',
		`${number(POSTS)} canvass responses, tier "custom" (${HIGH} per second), answers after ${RESPONSE_MS} ms. "Of the limit": calls that the service took, from the first to the last, per second. "Lost": items of which the service holds nothing afterwards; all nodes go on with the other items when one fails. Processor time is that of the n8n process beyond what it needs for the items alone. HTTP Request uses the same credential.`,
		'',
		'### One workflow',
		'',
		postsTable(alone),
		'',
		'n8n opens a new TLS connection for every call of either node, which is half of the processor time of ours. The same over http on this machine:',
		'',
		postsTable(plain),
		'',
		`### ${WORKFLOWS} workflows at once on one key`,
		'',
		postsTable(together),
		'',
		'### Goals',
		'',
		table(
			['', 'measured', 'goal', ''],
			[
				atLeast('pace, one workflow', ours.perSecond / HIGH, 0.98),
				atLeast(`pace, ${WORKFLOWS} workflows`, oursTogether.perSecond / HIGH, 0.95),
				atMost('rejected, one workflow', ours.rejected / ours.sent, 0.002),
				atMost(`rejected, ${WORKFLOWS} workflows`, oursTogether.rejected / oursTogether.sent, 0.02),
				['lost or doubled', number(wrong), 'none', verdict(wrong === 0)],
				cpu('http', oursPlain, tunedPlain),
				cpu('https', ours, tuned),
				atLeast(
					`pace of Find or Create (${LOW} per second, ${FOUND_OR_CREATED} people)`,
					findOrCreate / LOW,
					0.98,
				),
			],
		),
		'',
		'### More items, without a limit',
		'',
		'Canvass responses with a key that has no limit. The extra memory is mostly the items themselves, those that go in and those that come out.',
		'',
		table(
			['items', 'per second', 'processor time per item (ms)', 'extra memory (MB)'],
			bySize.map(([size, of]) => [
				number(size),
				number(of.perSecond),
				(of.cpuMs / size).toFixed(2),
				decimal(of.megabytes),
			]),
		),
		'',
	];
}
