import { DateTime, Duration } from 'luxon';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRunExecutionData,
} from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import type { Fault } from '../../sandbox/faults';
import { callAsTool, type ToolCalling } from './support/agent';
import { givenItems, type NodeRun, type NodeRunOptions, runNode } from './support/engine';
import {
	csvOf,
	fileOf,
	itemImport,
	itemsOf,
	people as peopleRows,
	personMap,
	reportOf as htmlOf,
} from './support/itemImports';
import { OTHER_KEY } from '../support/runningSandbox';
import { PausedJobs } from './support/pausedJobs';
import { processedData } from './support/processedData';
import { fillsCustomData } from './support/filledCustomData';
import { fieldsOf, peopleJob } from './support/importJobs';
import { useSandbox } from './support/sandboxed';

// After the settings of the engine.
import { ExecuteContext } from 'n8n-core';

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });
afterEach(() => jobs.release());
const node = new NativeBulkImport();

/** n8n's time moves on while an execution sleeps. */
let slept = 0;
const realNow = Date.now;
beforeEach(() => {
	slept = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + slept);
});

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, row) => ({ json: { row } }));
const options = { maxWait: 600 };

/** Create, whose execution waits in the database. */
const waitingJob = async (more: IDataObject = {}): Promise<INodeParameters> =>
	fieldsOf(await peopleJob(service), { ...options, waitForCompletion: 'database', ...more });
/** Import Items, whose execution waits in the database. */
const waitingImport = (more: IDataObject = {}): INodeParameters =>
	itemImport(service, personMap, {
		options: { ...options, waitForOutcome: 'database', ...more } as INodeParameters,
	});

/** Ends the jobs that run, and none that start later. */
async function finishJobs(): Promise<void> {
	jobs.release();
	await service.settle();
	jobs.hold();
}

const runInMemory = async (parameters: INodeParameters, setup: Omit<NodeRunOptions, 'node'>) =>
	await service.run(node, parameters, setup);

/** Runs the node; the jobs end in its second sleep. */
async function runWithSleeps(
	parameters: INodeParameters,
	setup: Omit<NodeRunOptions, 'node'> = {},
): Promise<NodeRun & { sleeps: number }> {
	let sleeps = 0;
	jobs.hold();
	const run = await service.run(node, parameters, {
		...setup,
		whileSleeping: async (until) => {
			slept += until.getTime() - Date.now();
			if (++sleeps === 2) await finishJobs();
		},
	});
	jobs.release();
	return { ...run, sleeps };
}

/** What an item comes to, without what differs between two jobs. */
const comparable = ({ outputs }: NodeRun) =>
	outputs.map((output) =>
		output.map(({ json, pairedItem }) => [
			JSON.stringify(json)
				.replaceAll(/run \w{6}|[Jj]ob \d+|jobs \d[\d, ]*/g, '')
				.replaceAll(/"(jobId|id|primaryKey)":\d+|"(date\w*|url)":"[^"]*"/g, ''),
			pairedItem,
		]),
	);

