import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { fetch } from 'undici';
import { z } from 'zod';
import { freePort } from '../scripts/freePort';
import { readWorkflowFile, type StoredWorkflow, type WorkflowFile } from '../scripts/n8nClient';
import { packageManifest } from '../scripts/packedPackage';
import { startSandboxedN8n, type SandboxedN8n } from '../scripts/sandboxedN8n';
import { HeldImports } from './heldImports';

const examples = join(__dirname, '..', 'examples');
const STARTING_MS = 15 * 60 * 1000;
/** The shortest wait that n8n leaves to its database is 65 seconds; it looks there once a minute. */
const LEFT_TO_DATABASE_MINUTES = 1.1;
const WAIT_TIMEOUT_MS = 200_000;

let running: SandboxedN8n;
let imports: HeldImports;
let credentialId: string;

before(
	async () => {
		running = await startSandboxedN8n({
			// The address of n8n must outlive a restart: resume links hold it.
			port: await freePort(),
			sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
		});
		imports = await HeldImports.start(running);
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await imports?.close();
	await running?.close();
});

async function reaches(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
	for (const deadline = Date.now() + 90_000; !(await isThere()); await wait(250)) {
		assert.ok(Date.now() < deadline, `not within 90 seconds: ${what}`);
	}
}

const isWaiting = async (executionId: string) =>
	(await running.n8n.client.statusOf(executionId)) === 'waiting';
const jobs = () => running.sandbox.control.jobs('demo');
const ended = async (count: number) =>
	await reaches(
		`${count} jobs ended`,
		() => jobs().filter(({ resultFiles }) => resultFiles).length >= count,
	);

/** The workflow of examples/durable-wait.json, and the file that its job will wait for. */
async function durableWait(
	adapt: (workflow: StoredWorkflow) => WorkflowFile = (workflow) => workflow,
): Promise<{ workflow: StoredWorkflow; path: string }> {
	const { sourceUrl, path } = imports.heldFile();
	const example = await running.importExample(join(examples, 'durable-wait.json'), credentialId, {
		sourceUrl,
		minutesBetweenLooks: LEFT_TO_DATABASE_MINUTES,
	});
	const { name, nodes, connections, settings = {} } = adapt(example);
	const { client } = running.n8n;
	return { workflow: await client.createWorkflow({ name, nodes, connections, settings }), path };
}

const withParameters = (node: INode, parameters: INodeParameters): INode => ({
	...node,
	parameters: { ...node.parameters, ...parameters },
});

/** The service calls the link of the waiting execution; should it never, n8n goes on after an hour. */
const woken = (workflow: StoredWorkflow): WorkflowFile => ({
	...workflow,
	nodes: workflow.nodes.map((node) => {
		if (node.name === 'Wait') {
			return withParameters(node, {
				resume: 'webhook',
				httpMethod: 'POST',
				limitWaitTime: true,
				limitType: 'afterTimeInterval',
				resumeAmount: 1,
				resumeUnit: 'hours',
				options: {},
			});
		}
		if (node.name !== 'Start Import') return node;
		return withParameters(node, {
			listeners: { listener: [{ type: 'webhook', value: '={{ $execution.resumeUrl }}' }] },
		});
	}),
});

const startedByWorkflow = (workflow: StoredWorkflow): WorkflowFile => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		node.name === 'Start'
			? {
					...node,
					type: 'n8n-nodes-base.executeWorkflowTrigger',
					typeVersion: 1.1,
					parameters: { inputSource: 'passthrough' },
				}
			: node,
	),
});

/** A workflow that runs another one and goes on with what that one puts out. */
const parentOf = ({ id }: StoredWorkflow): WorkflowFile => ({
	name: 'Runs another one',
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'import',
			name: 'Import',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			position: [220, 0],
			parameters: {
				source: 'database',
				workflowId: { __rl: true, mode: 'id', value: id },
				mode: 'once',
				options: { waitForSubWorkflow: true },
			},
		},
		{
			id: 'after',
			name: 'After',
			type: 'n8n-nodes-base.noOp',
			typeVersion: 1,
			position: [440, 0],
			parameters: {},
		},
	],
	connections: {
		Start: { main: [[{ node: 'Import', type: 'main', index: 0 }]] },
		Import: { main: [[{ node: 'After', type: 'main', index: 0 }]] },
	},
	settings: { executionOrder: 'v1' },
});

const listenersSchema = z.object({ listeners: z.array(z.object({ value: z.string() })) });

const outcome = [
	{ succeeded: true, count_row: 1 },
	{ succeeded: false, count_row: 1 },
];

