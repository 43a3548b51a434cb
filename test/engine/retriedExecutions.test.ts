/**
 * n8n's Retry button on an execution that crashed, failed or was canceled after it had waited: a new execution
 * continues from what n8n stored, which is the last wait.
 */
import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { CANVASS } from './support/canvass';
import type { NodeRun, NodeRunOptions, RetriedExecution } from './support/engine';
import { inputOf, itemImport, itemsOf, people, personMap } from './support/itemImports';
import { PausedJobs } from './support/pausedJobs';
import { answerPage, PAGE_SECRET } from './support/released';
import { useSandbox } from './support/sandboxed';
import { callWaitingLink } from './support/waitingLink';

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });
afterEach(() => jobs.release());
const node = new NativeBulkImport();

const rows = itemsOf(people(6));

/** n8n's time moves on while an execution sleeps. */
let slept = 0;
const realNow = Date.now;
beforeEach(() => {
	slept = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + slept);
	service.change({ styles: { jobDescriptions: true } });
});

const imports = (options: INodeParameters = {}) =>
	itemImport(service, personMap, {
		options: { pollInterval: 0.05, waitForOutcome: 'database', ...options },
	});

type Form = Record<string, string>;
/** With what somebody does on the page of the node at each wait. */
type Setup = Partial<NodeRunOptions> & { atWait?: (stored: IRunExecutionData) => Promise<void> };

/** Runs an import to its end, and keeps what n8n stored at each wait. */
async function run(
	parameters: INodeParameters,
	{ atWait, ...setup }: Setup = {},
): Promise<{ run: NodeRun; waits: IRunExecutionData[] }> {
	const waits: IRunExecutionData[] = [];
	const answer = async (stored: IRunExecutionData) =>
		await answerPage({ ...service.setup(node), parameters }, stored);
	jobs.hold();
	const ended = await service.run(node, parameters, {
		items: rows,
		whileSleeping: async (until, stored) => {
			if (waits.length > 8) throw new Error('It waits for ever.');
			await (atWait ?? answer)(stored);
			waits.push(structuredClone(stored));
			jobs.release();
			await service.settle();
			jobs.hold();
			slept += Math.max(0, until.getTime() - Date.now());
		},
		...setup,
	});
	return { run: ended, waits };
}

async function retry(
	parameters: INodeParameters,
	stored: IRunExecutionData | undefined,
	workflow: RetriedExecution['workflow'],
	setup: Setup = {},
): Promise<NodeRun> {
	if (!stored) throw new Error('It did not wait.');
	return (await run(parameters, { retryOf: { stored, workflow }, ...setup })).run;
}

const statuses = ({ runData }: NodeRun, name = 'Node Under Test'): unknown[] =>
	(runData[name]?.at(-1)?.data?.main ?? [])
		.flatMap((items) => items ?? [])
		.map(({ json }) => json.status ?? json.error);
const peopleIn = () =>
	service.people().filter(({ fields }) => /^First\d/.test(String(fields.firstName))).length;

describe('goes on in the original workflow', () => {
	const cases: Array<[string, INodeParameters, number]> = [
		['all rows', {}, 1],
		['the rows tried first', { tryFirst: 2 }, 2],
		['a release', { askFirst: true, progressPage: PAGE_SECRET }, 1],
	];
	it.each(cases)('where it waited for %s, and sends nothing twice', async (_, options, count) => {
		const parameters = imports(options);
		const first = await run(parameters);
		expect(statuses(first.run)).toEqual(Array(6).fill('imported'));
		expect(first.waits.length).toBeGreaterThanOrEqual(count);
		for (const stored of first.waits) {
			const again = await retry(parameters, stored, 'original');
			expect(again.error?.message).toBeUndefined();
			expect(statuses(again)).toEqual(Array(6).fill('imported'));
		}
		expect(service.starts()).toHaveLength(count);
		expect(peopleIn()).toBe(6);
	});
});

it.each(['original', 'currentlySaved'] as const)(
	'reads the outcome again of an import that failed behind its wait, in the %s workflow',
	async (workflow) => {
		service.addFault({ kind: 'status', status: 404 }, 'GET /results', { count: 50 });
		let failed: IRunExecutionData | undefined;
		const first = await run(imports(), { ended: (data) => (failed = data) });
		expect(first.run.error).toBeDefined();
		service.sandbox.control.clearFaults();
		const again = await retry(imports(), failed, workflow);
		expect(again.error?.message).toBeUndefined();
		expect(statuses(again)).toEqual(Array(6).fill('imported'));
		expect(service.starts()).toHaveLength(1);
	},
);