describe('a wait in the database', () => {
	it('of an import says what somebody has to decide as a wait in memory does', async () => {
		const parameters = (waitForOutcome: string) =>
			itemImport(service, personMap, {
				uploadUrl: `${service.sandbox.url}/drop/list.zip?sig=1`,
				downloadUrl: `${service.sandbox.httpsUrl}/drop/list.zip`,
				options: { ...options, waitForOutcome, cleanValues: true },
			});
		// Not the same rows twice, which would be said, too.
		const list = (lastName: string) =>
			itemsOf(
				peopleRows(3).map((row) => ({
					...row,
					'Last Name': lastName,
					Mail: ` ${String(row.Mail)} `,
				})),
			);
		const shownBy = ({ hints }: NodeRun) =>
			hints.map(({ message, type }) => [message.replace(/\b(job )?\d{5}\b/g, ''), type]);
		const inMemory = await service.run(node, parameters('memory'), { items: list('Lee') });
		expect(inMemory.hints[0]).toMatchObject({
			type: 'warning',
			message: expect.stringMatching(
				/^The address of the file is the same in every run/,
			) as unknown,
		});
		const inDatabase = await runWithSleeps(parameters('database'), { items: list('Moe') });
		expect(inDatabase.sleeps).toBeGreaterThan(0);
		expect(shownBy(inDatabase)).toEqual(shownBy(inMemory));
	});

	it('of Create starts every job once and returns what a wait in memory returns', async () => {
		const job = await peopleJob(service);
		const parameters = (waitForCompletion: string) =>
			fieldsOf(job, { ...options, waitForCompletion });
		const inMemory = await service.run(node, parameters('memory'), { items: items(3) });
		expect(service.starts()).toHaveLength(3);
		const inDatabase = await runWithSleeps(parameters('database'), { items: items(3) });
		expect(inDatabase.sleeps).toBeGreaterThan(0);
		expect(service.starts()).toHaveLength(6);
		expect(inDatabase.outputs[0]).toHaveLength(3);
		expect(inDatabase.runData['Node Under Test']).toHaveLength(1);
		expect(comparable(inDatabase)).toEqual(comparable(inMemory));
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'keeps the errors of items that started no job, with %s and retries',
		async (onError) => {
			const job = await peopleJob(service);
			const description = '={{ $json.row === 1 ? "" : "Import of a test" }}';
			const parameters = (waitForCompletion: string) => ({
				...fieldsOf(job, { ...options, waitForCompletion }),
				description,
			});
			const setup = { items: items(3), onError };
			const inMemory = await service.run(node, parameters('memory'), setup);
			const retries = { maxTries: 2, waitBetweenTries: 0 };
			const inDatabase = await runWithSleeps(parameters('database'), { ...setup, retries });
			expect(service.starts()).toHaveLength(4);
			expect(inDatabase.outputs.flat()).toHaveLength(3);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
		},
	);

	it.each(['memory', 'database'])(
		'of Create that stops names the jobs it started, but not those that failed: %s',
		async (waitForCompletion) => {
			service.addJobFault({ kind: 'fail', text: 'broken' }, { skip: 1 });
			const parameters = fieldsOf(await peopleJob(service), { ...options, waitForCompletion });
			const run = waitForCompletion === 'memory' ? runInMemory : runWithSleeps;
			const { error } = await run(parameters, { items: items(3) });
			const [first, , third] = service.jobs().map(({ id }) => String(id));
			expect(error?.description).toContain(
				`already sent: 1, 3 (import jobs ${first}, ${third}). Leave them out`,
			);
		},
	);

	describe('of Create with Retry On Fail', () => {
		const run = async (
			way: string,
			whileSleeping: NodeRunOptions['whileSleeping'] = finishJobs,
		) => {
			const job = await peopleJob(service);
			const waiting = { ...options, waitForCompletion: way };
			if (way === 'database') jobs.hold();
			return await service.run(node, fieldsOf(job, waiting), {
				items: items(2),
				credential: { rateTier: 'concurrency', concurrentRequests: 1 },
				onError: 'continueErrorOutput',
				retries: { maxTries: 3, waitBetweenTries: 0 },
				whileSleeping,
			});
		};
		const failFirst = (fault: Fault) => service.addFault(fault, 'POST /bulkImportJobs');

		it.each(['memory', 'database'])(
			'sends the items again that started no job: %s',
			async (way) => {
				failFirst({ kind: 'status', status: 400 });
				const { outputs } = await run(way);
				expect(outputs[0]?.map(({ json }) => json.hasEnded)).toEqual([true, true]);
				expect(outputs[1]).toEqual([]);
				expect(service.jobs()).toHaveLength(2);
			},
		);

		it.each(['memory', 'database'])('sends no item again that is in doubt: %s', async (way) => {
			failFirst({ kind: 'status', status: 500 });
			const { outputs } = await run(way);
			expect(outputs[0]).toHaveLength(1);
			expect(outputs[1]).toMatchObject([{ json: { error: { outcomeUnknown: true } } }]);
			expect(service.starts()).toHaveLength(2);
		});

		it('sends no item twice that goes on from an older state', async () => {
			failFirst({ kind: 'status', status: 400 });
			let older: IRunExecutionData | undefined;
			let sleeps = 0;
			const { outputs } = await run('database', async (_, stored) => {
				if (++sleeps === 2) Object.assign(stored, older);
				older ??= structuredClone(stored);
				await finishJobs();
			});
			expect(service.jobs()).toHaveLength(2);
			expect(outputs[0]).toHaveLength(1);
			expect(outputs[1]).toMatchObject([{ json: { error: { outcomeUnknown: true } } }]);
			expect(JSON.stringify(outputs[1])).toContain('n8n has run this node before');
		});
	});

	it.each([
		['wait', 'wait'],
		['getResults', 'waitForOutcome'],
	])('of %s returns what a wait in memory returns', async (operation, option) => {
		jobs.hold();
		const started = await service.run(node, fieldsOf(await peopleJob(service)), {
			items: items(2),
		});
		const ids = started.outputs[0]?.map(({ json: { jobId } }) => ({ json: { jobId } })) ?? [];
		const parameters = (way: string) => ({
			resource: 'job',
			operation,
			options: { ...options, [option]: way },
		});
		const inDatabase = await runWithSleeps(parameters('database'), { items: ids });
		expect(inDatabase.sleeps).toBeGreaterThan(0);
		const inMemory = await service.run(node, parameters('memory'), { items: ids });
		expect(inDatabase.outputs).toEqual(inMemory.outputs);
		expect(inDatabase.outputs[0]?.length).toBeGreaterThanOrEqual(2);
	});

	it('ends when it has lasted too long', async () => {
		service.addJobFault({ kind: 'neverEnds' });
		const parameters = await waitingJob({ maxWait: 2 });
		const sleeps: number[] = [];
		const run = await service.run(node, parameters, {
			whileSleeping: (until) => {
				sleeps.push(until.getTime() - Date.now());
				slept += until.getTime() - Date.now();
			},
		});
		expect(sleeps.length).toBeGreaterThan(1);
		expect(run.error?.message).toMatch(/^Import job \d+ has not ended after 2 minutes/);
		expect(service.starts()).toHaveLength(1);
	});

	it('lasts up to a day unless the user says otherwise', async () => {
		const parameters = fieldsOf(await peopleJob(service), { waitForCompletion: 'database' });
		const run = await service.run(node, parameters, { settings: { executionTimeout: 7200 } });
		expect(run.error?.message).toContain('set it to more than 1440 minutes');
		expect(service.starts()).toEqual([]);
	});

	it('goes on in memory where n8n does not sleep', async () => {
		const putToWait = jest.spyOn(ExecuteContext.prototype, 'putExecutionToWait');
		putToWait.mockImplementation(async () => await Promise.resolve(jobs.release()));
		jobs.hold();
		const parameters = await waitingJob();
		const run = await service.run(node, parameters);
		expect(putToWait).toHaveBeenCalledTimes(1);
		expect(run.outputs[0]).toMatchObject([{ json: { hasEnded: true } }]);
		expect(service.starts()).toHaveLength(1);
	});

	it('sleeps again when it is woken before the job has ended', async () => {
		const parameters = await waitingJob({ wakeByService: true });
		let sleeps = 0;
		jobs.hold();
		const run = await service.run(node, parameters, {
			whileSleeping: async () => {
				if (++sleeps === 3) await finishJobs();
			},
		});
		expect(sleeps).toBe(3);
		expect(run.outputs[0]).toMatchObject([{ json: { hasEnded: true } }]);
		expect(service.starts()).toMatchObject([{ body: { listeners: [{ type: 'webhook' }] } }]);
	});

	it('gives the service a link that wakes this node, and no Wait node behind it', async () => {
		const parameters = await waitingJob({ wakeByService: true });
		await service.run(node, parameters, { host: 'https://n8n.example.org/of' });
		const [start] = service.starts();
		const { listeners } = start?.body as { listeners: Array<{ value: string }> };
		const { pathname, searchParams } = new URL(listeners[0]?.value ?? '');
		const [, suffix] = /^\/of\/webhook-waiting\/1\/(.+)$/.exec(pathname) ?? [];
		expect([...searchParams.keys()]).toEqual(['signature', 'wake']);
		// n8n finds the webhook by the suffix alone; that of a Wait node is empty, unless its user enters one.
		const webhooks = node.description.webhooks?.filter(({ nodeType }) => nodeType !== 'form');
		expect(webhooks).toMatchObject([{ httpMethod: 'POST', path: suffix, restartWebhook: true }]);
	});

	describe.each(['memory', 'database'])('in %s pairs what follows with the items', (way) => {
		/** A node that gives each item to one of its outputs, or none. */
		const splitter = (
			outputs: number,
			outputOf: (item: number, run: number) => number,
		): INodeType => ({
			description: {
				...givenItems([]).description,
				name: 'splitter',
				inputs: ['main'],
				outputs: Array<'main'>(outputs).fill('main'),
			},
			async execute() {
				const run = Number(this.evaluateExpression('{{ $runIndex }}', 0));
				const items = this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }));
				return await Promise.resolve(
					Array.from({ length: outputs }, (_, output) =>
						items.filter((_item, index) => outputOf(index, run) === output),
					),
				);
			},
		});
		const follower: INodeType = {
			description: { ...givenItems([]).description, name: 'follower', inputs: ['main'] },
			async execute() {
				const given = '{{ $("Given Items").item.json.row }}';
				const items = this.getInputData().map((_, item) => ({
					json: { row: this.evaluateExpression(given, item) as number },
					pairedItem: { item },
				}));
				return await Promise.resolve([items]);
			},
		};
		it.each([
			['behind the second output of a node', { node: splitter(2, (item) => item % 2), runs: 1 }],
			['behind the second run of a node', { node: splitter(1, (_, run) => run - 1), runs: 2 }],
		])('%s', async (_, before) => {
			const parameters = itemImport(
				service,
				{ ...personMap, 'CreateOrUpdateContact:FirstName': '={{ $json.row }}' },
				{ options: { ...options, waitForOutcome: way } },
			);
			const rows = peopleRows(4).map((person, row) => ({ ...person, row }));
			const setup = { before, after: follower, items: itemsOf(rows) };
			const run = way === 'memory' ? runInMemory : runWithSleeps;
			const { error, outputs, runData } = await run(parameters, setup);
			expect(error).toBeUndefined();
			const given = outputs.flat().map(({ json }) => json.row);
			expect(given.length).toBeGreaterThan(1);
			const found = runData['Node After']?.[0]?.data?.main?.[0]?.map(({ json }) => json.row);
			expect(found).toEqual(given);
		});
	});

	describe('refuses before anything is started', () => {
		it.each<[string, Omit<NodeRunOptions, 'node'>, RegExp]>([
			['without a node before it', { items: null }, /needs a node before this one/],
			[
				'in the old execution order, which would sleep after the end',
				{ settings: { executionOrder: 'v0' } },
				/needs the execution order v1/,
			],
			['in a workflow that is not saved', { workflowId: '' }, /needs a saved workflow.*"Database"/],
			[
				'in a workflow that times out before the wait can end',
				{ settings: { executionTimeout: 36_000 } },
				/times out after 36000 seconds, also while it waits.* more than 600 minutes/,
			],
		])('%s', async (_, setup, message) => {
			const parameters = await waitingJob();
			const run = await service.run(node, parameters, { ...setup, whileSleeping: () => {} });
			expect(run.error?.message).toMatch(message);
			expect(service.starts()).toEqual([]);
		});

		it('but not in a workflow that times out later', async () => {
			const job = fieldsOf(await peopleJob(service), { ...options, waitForCompletion: 'database' });
			const setup = { settings: { executionTimeout: 36_001 } };
			expect((await runWithSleeps(job, setup)).outputs[0]).toMatchObject([
				{ json: { hasEnded: true } },
			]);
		});

		it.each<ToolCalling>(['byEngine', 'inProcess'])('as a tool, called %s', async (calling) => {
			const parameters = await waitingJob();
			const tool = { ...service.setup(node), parameters };
			const { response, error } = await callAsTool(tool, {}, calling);
			expect(`${error} ${JSON.stringify(response)}`).toMatch(/cannot be used in a tool/);
			expect(service.starts()).toEqual([]);
		});
	});

	it.each<[string, (more: IDataObject) => Promise<INodeParameters>]>([
		['Create', waitingJob],
		['Import Items', async (more) => await Promise.resolve(waitingImport(more))],
		[
			'Import Items, with rows to try first',
			async (more) => await Promise.resolve(waitingImport({ ...more, tryFirst: 2 })),
		],
	])('waits as %s began to, whatever Max Wait gives later', async (_, parametersOf) => {
		const maxWait = `={{ $now.toMillis() < ${realNow() + 60_000} ? 600 : 'soon' }}`;
		jobs.hold();
		const run = await service.run(node, await parametersOf({ maxWait }), {
			items: itemsOf(peopleRows(4)),
			whileSleeping: async (until) => {
				slept += Math.max(120_000, until.getTime() - Date.now());
				await finishJobs();
			},
		});
		expect(run.error?.message).toBeUndefined();
		expect(run.outputs[0]).not.toHaveLength(0);
	});

	it('takes no row of a user for its own, whatever it holds', async () => {
		const token = 'nativeDatabaseWait-1-x';
		const json = { nativeDatabaseWait: { token, until: 4e12 }, toolCallId: token };
		const run = await service.run(node, fieldsOf(await peopleJob(service)), { items: [{ json }] });
		expect(run.outputs[0]).toHaveLength(1);
		expect(service.starts()).toHaveLength(1);
	});
});