it('a data table tells the workflow of the trigger what an import was for', async () => {
	const { client } = running.n8n;
	const { id: projectId } = z
		.object({ id: z.string() })
		.parse(await client.call('GET', '/rest/projects/personal'));
	const { id: tableId } = z.object({ id: z.string() }).parse(
		await client.call('POST', `/rest/projects/${projectId}/data-tables`, {
			name: 'imports',
			columns: [
				{ name: 'jobId', type: 'number' },
				{ name: 'purpose', type: 'string' },
			],
		}),
	);
	const dataTableId = { __rl: true, mode: 'id', value: tableId };
	const native = (name: string, type: string, parameters: INodeParameters): INode => ({
		id: name,
		name,
		type: `${packageManifest.name}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
	});
	const dataTable = (name: string, parameters: INodeParameters): INode => ({
		id: name,
		name,
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1,
		position: [220, 0],
		parameters: { resource: 'row', dataTableId, ...parameters },
	});
	const watching = await client.createWorkflow({
		name: 'Watches',
		nodes: [
			native('Import Ended', 'nativeBulkImportTrigger', {
				pollTimes: { item: [{ mode: 'custom', cronExpression: '0-59/5 * * * * *' }] },
				watch: 'all',
			}),
			dataTable('Purpose', {
				operation: 'get',
				matchType: 'allConditions',
				filters: {
					conditions: [{ keyName: 'jobId', condition: 'eq', keyValue: '={{ $json.jobId }}' }],
				},
			}),
		],
		connections: { 'Import Ended': { main: [[{ node: 'Purpose', type: 'main', index: 0 }]] } },
	});
	await client.activate(watching);

	const { sourceUrl, path } = imports.heldFile();
	const { nodes } = readWorkflowFile(join(examples, 'durable-wait.json'));
	const startImport = nodes.find(({ name }) => name === 'Start Import');
	assert.ok(startImport);
	const starting = await client.createWorkflow({
		name: 'Starts',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				...withParameters(startImport, { sourceUrl }),
				credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
			},
			dataTable('Remember', {
				operation: 'insert',
				columns: {
					mappingMode: 'defineBelow',
					value: { jobId: '={{ $json.jobId }}', purpose: 'spring members' },
					matchingColumns: [],
					schema: ['jobId', 'purpose'].map((id) => ({
						id,
						displayName: id,
						required: false,
						defaultMatch: false,
						display: true,
						type: id === 'jobId' ? 'number' : 'string',
						canBeUsedToMatch: true,
					})),
				},
				options: {},
			}),
		],
		connections: {
			Start: { main: [[{ node: 'Start Import', type: 'main', index: 0 }]] },
			'Start Import': { main: [[{ node: 'Remember', type: 'main', index: 0 }]] },
		},
	});
	const started = await client.run(starting, 'Start');
	assert.equal(started.status, 'success', started.error?.message);
	imports.endFile(path, 'Completed');

	const executions = () => client.endedExecutions(watching);
	await reaches('an execution', async () => (await executions()).length > 0);
	const purposes = (await executions()).flatMap(({ nodes: ran }) => ran.Purpose?.outputs[0] ?? []);
	assert.deepEqual(
		purposes.map(({ jobId, purpose }) => ({ jobId, purpose })),
		[{ jobId: started.nodes['Start Import']?.outputs[0]?.[0]?.jobId, purpose: 'spring members' }],
	);
	await client.call('POST', `/rest/workflows/${watching.id}/deactivate`);
});

// Behind it, nothing else: it ends the n8n that tests use.
it('the loop of durable-wait.json waits in the database, over a crash, by the clock, until a call and for a parent', async () => {
	running.sandbox.control.reset();
	const byClock = await durableWait();
	const byCall = await durableWait(woken);
	const inside = await durableWait(startedByWorkflow);
	const started = async (workflow: StoredWorkflow) =>
		await running.n8n.client.start(workflow, 'Start');
	const clockId = await started(byClock.workflow);
	const callId = await started(byCall.workflow);
	await running.n8n.client.activate(inside.workflow);
	const parentId = await started(
		await running.n8n.client.createWorkflow(parentOf(inside.workflow)),
	);
	const allWait = async () => {
		const waiting = await Promise.all([clockId, callId, parentId].map(isWaiting));
		return waiting.every(Boolean) && jobs().length === 3;
	};
	await reaches('all wait', allWait);
	const resumeUrl = running.sandbox.requests
		.map(({ body }) => listenersSchema.safeParse(body).data?.listeners[0]?.value)
		.find((value) => value !== undefined);
	assert.ok(resumeUrl);

	await running.crashN8n();
	assert.ok(await allWait());
	const call = async () => (await fetch(resumeUrl, { method: 'POST', body: 'anything' })).status;

	// Called too early, and the service fails just then: the execution waits on all the same.
	running.sandbox.control.addFault({
		method: 'GET',
		pathPrefix: '/bulkImportJobs/',
		fault: { kind: 'status', status: 403 },
	});
	const looks = () =>
		running.sandbox.requests.filter(
			({ method, path }) => method === 'GET' && /bulkImportJobs\/\d+$/.test(path),
		).length;
	const looksBefore = looks();
	assert.equal(await call(), 200);
	await reaches('a look', () => looks() > looksBefore);
	await reaches('it waits again', async () => await isWaiting(callId));

	for (const { path } of [byClock, byCall, inside]) imports.endFile(path, 'CompletedWithErrors');
	await ended(3);
	assert.equal(await call(), 200);
	const { client } = running.n8n;
	for (const [executionId, node] of [
		[callId, 'Summary'],
		[clockId, 'Summary'],
		[parentId, 'After'],
	] as const) {
		const execution = await client.ended(executionId, WAIT_TIMEOUT_MS);
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.deepEqual(execution.nodes[node]?.outputs[0], outcome);
	}
	assert.equal(jobs().length, 3);
	// The link of an execution that has ended does nothing more.
	assert.ok((await call()) >= 400);
});
