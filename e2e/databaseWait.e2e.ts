import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { waitUntil } from '../hosts/waitUntil';
import { itemsWorkflow, nativeNode, type NodeInRow } from '../hosts/workflows';
import { importJob } from './importRequests';
import { PausedImports } from './pausedImports';
import { assertSuccess, outputOf, startForTests } from './testN8n';

const WAIT_TIMEOUT_MS = 240_000;

const running = startForTests(async () => await startSandboxedN8n({ https: true }));
const imports = new PausedImports(running);
afterEach(() => running.sandbox.control.reset());

const NEXT: NodeInRow = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
const READ_ALL: NodeInRow = {
	name: 'Read All',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: "return [{ json: { items: $('Under Test').all().length } }];" },
};
const ITEMS = ['a', 'b', 'c'].map((row): IDataObject => ({ row }));

const underTest = (parameters: INodeParameters): NodeInRow =>
	nativeNode('Under Test', 'nativeBulkImport', running.credentialId, {
		resource: 'job',
		...parameters,
		options: { pollInterval: 1, ...(parameters.options as INodeParameters) },
	});

const createJobs = (sourceUrl: string): NodeInRow =>
	underTest({
		operation: 'create',
		defineJob: 'json',
		jobJson: JSON.stringify(importJob(sourceUrl)),
		options: { waitForCompletion: 'database' },
	});

const jobs = () => running.sandbox.control.jobs('demo');
const isWaiting = async (executionId: string) =>
	(await running.n8n.client.statusOf(executionId)) === 'waiting';

it('a node that waits in the database goes on once in itself, also after n8n was killed', async () => {
	const { sourceUrl, path } = imports.pausedFile();
	const { client } = running.n8n;
	const created = await client.createWorkflow(
		itemsWorkflow('Creates jobs', ITEMS, [createJobs(sourceUrl), NEXT, READ_ALL]),
	);
	const createId = await client.start(created, 'Start');
	await waitUntil('it waits', async () => (await isWaiting(createId)) && jobs().length === 3);
	const jobIds = jobs().map(({ id }) => ({ jobId: id }));
	const reading = await client.createWorkflow(
		itemsWorkflow('Reads results', jobIds, [
			underTest({ operation: 'getResults', options: { waitForOutcome: 'database' } }),
			NEXT,
			READ_ALL,
		]),
	);
	const readId = await client.start(reading, 'Start');
	await waitUntil('both wait', async () => await isWaiting(readId));
	await running.crashN8n();
	await waitUntil('both wait after the crash', async () => {
		const waiting = await Promise.all([createId, readId].map(isWaiting));
		return waiting.every(Boolean);
	});
	imports.endFile(path, 'CompletedWithErrors');

	const create = await running.n8n.client.waitForExecution(createId, WAIT_TIMEOUT_MS);
	assertSuccess(create);
	assert.deepEqual(
		outputOf(create, 'Under Test').map(({ jobId, hasEnded }) => ({ jobId, hasEnded })),
		jobIds.map(({ jobId }) => ({ jobId, hasEnded: true })),
	);
	assert.deepEqual(outputOf(create, 'Next'), outputOf(create, 'Under Test'));
	assert.deepEqual(outputOf(create, 'Read All'), [{ items: 3 }]);
	const read = await running.n8n.client.waitForExecution(readId, WAIT_TIMEOUT_MS);
	assertSuccess(read);
	assert.deepEqual(
		outputOf(read, 'Next').map(({ jobId }) => jobId),
		jobIds.flatMap(({ jobId }) => [jobId, jobId]),
	);
	assert.deepEqual(outputOf(read, 'Read All'), [{ items: 6 }]);
	assert.equal(jobs().length, 3);
});