it('sleeps on if the service is away when it wakes to send the other rows', async () => {
	const parameters = waitingImport({ tryFirst: 2 });
	jobs.hold();
	let sleeps = 0;
	const run = await service.run(node, parameters, {
		items: itemsOf(peopleRows(5)),
		whileSleeping: async (until) => {
			slept += until.getTime() - Date.now();
			if (++sleeps > 1) return;
			jobs.release();
			await service.settle();
			service.addFault({ kind: 'htmlPage' }, 'GET /bulkImportMappingTypes');
		},
	});
	expect(run.error).toBeUndefined();
	expect(run.outputs[0]?.map(({ json }) => json.status)).toEqual(Array(5).fill('imported'));
	// A slow machine sleeps again for the other rows.
	expect(sleeps).toBeGreaterThan(1);
	expect(service.starts()).toHaveLength(2);
});

it('sends the other rows under the Run Key of those tried first, whatever it is when it wakes', async () => {
	service.change({ styles: { jobDescriptions: true } });
	const parameters = waitingImport({ tryFirst: 2, runKey: '=sign-ups {{ $now.toISODate() }}' });
	jobs.hold();
	const run = await service.run(node, parameters, {
		items: itemsOf(peopleRows(5)),
		whileSleeping: async () => {
			if (slept === 0) slept = 24 * 60 * 60_000;
			await finishJobs();
		},
	});
	expect(run.outputs[0]?.map(({ json }) => json.status)).toEqual(Array(5).fill('imported'));
	const keys = service
		.starts()
		.map(({ body }) => /key (sign-ups [\d-]+)\)/.exec(JSON.stringify(body))?.[1]);
	expect(keys).toEqual([keys[0], keys[0]]);
});

