import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject, INodeCredentials, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { SandboxOptions } from '../sandbox/index';
import type { SandboxedN8n } from '../hosts/sandboxedN8n';
import { say } from '../hosts/runWithProgress.mjs';
import { nativeCredential, nativeNode, postNode } from '../hosts/workflows';
import { benchStep, inN8n, publish, type MeasuredNode } from './measure';
import { type Goal, goalTable, number, percent, table, total } from './tables';

export const TENANT = 'bench';
const KEY = '66666666-6666-4666-8666-666666666666';
/** The High rate of the tier "custom": service.md 8.2. */
export const HIGH = 200;
const LOW = 4;
const RESPONSE_MS = 100;
export const POSTS = 4000;
const WORKFLOWS = 3;
const FOUND_OR_CREATED = 80;

const meterSchema = z.object({
	cpuMs: z.number(),
	peakKilobytes: z.number(),
	kilobytes: z.number(),
});

/** This package's node, which continues with the other items when one fails. */
export const ourNode = ({ credentialId }: Pick<Bench, 'credentialId'>): MeasuredNode => ({
	...postNode(credentialId),
	onError: 'continueRegularOutput',
});

const USER = 'apiuser';
const BASIC = `Basic ${Buffer.from(`${USER}:${KEY}`).toString('base64')}`;
/** How HTTP Request gets the key. */
const KEY_KINDS = {
	'key typed in a header': {
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'Authorization', value: BASIC }] },
	},
	'Basic credential': {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBasicAuth',
	},
	"this package's credential": {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'nativeApi',
	},
} satisfies Record<string, INodeParameters>;
type KeyKind = keyof typeof KEY_KINDS;

const BATCH_SIZE = 50;

/** @param pauseMs between its batches */
const httpRequestNode = (
	url: string,
	kind: KeyKind,
	pauseMs: number,
	credentials: INodeCredentials,
): MeasuredNode => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.3,
	credentials: kind === 'key typed in a header' ? {} : credentials,
	onError: 'continueRegularOutput',
	parameters: {
		method: 'POST',
		url: `=${url}/v2/people/{{ $json.personId }}/canvassResponses`,
		...KEY_KINDS[kind],
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'{ "canvassContext": { "contactTypeId": 2, "skipMatching": true }, "resultCodeId": 1 }',
		options: { batching: { batch: { batchSize: BATCH_SIZE, batchInterval: pauseMs } } },
	},
});

export interface Bench extends SandboxedN8n {
	credentialId: string;
	credentials: INodeCredentials;
	meter: () => Promise<z.output<typeof meterSchema>>;
}

type Protocol = 'http' | 'https';

export async function inBench<Result>(
	tier: SandboxOptions['tier'],
	people: number,
	rates: IDataObject,
	protocol: Protocol,
	work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
	const sandbox = { tier, tenants: [{ name: TENANT, key: KEY, extraPeople: people }] };
	return await inN8n(async (running) => {
		const credential = running.credential(TENANT);
		const id = await running.n8n.client.createCredential({
			...credential,
			data: {
				...credential.data,
				...rates,
				...(protocol === 'http' && { baseUrl: running.sandbox.url }),
			},
		});
		const basic = await running.n8n.client.createCredential({
			name: 'Basic',
			type: 'httpBasicAuth',
			data: { user: USER, password: KEY },
		});
		const readMeter = await publish(running, [benchStep({ step: 'meter' })]);
		const bench: Bench = Object.assign(running, {
			credentialId: id,
			credentials: {
				...nativeCredential(id),
				httpBasicAuth: { id: basic, name: 'Basic' },
			},
			meter: async () => meterSchema.parse(await readMeter()),
		});
		return await work(bench);
	}, sandbox);
}

/** Publishes a workflow that gives the items to the node, if there is one. */
export async function workflowOf(
	running: Bench,
	items: readonly IDataObject[],
	node?: MeasuredNode,
): Promise<() => Promise<unknown>> {
	const path = join(running.filesFolder, `${randomUUID()}.json`);
	writeFileSync(path, JSON.stringify(items));
	return await publish(running, [
		benchStep({ step: 'given', path }),
		...(node ? [node] : []),
		{ type: 'n8n-nodes-base.limit', typeVersion: 1, parameters: { maxItems: 1 } },
	]);
}

interface Cost {
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

export function countArrived(
	bench: Pick<Bench, 'sandbox'>,
	pathEnd: string,
): { perSecond: number; sent: number } {
	const calls = bench.sandbox.requests.filter(({ path }) => path.endsWith(pathEnd));
	const times = calls.filter(({ admitted }) => admitted).map(({ atMs }) => atMs);
	const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
	return { perSecond: (times.length - 1) / seconds, sent: calls.length };
}

/** Posts one canvass response for each of this many people, from several workflows at once. */
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
	const storedBefore = control.canvassResponses(TENANT).length;
	const rejectedBefore = control.stats().status429;
	const cost = await costOf(bench, runs);
	const stored = control.canvassResponses(TENANT).slice(storedBefore);
	const distinct = new Set(stored.map(({ nativeId }) => nativeId)).size;
	const isEachPersonOnce = responses <= people.length;
	return {
		...countArrived(bench, '/canvassResponses'),
		cpuMs: cost.cpuMs - baseline.cpuMs,
		megabytes: cost.megabytes,
		rejected: control.stats().status429 - rejectedBefore,
		lost: Math.max(0, responses - (isEachPersonOnce ? distinct : stored.length)),
		doubled: isEachPersonOnce ? stored.length - distinct : Math.max(0, stored.length - responses),
	};
}

