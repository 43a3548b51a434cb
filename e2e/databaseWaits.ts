import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import type { IConnections, IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { Execution } from '../hosts/execution';
import { byId } from '../hosts/locators';
import type { StoredWorkflow, WorkflowFile } from '../hosts/n8nClient';
import type { SandboxedN8nOptions } from '../hosts/sandboxedN8n';
import { waitUntil } from '../hosts/waitUntil';
import {
	changeNode,
	importItemsNode,
	itemsWorkflow,
	nativeNode,
	rowWorkflow,
	START,
	to,
	webhook,
	type NodeInRow,
} from '../hosts/workflows';
import { importJob } from './importRequests';
import { type PausedFile, PausedImports } from './pausedImports';
import { assertSuccess, n8nForTests, outputOf, valuesOf, type TestN8n } from './testN8n';

/** In which n8n is killed and starts: on a machine that has nothing else to do … */
const RESTARTED_WITHIN_MS = 30_000;
/** … and on another one, relative to its first start … */
const SLOWEST_RESTART = 1;
/** … and of a newer version, which first changes the database. */
export const SLOWEST_UPDATE = 2;

const waitingSchema = z.object({ status: z.string(), waitTill: z.coerce.date().nullish() });

/** The node sleeps for 30 seconds; n8n looks once a minute. */
export const LATER_MS = 100_000;

export const ADA = { first: 'Ada', last: 'Example', mail: 'ada@example.org' };

export interface ImportSetting {
	running: TestN8n;
	imports: PausedImports;
}

/** An n8n for the tests of a file, and imports that wait in it. */
export function waitsForTests(options: SandboxedN8nOptions = {}): ImportSetting {
	const running = n8nForTests({
		...options,
		httpsLinks: true,
		sandbox: { tier: { high: 200, medium: 100, low: 100, monthly: null } },
	});
	afterEach(() => running.sandbox.control.reset());
	return { running, imports: new PausedImports(running) };
}

const ROWS = ['Ada', 'Bob', 'Cleo'].map(
	(first): IDataObject => ({
		first,
		last: 'Example',
		mail: first === 'Bob' ? 'no..one@example.org' : `${first.toLowerCase()}@example.org`,
	}),
);
const STATUSES = ['imported', 'failed', 'imported'];

const NEXT: NodeInRow = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
/** What a later node sees of the import by its name. */
const READ_ALL: NodeInRow = {
	name: 'Read All',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: "return [{ json: { items: $('Import Items').all().length } }];" },
};

/** First names of the rows in an output. */
const firstNames = (execution: Execution, node: string, output: number) =>
	(execution.nodes[node]?.outputs[output] ?? []).map(({ first }) => first);

/** A workflow that waits in the database, and what must come of it. */
interface WaitingWorkflow {
	what: string;
	workflow: WorkflowFile;
	/** Default: the whole workflow. */
	lastNode?: string;
	/** The path of its webhook, if it is active; it is deactivated while it waits. */
	webhookPath?: string;
	/** Import jobs, if there is not one. */
	jobs?: number;
	/** The workflow whose import it waits for. */
	called?: StoredWorkflow;
	assertOutcome: (execution: Execution) => void;
}

/** Waits until the link of the execution is called. */
const WAIT_FOR_CALL: NodeInRow = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId: 'import-ended',
	parameters: {
		resume: 'webhook',
		httpMethod: 'POST',
		limitWaitTime: true,
		limitType: 'afterTimeInterval',
		resumeAmount: 1,
		resumeUnit: 'hours',
		options: {},
	},
};
/** Import Items does not wait, and the service calls the link when its job ends. */
const NAME_LINK: INodeParameters = {
	waitForOutcome: 'none',
	listeners: { listener: [{ type: 'webhook', value: '={{ $execution.resumeUrl }}' }] },
};

const listenersSchema = z.object({ listeners: z.array(z.object({ value: z.string() })) });

/** The link that the service was given with the first job that has a listener. */
export function resumeLink({ sandbox }: TestN8n): string {
	const link = sandbox.requests
		.map(({ body }) => listenersSchema.safeParse(body).data?.listeners[0]?.value)
		.find((value) => value !== undefined);
	assert.ok(link);
	return link;
}

/** Calls a link of n8n, such as the one that the service was given. */
async function callLink(running: TestN8n, link = resumeLink(running)): Promise<void> {
	const { status } = await running.fetch(link, { method: 'POST', body: 'anything' });
	assert.equal(status, 200);
}

/**
 * Builds the workflows.
 * @param first where their files wait
 * @param second where the file of an import waits that follows another one
 */