describe('goes on from corrections in the original workflow', () => {
	const parameters = () => imports({ correctRejected: 60, progressPage: PAGE_SECRET });
	const items = itemsOf(people(3, { 1: { Mail: 'no..one@example.org' } }));
	const setup = () => ({ ...service.setup(node), parameters: parameters() });
	const link = async (stored: IRunExecutionData, ...call: ['GET' | 'POST', Form?]) =>
		await callWaitingLink(setup(), stored, call[0], { page: PAGE_SECRET }, call[1]);

	/** Answers what the page asks, if anything. */
	async function answer(stored: IRunExecutionData, changes: Form): Promise<void> {
		const { body } = await link(stored, 'GET');
		const inputs = [...body.matchAll(/<input [^>]*?name="([^"]*)" value="([^"]*)"/g)];
		const form = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
		if (body.includes('data-question')) await link(stored, 'POST', { ...form, ...changes });
	}

	it('that nobody has answered: the rows stay rejected', async () => {
		const first = await run(parameters(), { items });
		expect(statuses(first.run)).toEqual(['imported', 'failed', 'imported']);
		const again = await retry(parameters(), first.waits.at(-1), 'original', { items });
		expect(statuses(again)).toEqual(['imported', 'failed', 'imported']);
		expect(service.starts()).toHaveLength(1);
	});

	it.each<[string, Form]>([
		['answered as before', { action: 'import', '0.2': 'bo@example.org' }],
		['finished without corrections', { action: 'finish' }],
	])('whose corrected rows were sent: %s, they are sent no second time', async (_, second) => {
		const unanswered: IRunExecutionData[] = [];
		const first = await run(parameters(), {
			items,
			atWait: async (stored) => {
				unanswered.push(structuredClone(stored));
				await answer(stored, { action: 'import', '0.2': 'bo@example.org' });
			},
		});
		expect(statuses(first.run)).toEqual(['imported', 'imported', 'imported']);
		expect(service.starts()).toHaveLength(2);
		for (const stored of unanswered) {
			const again = await retry(parameters(), stored, 'original', {
				items,
				atWait: async (now) => await answer(now, second),
			});
			expect(again.error?.message).toBeUndefined();
			expect(statuses(again)).toEqual([
				'imported',
				expect.stringMatching(/^(imported|unknown)$/),
				'imported',
			]);
		}
		expect(service.starts()).toHaveLength(2);
	});
});

describe('where n8n takes the node from the workflow as it is saved now, and disables it', () => {
	const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
	it.each(onErrors)('every item says so and what to do: %s', async (onError) => {
		const parameters = imports({ tryFirst: 2 });
		const { waits } = await run(parameters, { onError });
		const again = await retry(parameters, waits[0], 'currentlySaved', { onError });
		expect(statuses(again)).toEqual(
			Array(6).fill(expect.stringContaining('Choose "Retry with original workflow"')),
		);
		expect(service.starts()).toHaveLength(2);
	});

	it('so does the item of a file', async () => {
		const parameters = itemImport(service, personMap, {
			source: 'binary',
			options: { pollInterval: 0.05, waitForOutcome: 'database' },
		});
		const items = await inputOf(people(6), 'binary');
		const { waits } = await run(parameters, { items });
		const again = await retry(parameters, waits[0], 'currentlySaved', { items });
		expect(statuses(again)).toEqual([expect.stringContaining('n8n did not run this node')]);
	});

	it('an error that an item had before stays its own', async () => {
		const items = itemsOf(people(2));
		const error = { message: 'Of the node before' } as never;
		const given = items.map((item, index) => (index === 0 ? { ...item, error } : item));
		const parameters = imports();
		const { waits } = await run(parameters, { items: given });
		const again = await retry(parameters, waits[0], 'currentlySaved', { items: given });
		expect(statuses(again)).toEqual([
			'Of the node before',
			expect.stringContaining('n8n did not run this node'),
		]);
	});
});

describe('behind the wait, sends once more nothing that the first execution has sent:', () => {
	const posts = () => service.calls().filter(({ method }) => method === 'POST').length;

	it('rows of a second import, which come out with their outcome', async () => {
		const after = { ...service.setup(node), parameters: imports() };
		const first = await run(imports(), { after });
		expect(statuses(first.run, 'Node After')).toEqual(Array(6).fill('imported'));
		const again = await retry(imports(), first.waits[0], 'original', { after });
		expect(again.error?.message).toBeUndefined();
		expect(statuses(again, 'Node After')).toEqual(Array(6).fill('imported'));
		expect(service.starts()).toHaveLength(2);
	});

	it('canvass responses, which are in doubt', async () => {
		const after = { ...service.setup(new NativeCanvassResponse()), parameters: CANVASS };
		const { waits } = await run(imports(), { after });
		const sent = posts();
		const again = await retry(imports(), waits[0], 'original', { after });
		expect(again.error?.message).toContain('n8n has run this node before');
		expect(posts()).toBe(sent);
	});

	it('but sends what had failed when it is retried without the wait', async () => {
		const after = { ...service.setup(new NativeCanvassResponse()), parameters: CANVASS };
		service.addFault({ kind: 'status', status: 403 }, 'POST /people');
		let failed: IRunExecutionData | undefined;
		const { run: first } = await run(imports(), { after, ended: (data) => (failed = data) });
		expect(first.error).toBeDefined();
		const again = await retry(imports(), failed, 'currentlySaved', { after });
		expect(again.error?.message).toBeUndefined();
		expect(service.starts()).toHaveLength(1);
	});
});