it('says that only the rows tried first were sent if it cannot go on when it wakes', async () => {
	const parameters = waitingImport({ tryFirst: 2 });
	jobs.hold();
	const run = await service.run(node, parameters, {
		items: itemsOf(peopleRows(5)),
		whileSleeping: () => {
			const fault = { kind: 'status', status: 401 } as const;
			service.addFault(fault, 'GET /bulkImportMappingTypes', { count: 9 });
		},
	});
	const [job] = service.jobs();
	expect(run.error?.message).toMatch(
		new RegExp(`^Import job ${job?.id} was started, but its end could not be read`),
	);
	expect(run.error?.description).toContain('It has rows 1–2. The other rows were not sent.');
	expect(service.starts()).toHaveLength(1);
});

it('names its jobs if its credential no longer works when it wakes', async () => {
	const setup = service.setup(node);
	const parameters = waitingImport();
	jobs.hold();
	const run = await runNode({
		...setup,
		parameters,
		items: itemsOf(peopleRows(2)),
		// With all the custom data that n8n keeps of an execution.
		before: { node: fillsCustomData, runs: 1 },
		whileSleeping: () => void (setup.credentials.nativeApi.apiKey = 'revoked'),
	});
	const [job] = service.jobs();
	expect(run.error?.message).toContain('The run stopped after requests were sent');
	expect(run.error?.description).toContain(`Import jobs of this execution: ${job?.id}.`);
});