async function waitingWorkflows(
	{ running }: ImportSetting,
	first: PausedFile,
	second: PausedFile,
): Promise<WaitingWorkflow[]> {
	const { credentialId, filesFolder } = running;
	const { client } = running.n8n;
	const importNode = (
		parameters: INodeParameters = {},
		node: Partial<NodeInRow> = {},
	): NodeInRow => ({
		...importItemsNode(credentialId, {
			hosting: 'put',
			uploadUrl: first.uploadUrl,
			options: { pollInterval: 1, waitForOutcome: 'database' },
			...parameters,
		}),
		onError: 'continueRegularOutput',
		...node,
	});
	const jobNode = (parameters: INodeParameters): NodeInRow =>
		nativeNode('Import Items', 'nativeBulkImport', credentialId, {
			resource: 'job',
			...parameters,
		});
	const createNode = (options: INodeParameters): NodeInRow =>
		jobNode({
			operation: 'create',
			defineJob: 'json',
			jobJson: JSON.stringify(importJob(first.sourceUrl)),
			options,
		});
	const file = join(filesFolder, 'waiting.csv');
	const cells = ROWS.map((row) => Object.values(row).join(','));
	writeFileSync(file, ['first,last,mail', ...cells].join('\r\n'));
	const called = await client.createWorkflow(
		rowWorkflow([
			{
				name: 'Called',
				type: 'n8n-nodes-base.executeWorkflowTrigger',
				typeVersion: 1.1,
				parameters: { inputSource: 'passthrough' },
			},
			importNode(),
		]),
	);
	await client.activate(called);

	const rowsThrough = (...nodes: NodeInRow[]) => itemsWorkflow(ROWS, nodes);
	const assertValues =
		(node: string, property: string, values: unknown[]) => (execution: Execution) =>
			assert.deepEqual(valuesOf(execution, node, property), values);
	const assertEnded = assertValues('Next', 'hasEnded', [true, true, true]);
	const assertRows = (node: string) => assertValues(node, 'status', STATUSES);
	const assertAllRead = assertValues('Read All', 'items', [ROWS.length]);
	return [
		{
			what: 'items',
			workflow: rowsThrough(importNode(), NEXT, READ_ALL),
			assertOutcome: (execution) => {
				assertRows('Next')(execution);
				assertValues('Next', 'first', ['Ada', 'Bob', 'Cleo'])(execution);
				assertAllRead(execution);
			},
		},
		{
			what: 'a file',
			workflow: rowWorkflow([
				START,
				{
					name: 'Read File',
					type: 'n8n-nodes-base.readWriteFile',
					parameters: { fileSelector: file, options: {} },
				},
				importNode({ source: 'binary', inputDataFieldName: 'data', sourceDelimiter: 'CSV' }),
				NEXT,
			]),
			assertOutcome: (execution) => {
				const [summary, rejected, ...more] = outputOf(execution, 'Next');
				const { rows, imported, failed } = (summary?.importSummary ?? {}) as IDataObject;
				assert.deepEqual({ rows, imported, failed }, { rows: 3, imported: 2, failed: 1 });
				assert.deepEqual([rejected?.status, more], ['failed', []]);
			},
		},
		{
			what: 'items with an error output and retries',
			workflow: rowsThrough(importNode({}, { onError: 'continueErrorOutput', retryOnFail: true })),
			assertOutcome: (execution) => {
				assert.deepEqual(firstNames(execution, 'Import Items', 0), ['Ada', 'Cleo']);
				assert.deepEqual(firstNames(execution, 'Import Items', 1), ['Bob']);
			},
		},
		{
			what: 'a node that executes once',
			workflow: rowsThrough(importNode({}, { executeOnce: true }), NEXT),
			assertOutcome: assertValues('Next', 'status', ['imported']),
		},
		{
			what: 'a single step of the editor',
			workflow: rowsThrough(importNode(), NEXT),
			lastNode: 'Import Items',
			assertOutcome: (execution) => {
				assertRows('Import Items')(execution);
				assert.equal(execution.nodes.Next, undefined);
			},
		},
		{
			what: 'a sub-workflow',
			workflow: rowsThrough(
				{
					name: 'Call',
					type: 'n8n-nodes-base.executeWorkflow',
					typeVersion: 1.2,
					parameters: {
						source: 'database',
						workflowId: byId(called.id),
						mode: 'once',
						options: { waitForSubWorkflow: true },
					},
				},
				NEXT,
			),
			called,
			assertOutcome: assertRows('Next'),
		},
		{
			what: 'two imports in one workflow',
			workflow: rowsThrough(
				importNode(),
				importNode({ uploadUrl: second.uploadUrl }, { name: 'Import Again' }),
				NEXT,
			),
			jobs: 2,
			assertOutcome: (execution) => {
				assertRows('Import Items')(execution);
				assertRows('Next')(execution);
			},
		},
		{
			what: 'a loop',
			workflow: loopOver(
				importNode({
					uploadUrl: `={{ $runIndex === 0 ? '${first.uploadUrl}' : '${second.uploadUrl}' }}`,
				}),
			),
			jobs: 2,
			assertOutcome: assertRows('Done'),
		},
		{
			what: 'a loop that reads the outcomes later',
			workflow: readLater(importNode({ options: NAME_LINK }), {
				...jobNode({
					operation: 'getItemOutcomes',
					startedJobs: "={{ $('Import Items').all() }}",
					options: { whileRunning: 'return' },
				}),
				name: 'Get Item Outcomes',
			}),
			assertOutcome: assertRows('Get Item Outcomes'),
		},
		{
			what: 'a workflow that is deactivated',
			webhookPath: first.folder.slice(1),
			workflow: startedBy(
				webhook(first.folder.slice(1), { httpMethod: 'POST', responseMode: 'onReceived' }),
				rowsThrough(importNode(), NEXT),
			),
			assertOutcome: assertRows('Next'),
		},
		{
			what: 'Get Results',
			workflow: itemsWorkflow(
				[{}],
				[
					{ ...createNode({}), name: 'Create' },
					jobNode({ operation: 'getResults', options: { waitForOutcome: 'database' } }),
					NEXT,
				],
			),
			assertOutcome: assertValues('Next', 'succeeded', [true, false]),
		},
		{
			what: 'Wait',
			workflow: rowsThrough(
				{ ...createNode({}), name: 'Create' },
				jobNode({ operation: 'wait', options: { wait: 'database' } }),
				NEXT,
			),
			jobs: ROWS.length,
			assertOutcome: assertEnded,
		},
		{
			what: 'Create',
			workflow: rowsThrough(createNode({ waitForCompletion: 'database' }), NEXT, READ_ALL),
			jobs: ROWS.length,
			assertOutcome: (execution) => {
				assertEnded(execution);
				assertAllRead(execution);
			},
		},
	];
}

