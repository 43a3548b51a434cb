import type { INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { Fault } from '../../sandbox/faults';
import { callAsTool, type ToolCalling } from './support/agent';
import type { NodeRunOptions } from './support/engine';
import { fieldsOf, peopleJob } from './support/importJobs';
import { comparable, useSleepingRuns } from './support/sleepingRuns';

// After the settings of the engine.
import { ExecuteContext } from 'n8n-core';

const runs = useSleepingRuns();
const { jobs, node, service, waitingJob } = runs;

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, row) => ({ json: { row } }));
const options = { maxWait: 600 };

describe('a wait in the database', () => {
	it('of Create starts every job once and returns what a wait in memory returns', async () => {
		const job = await peopleJob(service);
		const parameters = (waitForCompletion: string) =>
			fieldsOf(job, { ...options, waitForCompletion });
		const inMemory = await service.run(node, parameters('memory'), { items: items(3) });
		expect(service.starts()).toHaveLength(3);
		const inDatabase = await runs.runWithSleeps(parameters('database'), { items: items(3) });
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
			const inDatabase = await runs.runWithSleeps(parameters('database'), { ...setup, retries });
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
			const run = waitForCompletion === 'memory' ? 'runInMemory' : 'runWithSleeps';
			const { error } = await runs[run](parameters, { items: items(3) });
			const [first, , third] = service.jobs().map(({ id }) => String(id));
			expect(error?.description).toContain(
				`already sent: 1, 3 (import jobs ${first}, ${third}). Leave them out`,
			);
		},
	);

	describe('of Create with Retry On Fail', () => {
		const run = async (
			way: string,
			whileSleeping: NodeRunOptions['whileSleeping'] = runs.finishJobs,
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
				await runs.finishJobs();
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
		const inDatabase = await runs.runWithSleeps(parameters('database'), { items: ids });
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
				runs.sleepUntil(until);
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
				if (++sleeps === 3) await runs.finishJobs();
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
			const job = await waitingJob();
			const setup = { settings: { executionTimeout: 36_001 } };
			expect((await runs.runWithSleeps(job, setup)).outputs[0]).toMatchObject([
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

	it('takes no row of a user for its own, whatever it holds', async () => {
		const token = 'nativeDatabaseWait-1-x';
		const json = { nativeDatabaseWait: { token, until: 4e12 }, toolCallId: token };
		const run = await service.run(node, fieldsOf(await peopleJob(service)), { items: [{ json }] });
		expect(run.outputs[0]).toHaveLength(1);
		expect(service.starts()).toHaveLength(1);
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
});
