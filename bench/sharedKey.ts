import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fetch } from 'undici';
import { startN8n, type RunningN8n } from '../hosts/n8nProcess';
import { say } from '../hosts/runWithProgress.mjs';
import {
	BASIC,
	type Bench,
	countArrived,
	delayPosts,
	HIGH,
	inBench,
	ourNode,
	POST_BODY,
	TENANT,
	workflowOf,
} from './posts';
import { mean, number, percent, table, total, verdict } from './tables';

const RESPONSE_MS = 100;

/** How evenly processes share a key is a matter of chance, so this many runs are made, each with new processes. */
const RUNS = 3;

const TRUE_LIMIT = 50;
const POSTS_OF_LIMITED = 2000;

/** Seconds after the start of the posts at which another client takes half of the key. */
const DISTURBED_AFTER_S = [8, 20, 32];
const DISTURBED_FOR_S = 5;
const POSTS_OF_DISTURBED = 9000;

const LARGE = 10_000;
const SMALL = 10;

const meanAndRange = (shares: number[]) =>
	`${percent(mean(shares))} (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))})`;

const itemsOf = (bench: Bench, count: number) => {
	const people = bench.sandbox.control.people(TENANT);
	return Array.from({ length: count }, (_, index) => ({
		personId: people[index % people.length]?.nativeId ?? 0,
	}));
};

/** Of all posts since the requests were cleared, as shares: of the limit per second, and of the requests. */
function paceOf(bench: Bench, limit: number): { pace: number; rejected: number } {
	const { perSecond, sent } = countArrived(bench, '/canvassResponses');
	return { pace: perSecond / limit, rejected: bench.sandbox.control.stats().status429 / sent };
}

/** Several n8n processes with the same key that do not know of each other. */
async function measureProcesses(
	processes: number,
	postsEach: number,
): Promise<{ pace: number; rejected: number; stored: number }> {
	return await inBench('custom', postsEach, { rateTier: 'custom' }, 'http', async (bench) => {
		delayPosts(bench, RESPONSE_MS);
		const folders: string[] = [];
		const others: RunningN8n[] = [];
		try {
			const runs = [await workflowOf(bench, itemsOf(bench, postsEach), ourNode(bench))];
			while (runs.length < processes) {
				const userFolder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-bench-'));
				folders.push(userFolder);
				const n8n = await startN8n({ ...bench.n8nOptions, userFolder, port: undefined });
				others.push(n8n);
				const credential = bench.credential(TENANT);
				const id = await n8n.client.createCredential({
					...credential,
					data: { ...credential.data, baseUrl: bench.sandbox.url },
				});
				const node = ourNode({ credentialId: id });
				const items = itemsOf(bench, postsEach);
				runs.push(await workflowOf(Object.assign({}, bench, { n8n }), items, node));
			}
			await wait(5000);
			bench.sandbox.control.clearRequests();
			await Promise.all(runs.map(async (run) => await run()));
			const stored = bench.sandbox.control.canvassResponses(TENANT).length;
			return { ...paceOf(bench, HIGH), stored };
		} finally {
			await Promise.all(others.map(async (n8n) => await n8n.stop()));
			for (const folder of folders) rmSync(folder, { recursive: true, force: true });
		}
	});
}

/** The tier of the credential is four times what the service allows. */
async function measureWrongTier(): Promise<{ pace: number; rejected: number }> {
	const tier = { high: TRUE_LIMIT, medium: TRUE_LIMIT, low: TRUE_LIMIT, monthly: null };
	return await inBench(tier, POSTS_OF_LIMITED, { rateTier: 'custom' }, 'http', async (bench) => {
		delayPosts(bench, RESPONSE_MS);
		const run = await workflowOf(bench, itemsOf(bench, POSTS_OF_LIMITED), ourNode(bench));
		await wait(3000);
		bench.sandbox.control.clearRequests();
		await run();
		return paceOf(bench, TRUE_LIMIT);
	});
}

/** Sends half of what the key allows, whatever the service says; gives the time of its last request. */
async function disturb({ sandbox }: Bench): Promise<number> {
	const nativeId = sandbox.control.people(TENANT)[0]?.nativeId ?? 0;
	const url = `${sandbox.url}/v2/people/${nativeId}/canvassResponses`;
	const sent: Array<Promise<unknown>> = [];
	const from = performance.now();
	for (let call = 0; call < (DISTURBED_FOR_S * HIGH) / 2; call++) {
		await wait(Math.max(0, from + (2000 * call) / HIGH - performance.now()));
		const request = fetch(url, {
			method: 'POST',
			headers: { authorization: BASIC, 'content-type': 'application/json' },
			body: POST_BODY,
		});
		sent.push(request.then(async (response) => await response.text()));
	}
	const last = sandbox.requests.at(-1)?.atMs ?? 0;
	await Promise.all(sent);
	return last;
}

