import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fetch } from 'undici';
import { byName } from '../hosts/locators';
import { mainThreadTime, slowness } from '../hosts/processorTime';
import { waitUntil } from '../hosts/waitUntil';
import { postNode, rowWorkflow, webhook, type NodeInRow } from '../hosts/workflows';
import { DIALLER, diallerSandbox, postsTo, RATE } from './canvassShift';
import { n8nForTests } from './testN8n';

/** Checking them takes n8n long enough to be called dozens of times meanwhile. */
const POSTS = 20_000;
/** Enough posts to judge how n8n responds while they are sent; all would take 100 s. */
const SENT = 20 * RATE;
/**
 * Far less than n8n takes to check the posts without a pause. How long one turn of its event loop may be is
 * measured in test/unit/execution; here other tests run at the same time.
 */
const MOST_MS = 1500;
const WARM_UP = 20;
const PEOPLE = 1000;
const FIRST_PERSON = 100_001;

let n8nPid = 0;
const running = n8nForTests(
	{
		env: { N8N_PAYLOAD_SIZE_MAX: '64' },
		onStart: (pid) => (n8nPid = pid),
		sandbox: diallerSandbox(PEOPLE),
	},
	DIALLER,
);

async function publishWebhook(
	path: string,
	httpMethod: string,
	nodes: NodeInRow[],
): Promise<string> {
	const row = [webhook(path, { httpMethod, responseMode: 'onReceived' }), ...nodes];
	const { client, url } = running.n8n;
	await client.activate(
		await client.createWorkflow(rowWorkflow(row, { saveDataSuccessExecution: 'none' })),
	);
	return `${url}/webhook/${path}`;
}

/**
 * How long a webhook takes, called again and again: the smaller of wall clock and n8n's processor time, because
 * a busy machine stops n8n without its doing. In milliseconds of a quiet machine, because then other work leaves
 * it less of the processor, too.
 */
class Pings {
	readonly all: Array<{ at: number; ms: number }> = [];
	private isOver = false;

	constructor(private readonly url: string) {}

	async start(): Promise<void> {
		while (!this.isOver) {
			await this.ping();
			await wait(100);
		}
	}

	stop(): void {
		this.isOver = true;
	}

	private async ping(): Promise<void> {
		const at = performance.now();
		const before = mainThreadTime(n8nPid) ?? 0;
		const response = await fetch(this.url);
		await response.text();
		assert.equal(response.status, 200);
		const used = (mainThreadTime(n8nPid) ?? Infinity) - before;
		this.all.push({ at, ms: Math.min(performance.now() - at, used) / slowness() });
	}
}

function quantile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median of the quietest third of a phase: other work on the machine comes and goes, but what blocks n8n stays. */
function quietestMedian(times: number[]): number {
	const third = Math.ceil(times.length / 3);
	const parts = [0, 1, 2].map((part) => times.slice(part * third, (part + 1) * third));
	return Math.min(...parts.filter(({ length }) => length > 0).map((part) => quantile(part, 0.5)));
}

it('a webhook responds at once while tens of thousands of posts are checked and sent', async (t) => {
	const { sandbox, credentialId } = running;
	const { parameters, ...node } = postNode(credentialId);
	const post = await publishWebhook('many-posts', 'POST', [
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body' },
		},
		{
			...node,
			onError: 'continueRegularOutput',
			parameters: {
				...parameters,
				nativeId: '={{ $json.body }}',
				canvassContext: {
					// The list is read before the first item is checked, which shows when that begins.
					contactTypeId: byName('Phone'),
					skipMatching: true,
				},
			},
		},
	]);
	const pings = new Pings(await publishWebhook('ping', 'GET', []));
	t.after(() => pings.stop());
	const pinging = pings.start();
	// The first ones also start up n8n.
	while (pings.all.length < WARM_UP) await wait(100);
	await wait(3000);
	const before = pings.all.slice(WARM_UP).map(({ ms }) => ms);

	const people = Array.from({ length: POSTS }, (_, index) => FIRST_PERSON + (index % PEOPLE));
	await fetch(post, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(people),
	});
	const sent = () => postsTo(sandbox);
	await waitUntil('enough posts are sent', () => sent().length >= SENT);
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
		const median = quietestMedian(times);
		t.diagnostic(
			`${phase}: ${times.length} calls of the webhook, median of the quietest third ${median.toFixed(0)} ms, 99th percentile ${quantile(times, 0.99).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
		);
		return { phase, median };
	});
	for (const { phase, median } of medians)
		assert.ok(median <= MOST_MS, `${phase}: ${median.toFixed(0)} ms, at most ${MOST_MS} ms`);
});
