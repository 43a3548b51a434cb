import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { fetch } from 'undici';
import { packageManifest } from '../hosts/packPackage';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';

const POSTS = 100_000;
const RATE = 200;
/** Enough posts to judge how n8n responds while they are sent; all would take 500 s. */
const SENT = 20 * RATE;
const MOST_MS = 200;
const WARM_UP = 20;
const STARTING_MS = 15 * 60 * 1000;
const KEY = '44444444-4444-4444-8444-444444444444';
const FIRST_PERSON = 100_001;

let running: SandboxedN8n;

before(
	async () => {
		running = await startSandboxedN8n({
			env: { N8N_PAYLOAD_SIZE_MAX: '64' },
			sandbox: { tier: 'custom', tenants: [{ name: 'dialler', key: KEY, extraPeople: 1000 }] },
		});
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await running?.close();
});

/** Publishes a workflow that its webhook starts; the nodes are in a row. */
async function publishWebhook(path: string, method: string, nodes: Array<Partial<INode>>) {
	const webhook = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: method, responseMode: 'onReceived' },
		webhookId: path,
	};
	const row = [webhook, ...nodes].map(
		(node, index): INode => ({
			typeVersion: 1,
			parameters: {},
			type: '',
			...node,
			id: String(index),
			name: `Node ${index}`,
			position: [index * 200, 0],
		}),
	);
	const { client, url } = running.n8n;
	const connections = Object.fromEntries(
		row
			.slice(1)
			.map(({ name }, index) => [
				`Node ${index}`,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
	);
	const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'none' } as const;
	await client.activate(
		await client.createWorkflow({ name: path, nodes: row, connections, settings }),
	);
	return `${url}/webhook/${path}`;
}

/** How long a webhook takes, called five times a second whether or not it has responded before. */
class Pings {
	readonly all: Array<{ at: number; ms: number }> = [];
	private isOver = false;

	constructor(private readonly url: string) {}

	async start(): Promise<void> {
		const pending = new Set<Promise<void>>();
		while (!this.isOver) {
			const ping = this.ping().finally(() => pending.delete(ping));
			pending.add(ping);
			await wait(200);
		}
		await Promise.all(pending);
	}

	stop(): void {
		this.isOver = true;
	}

	private async ping(): Promise<void> {
		const at = performance.now();
		const response = await fetch(this.url);
		await response.text();
		assert.equal(response.status, 200);
		this.all.push({ at, ms: performance.now() - at });
	}
}

function quantile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

it('a webhook responds at once while a hundred thousand posts are checked and sent', async (t) => {
	const { sandbox, n8n } = running;
	const credentialId = await n8n.client.createCredential(running.credential('dialler'));
	const post = await publishWebhook('many-posts', 'POST', [
		{ type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'body' } },
		{
			type: `${packageManifest.name}.nativeCanvassResponse`,
			credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
			onError: 'continueRegularOutput',
			parameters: {
				resource: 'canvassResponse',
				operation: 'create',
				nativeId: '={{ $json.body }}',
				canvassContext: {
					// The list is read before the first item is checked, which shows when that begins.
					contactTypeId: { __rl: true, mode: 'name', value: 'Phone' },
					skipMatching: true,
				},
				resultCodeId: { __rl: true, mode: 'id', value: '1' },
			},
		},
	]);
	const pings = new Pings(await publishWebhook('ping', 'GET', []));
	const pinging = pings.start();
	// The first ones also start up n8n.
	while (pings.all.length < WARM_UP) await wait(100);
	await wait(3000);
	const before = pings.all.slice(WARM_UP).map(({ ms }) => ms);

	const people = Array.from({ length: POSTS }, (_, index) => FIRST_PERSON + (index % 1000));
	await fetch(post, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(people),
	});
	const sent = () => sandbox.requests.filter(({ path }) => path.endsWith('/canvassResponses'));
	while (sent().length < SENT) await wait(250);
	pings.stop();
	await pinging;

	const checkedFrom = sandbox.requests.find(({ method }) => method === 'GET')?.atMs ?? Number.NaN;
	const sentFrom = sent()[0]?.atMs ?? Number.NaN;
	const phases = {
		'before the posts': before,
		[`while ${POSTS} posts are checked`]: pings.all
			.filter(({ at }) => at >= checkedFrom && at < sentFrom)
			.map(({ ms }) => ms),
		'while they are sent': pings.all.filter(({ at }) => at >= sentFrom).map(({ ms }) => ms),
	};
	const medians = Object.entries(phases).map(([phase, times]) => {
		const median = quantile(times, 0.5);
		t.diagnostic(
			`${phase}: ${times.length} calls of the webhook, median ${median.toFixed(0)} ms, 99th percentile ${quantile(times, 0.99).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
		);
		return { phase, median };
	});
	// On a busy machine every call takes longer, also those before the posts.
	const most = Math.max(MOST_MS, 10 * quantile(before, 0.5));
	for (const { phase, median } of medians) {
		assert.ok(median <= most, `${phase}: ${median.toFixed(0)} ms, at most ${most.toFixed(0)} ms`);
	}
});