/** The service takes so long for each post from now on. */
export function delayPosts(bench: Pick<Bench, 'sandbox'>, ms: number): void {
	bench.sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/people',
		count: 1_000_000,
		fault: { kind: 'latency', ms },
	});
}

function report(name: string, measured: Posted, count: number): Posted {
	const { perSecond, rejected, sent, lost, doubled, cpuMs, megabytes } = measured;
	say(
		`${name}: ${perSecond.toFixed(1)} per second, ${rejected} of ${sent} rejected, ${lost} lost, ${doubled} doubled, ${(cpuMs / count).toFixed(2)} ms per item, ${megabytes.toFixed(0)} MB`,
	);
	return measured;
}

/** An n8n in which the key has the limits of a custom integration, and posts take their time. */
const withLimits = async <Result>(
	protocol: Protocol,
	responseMs: number,
	work: (bench: Bench) => Promise<Result>,
): Promise<Result> =>
	await inBench('custom', POSTS, { rateTier: 'custom' }, protocol, async (bench) => {
		delayPosts(bench, responseMs);
		return await work(bench);
	});

/** This package's node at the limit of the key. */
export async function atTheLimit(
	workflows: number,
	protocol: Protocol,
	responseMs = RESPONSE_MS,
): Promise<Posted> {
	return await withLimits(protocol, responseMs, async (bench) => {
		const measured = await post(bench, POSTS, workflows, ourNode(bench));
		return report(`${protocol}, ${workflows} at once, ${responseMs} ms`, measured, POSTS);
	});
}

/** Pauses between batches of HTTP Request that are tried; the items of a batch take extra time. */
const TRIED_PAUSES_MS = [50, 100, 150, 200, 250];
const TRIED_POSTS = 1000;
/** A setting that more are rejected with is not a tuned one. */
const MOST_REJECTED = 0.01;

interface Rival {
	kind: KeyKind;
	pauseMs: number;
	measured: Posted;
}

async function sendByHttpRequest(
	bench: Bench,
	protocol: Protocol,
	kind: KeyKind,
	pauseMs: number,
	count: number,
): Promise<Posted> {
	const url = protocol === 'http' ? bench.sandbox.url : bench.sandbox.httpsUrl;
	const node = httpRequestNode(url, kind, pauseMs, bench.credentials);
	const name = `HTTP Request, ${kind}, ${protocol}, ${BATCH_SIZE} every ${pauseMs} ms`;
	return report(name, await post(bench, count, 1, node), count);
}

/** The pauses with which HTTP Request comes nearest to the limit, for each kind of key. */
async function tuneRivals(protocol: Protocol): Promise<Array<[KeyKind, number]>> {
	return await withLimits(protocol, RESPONSE_MS, async (bench) => {
		const found: Array<[KeyKind, number]> = [];
		for (const kind of Object.keys(KEY_KINDS) as KeyKind[]) {
			let best: { pauseMs: number; value: number } | undefined;
			for (const pauseMs of TRIED_PAUSES_MS) {
				const posted = await sendByHttpRequest(bench, protocol, kind, pauseMs, TRIED_POSTS);
				const rejected = posted.rejected / posted.sent;
				const value = rejected <= MOST_REJECTED ? posted.perSecond : -rejected;
				if (!best || value > best.value) best = { pauseMs, value };
			}
			if (best) found.push([kind, best.pauseMs]);
		}
		return found;
	});
}

/** The speed of the machine varies, so the nodes alternate this many times. */
const ROUNDS = 3;

/** The run with the middle processor time, with what any of them lost or doubled. */
function middleOf(runs: Posted[]): Posted {
	const middle = [...runs].sort((a, b) => a.cpuMs - b.cpuMs)[Math.floor(runs.length / 2)];
	if (!middle) throw new Error('Nothing was measured.');
	const lost = total(runs.map((run) => run.lost));
	const doubled = total(runs.map((run) => run.doubled));
	return { ...middle, lost, doubled };
}

/** This package's node and HTTP Request in turn. */
async function measureInTurn(protocol: Protocol): Promise<{ ours: Posted; rivals: Rival[] }> {
	const tuned = await tuneRivals(protocol);
	const ours: Posted[] = [];
	const theirs = new Map<KeyKind, Posted[]>();
	for (let round = 0; round < ROUNDS; round++) {
		// Each in an n8n of its own: what ran before makes later runs cheaper.
		ours.push(await atTheLimit(1, protocol));
		for (const [kind, pauseMs] of tuned) {
			const measured = await withLimits(
				protocol,
				RESPONSE_MS,
				async (bench) => await sendByHttpRequest(bench, protocol, kind, pauseMs, POSTS),
			);
			theirs.set(kind, [...(theirs.get(kind) ?? []), measured]);
		}
	}
	const rivals = tuned.map(([kind, pauseMs]) => ({
		kind,
		pauseMs,
		measured: middleOf(theirs.get(kind) ?? []),
	}));
	return { ours: middleOf(ours), rivals };
}