it.each([
	['Import Items that has tried its first rows', { tryFirst: 2, stopAbove: 99 }],
	['Import Items that has sent all rows', {}],
])('reads and sends nothing in another database, with %s', async (_, more) => {
	const parameters = waitingImport(more);
	const setup = { ...service.setup(node), parameters, items: itemsOf(peopleRows(5)) };
	const other = service.setup(node, { apiKey: OTHER_KEY });
	// A job with the number of the one that waits.
	await runNode({ ...setup, ...other, parameters: itemImport(service, personMap) });
	jobs.hold();
	const run = await runNode({
		...setup,
		whileSleeping: async () => {
			setup.credentials.nativeApi.apiKey = OTHER_KEY;
			await finishJobs();
		},
	});
	const [job] = service.jobs();
	expect(service.sandbox.control.jobs('other')).toMatchObject([{ id: job?.id }]);
	expect(run.error?.message).toMatch(/^The credential now has another database/);
	expect(run.error?.description).toContain(
		`its import jobs again (${job?.id}): read their outcome`,
	);
});

it('sends nothing again where it cannot read what it stored', async () => {
	jobs.hold();
	const run = await service.run(node, await waitingJob(), {
		whileSleeping: (_until, { executionData }) => {
			for (const { metadata } of executionData?.nodeExecutionStack ?? []) {
				const kept = metadata?.subNodeExecutionData?.metadata;
				if (kept) Object.assign(kept, { nativeDatabaseWait: { fromAnother: 'version' } });
			}
		},
	});
	expect(run.error?.message).toMatch(/^The saved state of this execution cannot be read/);
	expect(service.starts()).toHaveLength(1);
});

