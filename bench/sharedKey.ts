import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
import { number, percent, table, verdict } from './tables';

const PROCESSES = 3;
const POSTS_EACH = 3000;
const RESPONSE_MS = 100;

const LARGE = 10_000;
const SMALL = 10;

const itemsOf = (bench: Bench, count: number) => {
	const people = bench.sandbox.control.people(TENANT);
	return Array.from({ length: count }, (_, index) => ({
		personId: people[index % people.length]?.nativeId ?? 0,
	}));
};

/** Several processes of n8n with the same key, none of which knows of the others. */
async function measureProcesses(): Promise<{ pace: number; rejected: number; stored: number }> {
	return await inBench('custom', POSTS_EACH, { rateTier: 'custom' }, 'http', async (bench) => {
		delayPosts(bench, RESPONSE_MS);
		const folders: string[] = [];
		const others: RunningN8n[] = [];
		try {
			const runs = [await workflowOf(bench, itemsOf(bench, POSTS_EACH), ourNode(bench))];
			while (runs.length < PROCESSES) {
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
				const items = itemsOf(bench, POSTS_EACH);
				runs.push(await workflowOf(Object.assign({}, bench, { n8n }), items, node));
			}
			await wait(5000);
			bench.sandbox.control.clearRequests();
			await Promise.all(runs.map(async (run) => await run()));
			const { perSecond, sent } = countArrived(bench, '/canvassResponses');
			const stored = bench.sandbox.control.canvassResponses(TENANT).length;
			return {
				pace: perSecond / HIGH,
				rejected: bench.sandbox.control.stats().status429 / sent,
				stored,
			};
		} finally {
			await Promise.all(others.map(async (n8n) => await n8n.stop()));
			for (const folder of folders) rmSync(folder, { recursive: true, force: true });
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
	const { pace, rejected, stored } = await measureProcesses();
	say(`${PROCESSES} processes: ${percent(pace)}, ${percent(rejected)} rejected, ${stored} stored`);
	const { alone, atStart, beside } = await measureBeside();
	say(
		`${SMALL} posts: ${alone.toFixed(0)} ms alone, ${atStart.toFixed(0)} ms at the start, ${beside.toFixed(0)} ms beside`,
	);
	const most = 250;
	const all = PROCESSES * POSTS_EACH;
	return [
		'## Several users of one key',
		'',
		`Responses after ${RESPONSE_MS} ms, over http. The pace of the processes is counted from the first to the last request that the service took, start and end included.`,
		'',
		table(
			['', 'measured', 'goal', ''],
			[
				[
					`pace of ${PROCESSES} processes with ${number(POSTS_EACH)} posts each`,
					percent(pace),
					'at least 97 %',
					verdict(pace >= 0.97),
				],
				[
					`rejected, ${PROCESSES} processes`,
					percent(rejected),
					'at most 1 %',
					verdict(rejected <= 0.01),
				],
				[`stored of ${number(all)}`, number(stored), number(all), verdict(stored === all)],
				[`${SMALL} posts alone`, `${number(alone)} ms`, '', ''],
				[
					`${SMALL} posts beside ${number(LARGE)} in the same n8n`,
					`${number(beside)} ms`,
					`at most ${most} ms`,
					verdict(beside <= most),
				],
				[
					`${SMALL} posts at the start of ${number(LARGE)}`,
					`${number(atStart)} ms`,
					`at most ${most} ms`,
					verdict(atStart <= most),
				],
			],
		),
		'',
	];
}
