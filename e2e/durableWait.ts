import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { Agent, fetch } from 'undici';
import { z } from 'zod';
import { byId } from '../hosts/locators';
import type { StoredWorkflow, WorkflowFile } from '../hosts/n8nClient';
import { waitUntil } from '../hosts/waitUntil';
import { rowWorkflow, START } from '../hosts/workflows';
import { countJobReads } from './importRequests';
import type { PausedImports } from './pausedImports';
import { assertSuccess, outputOf, type TestN8n } from './testN8n';

export const examples = join(__dirname, '..', 'examples');
/** The shortest wait that n8n leaves to its database is 65 seconds; it looks there once a minute. */
export const LEFT_TO_DATABASE_MINUTES = 1.1;
const WAIT_TIMEOUT_MS = 200_000;

/** What workflows that import need to know. */
export interface ImportSetting {
	running: TestN8n;
	imports: PausedImports;
}

/** The workflow of an example that waits, with its nodes changed, and the file that its job will wait for. */
async function storeLoop(
	{ running, imports }: ImportSetting,
	example: 'durable-import.json' | 'durable-wait.json',
	change: (node: INode) => INode = (node) => node,
): Promise<{ workflow: StoredWorkflow; path: string }> {
	const { sourceUrl, path } = imports.pausedFile();
	const imported = await running.importExample(join(examples, example), running.credentialId, {
		sourceUrl,
		uploadUrl: `${sourceUrl}?sig=upload`,
		downloadUrl: sourceUrl,
		minutesBetweenChecks: LEFT_TO_DATABASE_MINUTES,
	});
	return { workflow: await running.n8n.client.copyWorkflow(imported, change), path };
}

/** Of durable-import.json: the service calls the link of the execution; without a call, n8n continues after an hour. */
function untilCalled(node: INode): INode {
	const { name, parameters } = node;
	if (name === 'Wait') {
		const untilCall = {
			resume: 'webhook',
			httpMethod: 'POST',
			limitWaitTime: true,
			limitType: 'afterTimeInterval',
			resumeAmount: 1,
			resumeUnit: 'hours',
			options: {},
		};
		return { ...node, parameters: { ...parameters, ...untilCall } };
	}
	if (name !== 'Import Items') return node;
	const listener = [{ type: 'webhook', value: '={{ $execution.resumeUrl }}' }];
	const options = { ...(parameters.options as INodeParameters), listeners: { listener } };
	return { ...node, parameters: { ...parameters, options } };
}

function asSubWorkflow(node: INode): INode {
	if (node.name !== 'Start') return node;
	const type = 'n8n-nodes-base.executeWorkflowTrigger';
	return { ...node, type, typeVersion: 1.1, parameters: { inputSource: 'passthrough' } };
}

/** A workflow that runs another one and goes on with what that one puts out. */
const parentOf = ({ id }: StoredWorkflow): WorkflowFile =>
	rowWorkflow('Runs another one', [
		START,
		{
			name: 'Import',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				source: 'database',
				workflowId: byId(id),
				mode: 'once',
				options: { waitForSubWorkflow: true },
			},
		},
		{ name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} },
	]);

/** What durable-wait.json counts for a paused file that ends with errors. */
const PAUSED_OUTCOME = [
	{ succeeded: true, count_row: 1 },
	{ succeeded: false, count_row: 1 },
];
/** What durable-import.json counts for examples/data/contacts.csv. */
export const CONTACTS_OUTCOME = [
	{ status: 'imported', count_status: 975 },
	{ status: 'failed', count_status: 25 },
];

const listenersSchema = z.object({ listeners: z.array(z.object({ value: z.string() })) });

/**
 * Runs durable-wait.json and durable-import.json until they wait in the database: one until the clock says so,
 * one until a call, one inside of a parent. Then crashes n8n, lets the jobs end, and checks what they put out.
 */
export async function assertWaitsSurvive(
	setting: ImportSetting,
	crash: () => Promise<void>,
): Promise<void> {
	const { running, imports } = setting;
	const { sandbox, certificate } = running;
	sandbox.control.reset();
	const byClock = await storeLoop(setting, 'durable-wait.json');
	const byCall = await storeLoop(setting, 'durable-import.json', untilCalled);
	const inside = await storeLoop(setting, 'durable-wait.json', asSubWorkflow);
	const { client } = running.n8n;
	await client.activate(inside.workflow);
	const parent = await client.createWorkflow(parentOf(inside.workflow));
	const clockId = await client.start(byClock.workflow, 'Start');
	const callId = await client.start(byCall.workflow, 'Start');
	const parentId = await client.start(parent, 'Start');

	const jobs = () => sandbox.control.jobs('demo');
	const isWaiting = async (executionId: string) =>
		(await running.n8n.client.statusOf(executionId)) === 'waiting';
	const allWait = async () => {
		const waiting = await Promise.all([clockId, callId, parentId].map(isWaiting));
		return waiting.every(Boolean) && jobs().length === 3;
	};
	await waitUntil('all wait', allWait);
	const resumeUrl = sandbox.requests
		.map(({ body }) => listenersSchema.safeParse(body).data?.listeners[0]?.value)
		.find((value) => value !== undefined);
	assert.ok(resumeUrl);
	await crash();
	await waitUntil('all wait after the crash, too', allWait);

	const dispatcher = new Agent({ connect: { ca: certificate.cert } });
	const call = async () =>
		(await fetch(resumeUrl, { method: 'POST', body: 'anything', dispatcher })).status;
	// Called too early, and the service fails at the same time: the execution keeps waiting.
	sandbox.control.addFault({
		method: 'GET',
		pathPrefix: '/bulkImportJobs/',
		fault: { kind: 'status', status: 403 },
	});
	const readsBefore = countJobReads(sandbox);
	assert.equal(await call(), 200);
	await waitUntil('the job is read', () => countJobReads(sandbox) > readsBefore);
	let status = '';
	await waitUntil(
		() => `it waits again; it is "${status}"`,
		async () => {
			status = await running.n8n.client.statusOf(callId);
			return status === 'waiting';
		},
	);

	for (const { path } of [byClock, byCall, inside]) imports.endFile(path, 'CompletedWithErrors');
	await waitUntil('all jobs ended', () => jobs().every(({ resultFiles }) => resultFiles));
	assert.equal(await call(), 200);
	for (const [executionId, node, outcome] of [
		[callId, 'Summary', CONTACTS_OUTCOME],
		[clockId, 'Summary', PAUSED_OUTCOME],
		[parentId, 'After', PAUSED_OUTCOME],
	] as const) {
		const execution = await running.n8n.client.waitForExecution(executionId, WAIT_TIMEOUT_MS);
		assertSuccess(execution);
		assert.deepEqual(outputOf(execution, node), outcome);
	}
	assert.equal(jobs().length, 3);
	// The link of an execution that has ended does nothing more.
	assert.ok((await call()) >= 400);
	await dispatcher.destroy();
}