function startedBy(trigger: NodeInRow, workflow: WorkflowFile): WorkflowFile {
	const nodes = workflow.nodes.map((node) =>
		node.name === START.name ? { ...node, ...trigger, name: START.name } : node,
	);
	return { ...workflow, nodes } as WorkflowFile;
}

const executionsSchema = z.object({ results: z.array(z.object({ id: z.string() })) });

/** Activates a workflow and calls its webhook. Returns the ID of the execution. */
async function startActive(
	running: TestN8n,
	stored: StoredWorkflow,
	webhookPath: string,
): Promise<string> {
	const { client } = running.n8n;
	await client.activate(stored);
	await callLink(running, `${client.url}/webhook/${webhookPath}`);
	const filter = encodeURIComponent(JSON.stringify({ workflowId: stored.id }));
	const path = `/rest/executions?filter=${filter}&limit=1`;
	return await waitUntil(
		'it has started',
		async () => executionsSchema.parse(await client.call('GET', path)).results[0]?.id ?? false,
	);
}

/** Start → Given Items → Batch of two ⇄ Import Items; Batch → Done. */
function loopOver(node: NodeInRow): WorkflowFile {
	const batch: NodeInRow = {
		name: 'Batch',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 2, options: {} },
	};
	const row = itemsWorkflow(ROWS, [batch, node, { ...NEXT, name: 'Done' }]);
	const connections: IConnections = {
		...row.connections,
		Batch: { main: [to('Done'), to(node.name)] },
		[node.name]: { main: [to('Batch')] },
	};
	return { ...row, connections };
}

/** Start → Given Items → Import Items → Wait → Rows Again → Get Item Outcomes → Ended?, and back to Wait. */
function readLater(importNode: NodeInRow, outcomes: NodeInRow): WorkflowFile {
	const rowsAgain: NodeInRow = {
		name: 'Rows Again',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: "return $('Given Items').all();" },
	};
	const ended: NodeInRow = {
		name: 'Ended?',
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: 'ended',
						leftValue: '={{ $json.hasEnded !== false }}',
						rightValue: '',
						operator: { type: 'boolean', operation: 'true', singleValue: true },
					},
				],
				combinator: 'and',
			},
			options: {},
		},
	};
	const row = itemsWorkflow(ROWS, [importNode, WAIT_FOR_CALL, rowsAgain, outcomes, ended, NEXT]);
	const connections: IConnections = {
		...row.connections,
		[ended.name]: { main: [to(NEXT.name), to(WAIT_FOR_CALL.name)] },
	};
	return { ...row, connections };
}

/**
 * Waits for a moment in which n8n can be killed and started before any of the executions wakes: n8n ends as
 * crashed what looks at its jobs when it is killed, and what wakes while it starts and looks for executions
 * that a crash has cut off.
 *
 * @param slowest how long that may take, in first starts of n8n, if it is longer than usual
 */
