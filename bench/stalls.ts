import type { INodeParameters } from 'n8n-workflow';
import { say } from '../hosts/runWithProgress.mjs';
import { importItemsNode, nativeNode } from '../hosts/workflows';
import { measureIn, type Measurement, type MeasuredNode } from './measure';
import { type Bench, inBench, ourNode } from './posts';
import { atMost, type Goal, goalTable, number, table, verdict } from './tables';

const MOST_MS = 50;
/** A key without limits, so that nothing waits. */
const UNLIMITED = { high: 1_000_000, medium: 1_000_000, low: 1_000_000, monthly: null };
const RATES = { rateTier: 'manual', rateHigh: 20_000, rateMedium: 20_000, rateLow: 20_000 };

const PEOPLE = 1000;
const FIRST_PERSON = 100_001;

function postNode(bench: Bench, dryRun: boolean): MeasuredNode {
	const node = ourNode(bench);
	const nativeId = `={{ ${FIRST_PERSON} + $itemIndex % ${PEOPLE} }}`;
	return { ...node, parameters: { ...node.parameters, nativeId, options: { dryRun } } };
}

const importNode = ({ credentialId }: Bench, parameters: INodeParameters): MeasuredNode =>
	nativeNode('Import', 'nativeBulkImport', credentialId, parameters);

const importItems = ({ credentialId, sandbox }: Bench): MeasuredNode => {
	const uploadUrl = `${sandbox.httpsUrl}/drop/weekly/{file}?sig=pre-signed`;
	const names = ['FirstName', 'LastName', 'Email'];
	const fields = Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));
	return importItemsNode(credentialId, { hosting: 'put', uploadUrl }, fields);
};

/** The longest time in which a node kept n8n from doing anything else: lines of Markdown. */
export async function stalls(): Promise<string[]> {
	const rows: string[][] = [];
	const goals: Goal[] = [];
	const run = async (
		bench: Bench,
		name: string,
		items: number,
		node: MeasuredNode,
	): Promise<Measurement> => {
		const source = { step: 'rows', rows: items, profile: true };
		const [measured] = await measureIn(bench, source, [node], 1);
		if (!measured) throw new Error(`${name} was not measured.`);
		const { stallMs, wholeStallMs, works } = measured;
		const { busyMs = 0, kilobytes = 0 } = works[0] ?? {};
		rows.push([
			name,
			number(items),
			`${number(stallMs)} ms`,
			`${number(wholeStallMs)} ms`,
			`${number(busyMs)} ms`,
			`${number(kilobytes / 1024)} MB`,
			verdict(stallMs <= MOST_MS),
		]);
		say((rows.at(-1) ?? []).join(', '));
		return measured;
	};
	// In an n8n of its own each: what the row before leaves in memory is collected in the next.
	const inOwnN8n = async (work: (bench: Bench) => Promise<unknown>) =>
		await inBench(UNLIMITED, PEOPLE, RATES, 'http', work);
	for (const posts of [1000, 10_000, 100_000])
		await inOwnN8n(async (bench) => await run(bench, 'posts', posts, postNode(bench, false)));
	await inOwnN8n(
		async (bench) =>
			await run(bench, 'posts, checked only (dry run)', 100_000, postNode(bench, true)),
	);
	await inOwnN8n(async (bench) => {
		const { first, works } = await run(bench, 'Import Items', 100_000, importItems(bench));
		const { busyMs = Infinity, kilobytes = Infinity } = works[0] ?? {};
		goals.push(
			atMost('CPU time', busyMs, 700, 'ms'),
			atMost('extra memory', kilobytes / 1024, 100, 'MB'),
		);
		const { jobId } = (first.importResult ?? {}) as { jobId?: number };
		const getResults = { resource: 'job', operation: 'getResults', jobId: String(jobId) };
		await run(bench, 'Get Results of that job', 1, importNode(bench, getResults));
	});
	const build = { resource: 'file', operation: 'build', source: 'items' };
	await inOwnN8n(
		async (bench) => await run(bench, 'File → Build', 1_000_000, importNode(bench, build)),
	);
	return [
		'## Stalls',
		'',
		'A stall is a gap of a 1 ms timer inside n8n while the node itself works. What n8n does with the items before and after is not included, and does not count for the goal. V8’s major garbage collections do not count either, and have a column of their own: they walk everything that n8n holds in memory, and hit whichever node allocates at that moment. A request makes about 30 kB of garbage that only they collect, most of it in n8n’s request helper. CPU time is that of n8n’s main thread while the node works, as a profile shows it; memory is the growth of the whole process in that time.',
		'',
		table(
			[
				'',
				'items',
				'longest stall',
				'with major collections',
				'CPU time',
				'extra memory',
				'stall at most 50 ms',
			],
			rows,
		),
		'',
		goalTable(goals, 'Import Items, 100,000 items'),
		'',
	];
}