/** Seconds from the end of each disturbance until a second has 98 % of the limit. */
async function measureDisturbed(): Promise<number[]> {
	return await inBench('custom', 3000, { rateTier: 'custom' }, 'http', async (bench) => {
		delayPosts(bench, RESPONSE_MS);
		const run = await workflowOf(bench, itemsOf(bench, POSTS_OF_DISTURBED), ourNode(bench));
		await wait(3000);
		const from = performance.now();
		const ending = run();
		const ends: number[] = [];
		for (const seconds of DISTURBED_AFTER_S) {
			await wait(from + 1000 * seconds - performance.now());
			ends.push(await disturb(bench));
		}
		await ending;
		const times = bench.sandbox.requests
			.filter(({ path, admitted }) => path.endsWith('/canvassResponses') && admitted)
			.map(({ atMs }) => atMs);
		return ends.map((end) => {
			const isFull = (at: number, index: number) =>
				at >= end && (times[index + 0.98 * HIGH - 1] ?? Infinity) < at + 1000;
			return ((times.find(isFull) ?? Infinity) - end) / 1000;
		});
	});
}

/** How long a small run takes alone, at the start of a large one, and in its middle. */
async function measureBeside(): Promise<{ alone: number; atStart: number; beside: number }> {
	return await inBench('custom', 1000, { rateTier: 'custom' }, 'http', async (bench) => {
		delayPosts(bench, RESPONSE_MS);
		const node = ourNode(bench);
		const small = await workflowOf(bench, itemsOf(bench, SMALL), node);
		const large = await workflowOf(bench, itemsOf(bench, LARGE), node);
		const timeSmall = async () => {
			const from = performance.now();
			await small();
			return performance.now() - from;
		};
		await small();
		await wait(3000);
		const alone = await timeSmall();
		const ending = large();
		const atStart = await timeSmall();
		await wait(10_000);
		const beside = await timeSmall();
		await ending;
		return { alone, atStart, beside };
	});
}

/** Several users of one key: lines of Markdown. */
export async function sharedKey(): Promise<string[]> {
	const rows: string[][] = [];
	const add = (name: string, value: string, goal = '', isMet?: boolean) => {
		rows.push([name, value, goal, isMet === undefined ? '' : verdict(isMet)]);
		say(`${name}: ${value}`);
	};
	for (const [processes, postsEach, mostRejected] of [
		[3, 3000, 0.01],
		[8, 1200, 0.03],
	] as const) {
		const runs: Array<Awaited<ReturnType<typeof measureProcesses>>> = [];
		while (runs.length < RUNS) runs.push(await measureProcesses(processes, postsEach));
		const pace = runs.map((run) => run.pace);
		const rejected = runs.map((run) => run.rejected);
		const name = `${processes} processes with ${number(postsEach)} posts each`;
		if (processes === 3)
			add(`pace of ${name}`, meanAndRange(pace), 'at least 97 %', mean(pace) >= 0.97);
		else add(`pace of ${name}`, meanAndRange(pace));
		const most = `at most ${100 * mostRejected} %`;
		const isFew = mean(rejected) <= mostRejected;
		add(`rejected, ${processes} processes`, meanAndRange(rejected), most, isFew);
		const all = RUNS * processes * postsEach;
		const stored = total(runs.map((run) => run.stored));
		add(`stored of ${number(all)}`, number(stored), number(all), stored === all);
	}
	const limited = await measureWrongTier();
	const tier = `tier of ${HIGH}, true limit of ${TRUE_LIMIT} per second`;
	add(`pace, ${tier}`, percent(limited.pace), 'at least 98 %', limited.pace >= 0.98);
	add(`rejected, ${tier}`, percent(limited.rejected), 'at most 2 %', limited.rejected <= 0.02);
	const back = await measureDisturbed();
	const seconds = (value: number) => `${value.toFixed(1)} s`;
	add(
		`back at 98 % after another client took half of the key for ${DISTURBED_FOR_S} s, ${back.length} times`,
		back.map(seconds).join(', '),
		'at most 2 s',
		Math.max(...back) <= 2,
	);
	const { alone, atStart, beside } = await measureBeside();
	const most = 250;
	const ms = (value: number) => `${number(value)} ms`;
	add(`${SMALL} posts alone`, ms(alone));
	const ofLarge = `of ${number(LARGE)} in the same n8n`;
	add(`${SMALL} posts in the middle ${ofLarge}`, ms(beside), `at most ${most} ms`, beside <= most);
	add(`${SMALL} posts at the start ${ofLarge}`, ms(atStart), `at most ${most} ms`, atStart <= most);
	return [
		'## Several users of one key',
		'',
		`Responses after ${RESPONSE_MS} ms, over http. The pace is counted from the first to the last request that the service took, start and end included. Processes that share a key are measured ${RUNS} times, each time newly started: the mean, and from the least to the most.`,
		'',
		table(['', 'measured', 'goal', ''], rows),
		'',
	];
}