const postsTable = (measured: Array<[string, Posted]>) =>
	table(
		[
			'',
			'of the limit',
			'rejected',
			'lost',
			'doubled',
			'CPU time per item (ms)',
			'extra memory (MB)',
		],
		measured.map(([name, of]) => [
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
		const findOrCreate = nativeNode('Find or Create', 'nativePeople', bench.credentialId, {
			resource: 'person',
			operation: 'findOrCreate',
			firstName: 'Ann',
			email: '={{ $json.email }}',
		});
		const run = await workflowOf(bench, items, findOrCreate);
		await run();
		const { perSecond: pace, sent } = countArrived(bench, '/people/findOrCreate');
		if (sent !== FOUND_OR_CREATED) throw new Error(`${sent} calls for ${FOUND_OR_CREATED} people.`);
		return pace;
	});
	say(`Find or Create: ${perSecond.toFixed(3)} per second`);
	return perSecond;
}

/** Our CPU time as a share of HTTP Request's: at most so much over http; n8n's connections cost the rest. */
const GOALS: Record<Protocol, Record<KeyKind, number>> = {
	http: {
		'key typed in a header': 0.8,
		'Basic credential': 0.5,
		"this package's credential": 0.4,
	},
	https: {
		'key typed in a header': 1,
		'Basic credential': 0.65,
		"this package's credential": 0.5,
	},
};

/** Calls for single records, compared with n8n's HTTP Request node: lines of Markdown. */
export async function posts(): Promise<string[]> {
	const measured = { http: await measureInTurn('http'), https: await measureInTurn('https') };
	const together = await atTheLimit(WORKFLOWS, 'https');
	const findOrCreate = await sendFindOrCreate();
	const { ours } = measured.https;
	const wrong = total(
		[measured.http.ours, ours, together].map(({ lost, doubled }) => lost + doubled),
	);
	const share = (name: string, value: number, goal: number, isLeast: boolean): Goal => [
		name,
		percent(value),
		`at ${isLeast ? 'least' : 'most'} ${goal * 100} %`,
		isLeast ? value >= goal : value <= goal,
	];
	const cpu = (protocol: Protocol) =>
		measured[protocol].rivals.map(({ kind, measured: theirs }): Goal => {
			const times = measured[protocol].ours.cpuMs / theirs.cpuMs;
			const goal = GOALS[protocol][kind];
			const name = `CPU time of HTTP Request's, ${protocol}, ${kind}`;
			return [name, `${times.toFixed(2)} ×`, `at most ${goal} ×`, times <= goal];
		});
	const all = (protocol: Protocol): Array<[string, Posted]> => [
		['Native Canvass Response', measured[protocol].ours],
		...measured[protocol].rivals.map(({ kind, pauseMs, measured: theirs }): [string, Posted] => [
			`HTTP Request, ${kind}, ${BATCH_SIZE} items every ${pauseMs} ms`,
			theirs,
		]),
	];
	return [
		'## Calls for single records',
		'',
		`${number(POSTS)} canvass responses, tier "custom" (${HIGH} per second), responses after ${RESPONSE_MS} ms. "Of the limit" is the number of calls per second that the service accepted, from the first to the last. "Lost" are items of which the service has nothing afterwards; all nodes continue with the other items when one fails. CPU time is that of the n8n process, without what it needs for the items alone. HTTP Request is tuned by trying ${TRIED_PAUSES_MS.length} pauses between its batches for each kind of key. Every row is the run with the middle processor time of ${ROUNDS}, in which the nodes took turns, each in a newly started n8n of its own; what any of the runs lost or doubled is counted.`,
		'',
		'### Over http',
		'',
		postsTable(all('http')),
		'',
		'### Over https',
		'',
		'n8n opens a new TLS connection for every call of either node.',
		'',
		postsTable(all('https')),
		'',
		`### ${WORKFLOWS} workflows at once on one key`,
		'',
		postsTable([['Native Canvass Response', together]]),
		'',
		'### Goals',
		'',
		goalTable([
			share('pace, one workflow', ours.perSecond / HIGH, 0.98, true),
			share(`pace, ${WORKFLOWS} workflows`, together.perSecond / HIGH, 0.98, true),
			share('rejected, one workflow', ours.rejected / ours.sent, 0.002, false),
			share(`rejected, ${WORKFLOWS} workflows`, together.rejected / together.sent, 0.002, false),
			['lost or doubled', number(wrong), 'none', wrong === 0],
			...cpu('http'),
			...cpu('https'),
			share(
				`pace of Find or Create (${LOW} per second, ${FOUND_OR_CREATED} people)`,
				findOrCreate / LOW,
				0.98,
				true,
			),
		]),
		'',
	];
}
