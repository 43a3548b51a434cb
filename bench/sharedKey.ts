import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n, type RunningN8n } from '../hosts/n8nProcess';
import { say } from '../hosts/runWithProgress.mjs';
import {
	type Bench,
	countArrived,
	delayPosts,
	HIGH,
	inBench,
	ourNode,
	TENANT,
	workflowOf,
} from './posts';
import { mean, number, percent, table, total, verdict } from './tables';

const RESPONSE_MS = 100;

/** How evenly processes share a key is a matter of chance, so this many runs are made, each with new processes. */
const RUNS = 3;

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

/** Counts all posts since the requests were cleared: the pace as a share of the limit per second, the rejected ones as a share of the requests. */
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
		const others: RunningN8n[] = [];
		try {
			const runs = [await workflowOf(bench, itemsOf(bench, postsEach), ourNode(bench))];
			while (runs.length < processes) {
				const userFolder = join(bench.n8nOptions.userFolder, `process-${runs.length}`);
				mkdirSync(userFolder);
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
		}
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
		`Responses after ${RESPONSE_MS} ms, over http. The pace is counted from the first to the last request that the service accepted, start and end included. Processes that share a key are measured ${RUNS} times, newly started each time; the table has the mean, and the range from the lowest to the highest.`,
		'',
		table(['', 'measured', 'goal', ''], rows),
		'',
	];
}