export async function untilNoneWakes(
	{ n8n: { client }, startMs }: TestN8n,
	executions: ReadonlyArray<{ id: string }>,
	slowest = SLOWEST_RESTART,
): Promise<void> {
	await waitUntil('none of the executions is about to wake', async () => {
		const paths = executions.map(({ id }) => `/rest/executions/${id}`);
		const responses = await Promise.all(
			paths.map(async (path) => waitingSchema.parse(await client.call('GET', path))),
		);
		const quietUntil = Date.now() + Math.max(RESTARTED_WITHIN_MS, slowest * startMs);
		return responses.every(
			({ status, waitTill }) => status === 'waiting' && waitTill && waitTill.getTime() > quietUntil,
		);
	});
}

/**
 * Runs workflows until all of them wait in the database, lets n8n go down and come back, lets their jobs
 * end, and checks what they put out.
 *
 * @param interrupt calls its parameter right before it kills n8n, because this is about those that wait
 */
export async function assertWaitsSurvive(
	setting: ImportSetting,
	interrupt: (untilNoneWakes: (slowest?: number) => Promise<void>) => Promise<void>,
): Promise<void> {
	const { running, imports } = setting;
	const { control } = running.sandbox;
	control.reset();
	const first = imports.pausedFile();
	const second = imports.pausedFile();
	const workflows = await waitingWorkflows(setting, first, second);
	const started: Array<WaitingWorkflow & { id: string; stored: StoredWorkflow }> = [];
	for (const each of workflows) {
		const { client } = running.n8n;
		const stored = await client.createWorkflow(each.workflow);
		const id =
			each.webhookPath === undefined
				? await client.start(stored, 'Start', undefined, each.lastNode)
				: await startActive(running, stored, each.webhookPath);
		started.push({ ...each, stored, id });
	}
	const jobs = () => control.jobs('demo').length;
	const endedJobs = () => control.jobs('demo').filter(({ resultFiles }) => resultFiles).length;
	const waitUntilParked = async (what: string, parked: typeof started, jobCount: number) => {
		let statuses: string[] = [];
		await waitUntil(
			() =>
				`${what}, ${jobs()} of ${jobCount} jobs: ${parked.map((each, index) => `${each.what} ${statuses[index]}`).join(', ')}`,
			async () => {
				const { client } = running.n8n;
				statuses = await Promise.all(parked.map(async ({ id }) => await client.statusOf(id)));
				// n8n calls one crashed that wakes while it starts and looks for those that were cut off;
				// it goes on all the same, and waits again.
				const ended = parked.find(
					(_, index) => !/new|running|waiting|crashed/.test(statuses[index] ?? ''),
				);
				if (ended) {
					const execution = await client.waitForExecution(ended.id);
					const [output] = outputOf(execution, 'Import Items');
					const why = JSON.stringify(execution.error ?? output);
					assert.fail(`${ended.what} ended as ${execution.status}: ${why}`);
				}
				return statuses.every((status) => status === 'waiting') && jobs() === jobCount;
			},
			{ everyMs: 1000 },
		);
	};
	const twice = started.filter((each) => each.jobs === 2);
	const total = started.reduce((sum, { jobs: count = 1 }) => sum + count, 0);
	await waitUntilParked('all wait', started, total - twice.length);
	for (const { what, stored, webhookPath } of started) {
		const { client } = running.n8n;
		if (what === 'items') {
			const change = changeNode('Import Items', { description: '', hosting: 'none' });
			const nodes = stored.nodes.map(change);
			await client.call('PATCH', `/rest/workflows/${stored.id}`, { nodes });
		}
		if (webhookPath !== undefined) await client.deactivate(stored);
	}
	// n8n wakes who was called, and whoever called it only after that.
	const callees: Array<{ id: string }> = [];
	for (const { called } of started)
		if (called) callees.push(...(await running.n8n.client.listExecutions(called)));
	assert.equal(callees.length, 1);
	await interrupt(
		async (slowest) => await untilNoneWakes(running, [...started, ...callees], slowest),
	);
	await waitUntilParked('all wait after the interruption', started, total - twice.length);

	// Too early: it keeps waiting.
	await callLink(running);
	await waitUntilParked('all wait after a call', started, total - twice.length);

	imports.endFile(first, 'CompletedWithErrors');
	await waitUntil('the first jobs end', () => endedJobs() === total - twice.length);
	await callLink(running);
	await waitUntilParked('the second imports wait', twice, total);
	imports.endFile(second, 'CompletedWithErrors');
	for (const { what, id, assertOutcome } of started) {
		const execution = await running.n8n.client.waitForExecution(id);
		try {
			assertSuccess(execution);
			assertOutcome(execution);
		} catch (error) {
			throw new Error(`${what}: ${String(error)}`, { cause: error });
		}
	}
	assert.equal(jobs(), total);
}