describe('Import Items in the database', () => {
	const people = (count: number): IDataObject[] =>
		peopleRows(count).map((row, i) => ({
			...row,
			...(i % 4 === 1 && { Mail: `no..${i}@example.org` }),
			...(i % 4 === 3 && { Mail: { a: 1 } }),
		}));
	const imports = (waitForOutcome: string, source = 'items', more: IDataObject = {}) =>
		itemImport(service, personMap, {
			source,
			options: { ...options, waitForOutcome, maxRowsPerFile: 3, report: true, ...more } as never,
		});
	/** As if nothing had been imported. */
	const startAnew = () => {
		service.sandbox.control.reset();
		processedData.clear();
	};
	const reportOf = async (run: NodeRun) => {
		const html = await htmlOf(run);
		return html
			.replaceAll(/·[^<]+|[Jj]obs? \d[\d, ]*|N8n\w+|\d\d:\d\d/g, '')
			.replaceAll(/<td[^>]*>9\d{4}<\/td>/g, '');
	};

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'gives items what a wait in memory gives, with %s',
		async (onError) => {
			const setup = { items: itemsOf(people(8)), onError };
			const inMemory = await service.run(node, imports('memory'), setup);
			const before = service.starts().length;
			startAnew();
			const inDatabase = await runWithSleeps(imports('database'), setup);
			expect(inDatabase.sleeps).toBeGreaterThan(0);
			expect(service.starts()).toHaveLength(before);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
			expect(await reportOf(inDatabase)).toBe(await reportOf(inMemory));
			expect(await reportOf(inDatabase)).toContain('<h1>Items of a test</h1>');
		},
	);

	it.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'gives the rows of a file what a wait in memory gives, with %s',
		async (onError) => {
			const rows = people(8).filter(({ Mail }) => typeof Mail === 'string');
			const setup = { items: [await fileOf(csvOf(rows))], onError };
			const more = { outputRows: 'all', rejectedRows: true };
			const inMemory = await service.run(node, imports('memory', 'binary', more), setup);
			startAnew();
			const inDatabase = await runWithSleeps(imports('database', 'binary', more), setup);
			expect(inDatabase.sleeps).toBeGreaterThan(0);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
			expect(inDatabase.outputs.flat()).toHaveLength(7);
			expect(await reportOf(inDatabase)).toBe(await reportOf(inMemory));
		},
	);

	const day = (row: number) => `1945-09-1${row}`;
	const dateKinds: Record<string, (row: number) => unknown> = {
		'a date': (row) => new Date(`${day(row)}T00:00:00Z`),
		// In the form that Edit Fields returns.
		'a luxon date': (row) => DateTime.fromISO(day(row), { zone: 'Europe/Berlin' }),
		'a luxon date and a text in turn': (row) =>
			row % 2 ? `${day(row)}T00:00:00.000Z` : DateTime.fromISO(day(row), { zone: 'Europe/Berlin' }),
		'a big integer': (row) => 12345678901234567890n + BigInt(row),
		'a duration, which is none': (row) => Duration.fromObject({ days: row }),
		'no number': () => NaN,
	};
	const places: Array<[string, (value: unknown) => object, string]> = [
		['$json.Born', (Born) => ({ Born }), '{{ $json.Born }}'],
		['$json.People[0].Born', (Born) => ({ People: [{ Born }] }), '{{ $json.People[0].Born }}'],
		[
			'an expression',
			(Born) => ({ Born }),
			'{{ $json.Born.toFormat?.("d.M.yyyy") ?? $json.Born }}',
		],
	];
	const placed = places.flatMap(([place, columns, expression]) =>
		Object.entries(dateKinds).map(([kind, make]) => ({ place, columns, expression, kind, make })),
	);

	it.each(placed)(
		'writes $kind of $place that is read after the wait as one before',
		async ({ columns, expression, make }) => {
			service.change({ styles: { jobDescriptions: true } });
			const items = () =>
				itemsOf(
					peopleRows(6).map((person, row) => ({
						...person,
						Mail: '',
						// At least one of the rows that are tried first can be sent.
						...columns(row === 1 || row === 4 ? 'spring of 1945' : make(row)),
					})),
				);
			const map = { ...personMap, 'CreateOrUpdateContact:MiddleName': `=${expression}` };
			const run = async (way: string) => {
				if (way === 'database') jobs.hold();
				const chosen = imports(way, 'items', { tryFirst: 1, runKey: `key ${way}` });
				const { error, outputs } = await service.run(
					node,
					{ ...chosen, fieldMap: itemImport(service, map).fieldMap } as never,
					{ items: items(), onError: 'continueRegularOutput', whileSleeping: finishJobs },
				);
				jobs.release();
				expect(error?.message).toBeUndefined();
				const people = service.people().slice(-6);
				return {
					reasons: outputs.flat().map(({ json }) => json.reason ?? json.error),
					written: people.map(({ fields }) => `${fields.firstName} ${fields.middleName}`).sort(),
				};
			};
			const inMemory = await run('memory');
			const before = service.starts().length;
			startAnew();
			service.change({ styles: { jobDescriptions: true } });
			const inDatabase = await run('database');
			expect(service.starts()).toHaveLength(before);
			expect(inDatabase).toEqual(inMemory);
		},
	);

	it.each(['tryFirst', 'correctRejected'])(
		'refuses to send rows later whose fields read what n8n does not keep, with %s',
		async (option) => {
			const run = async (way: string, expression: string) => {
				// A run that slept has left the jobs held.
				jobs.release();
				const middle = { 'CreateOrUpdateContact:MiddleName': `=${expression}` };
				const later = { [option]: 2, progressPage: 'x'.repeat(16) };
				const chosen = imports(way, 'items', way === 'database' ? later : { tryFirst: 2 });
				const { fieldMap } = itemImport(service, { ...personMap, ...middle });
				const rows = peopleRows(4).map((row) => ({ ...row, more: new Map([['middle', 'Ann']]) }));
				return await service.run(node, { ...chosen, fieldMap } as never, {
					items: itemsOf(rows),
					whileSleeping: finishJobs,
				});
			};
			const map = '{{ $json.more.get("middle") }}';
			const refused = await run('database', map);
			expect(refused.error?.message).toMatch(
				/^Middle Name reads "more", which holds an object that n8n does not keep while/,
			);
			expect(service.starts()).toEqual([]);
			expect((await run('database', '{{ $json["Last Name"].trim() }}')).error).toBeUndefined();
			expect((await run('memory', map)).error).toBeUndefined();
		},
	);

	it.each([
		[{ tryFirst: 2 }, 72_000, /more than 1200 minutes/],
		[{ tryFirst: 2, correctRejected: 60, progressPage: 'x'.repeat(16) }, 111_600, /than 1860 min/],
	])(
		'with %p needs a timeout of the workflow that is longer than all waits',
		async (more, executionTimeout, text) => {
			const items = itemsOf(people(1));
			const run = async (seconds: number) =>
				await service.run(node, imports('database', 'items', more), {
					items,
					settings: { executionTimeout: seconds },
					whileSleeping: finishJobs,
				});
			expect((await run(executionTimeout)).error?.message).toMatch(text);
			expect(service.starts()).toEqual([]);
			expect((await run(executionTimeout + 1)).error).toBeUndefined();
		},
	);

	it.each([10, 60])(
		'tries the first rows and sends the others as a wait in memory does, with Stop Above %s',
		async (stopAbove) => {
			const items = itemsOf(people(8).filter(({ Mail }) => typeof Mail === 'string'));
			const more = { tryFirst: 2, stopAbove };
			const inMemory = await service.run(node, imports('memory', 'items', more), { items });
			const before = service.starts().length;
			expect(before).toBe(stopAbove === 10 ? 1 : 3);
			startAnew();
			let sleeps = 0;
			jobs.hold();
			const inDatabase = await service.run(node, imports('database', 'items', more), {
				items,
				whileSleeping: async (until) => {
					slept += until.getTime() - Date.now();
					sleeps++;
					await finishJobs();
				},
			});
			expect(sleeps).toBe(stopAbove === 10 ? 1 : 2);
			expect(service.starts()).toHaveLength(before);
			expect(comparable(inDatabase)).toEqual(comparable(inMemory));
			expect(inDatabase.runData['Node Under Test']).toHaveLength(1);
			const reported = await reportOf(inDatabase);
			expect(reported).toBe(await reportOf(inMemory));
		},
	);
});
