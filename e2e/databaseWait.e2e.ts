import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow, nativeNode } from '../hosts/workflows';
import { ADA, LATER_MS, resumeLink, waitsForTests } from './databaseWaits';
import { countJobReads, importJob } from './importRequests';
import { assertSuccess, outputOf } from './testN8n';

const { running, imports } = waitsForTests();

const timesSchema = z.object({
	waitTill: z.coerce.date().nullish(),
	stoppedAt: z.coerce.date().nullish(),
});

const idSchema = z.object({ id: z.coerce.string() });

it('a node that waits in the database goes on at once when it is called, if its job has ended', async () => {
	const { client } = running.n8n;
	const file = imports.pausedFile();
	const create = nativeNode('Under Test', 'nativeBulkImport', running.credentialId, {
		resource: 'job',
		operation: 'create',
		defineJob: 'json',
		jobJson: JSON.stringify(importJob(file.sourceUrl)),
		options: { waitForCompletion: 'database', wakeByService: true },
	});
	const workflow = await client.createWorkflow(itemsWorkflow([{ row: 'a' }], [create]));
	const id = await client.start(workflow, 'Start');
	const times = async () => timesSchema.parse(await client.call('GET', `/rest/executions/${id}`));
	const isParked = async () =>
		(await client.statusOf(id)) === 'waiting' && ((await times()).waitTill ?? false);
	await waitUntil('it waits', isParked);

	const link = resumeLink(running);
	// A stranger claims the end: the job is read, and the node waits again.
	const forged = JSON.stringify([{ hasEnded: true, succeeded: true }]);
	const headers = { 'content-type': 'application/json' };
	const call = async (body: string) => await running.fetch(link, { method: 'POST', body, headers });
	const response = await call(forged);
	assert.equal(response.status, 200);
	assert.doesNotMatch(await response.text(), /job|import|paused/i);
	const looked = await running.fetch(link);
	assert.ok(looked.status >= 400);
	const until = await waitUntil('it waits again', isParked);
	// The link of a Wait node is not that of an import.
	const ofWaitNode = link.replace('/import-ended', '');
	assert.notEqual(ofWaitNode, link);
	assert.equal((await running.fetch(ofWaitNode, { method: 'POST' })).status, 404);

	imports.endFile(file, 'Completed');
	const jobs = () => running.sandbox.control.jobs('demo');
	await waitUntil('the job ends', () => jobs().every(({ resultFiles }) => resultFiles));
	assert.equal((await call('{"description":"Import of a test"}')).status, 200);
	const execution = await client.waitForExecution(id);
	assertSuccess(execution);
	assert.deepEqual(
		outputOf(execution, 'Under Test').map(({ hasEnded, status }) => ({ hasEnded, status })),
		[{ hasEnded: true, status: 'Completed' }],
	);
	const { stoppedAt } = await times();
	assert.ok(stoppedAt && stoppedAt < until, `${stoppedAt?.toISOString()} < ${until.toISOString()}`);
	assert.equal(jobs().length, 1);
});

it('an import that is cancelled while it waits stays ended until somebody retries it, and one that would time out does not start', async () => {
	const { sandbox, credentialId } = running;
	const file = imports.pausedFile();
	const store = async (settings = {}) => {
		const node = importItemsNode(credentialId, {
			hosting: 'put',
			uploadUrl: file.uploadUrl,
			options: { pollInterval: 1, waitForOutcome: 'database' },
		});
		const workflow = itemsWorkflow([ADA], [node]);
		return await running.n8n.client.createWorkflow({
			...workflow,
			settings: { ...workflow.settings, ...settings },
		});
	};
	const { client } = running.n8n;
	const cancelled = await client.start(await store(), 'Start');
	// Less than the longest wait; n8n would end the execution when it wakes.
	const timingOut = await client.run(await store({ executionTimeout: 600 }), 'Start');
	assert.match(String(timingOut.error?.message), /times out after 600 seconds/);
	await waitUntil('it waits', async () => (await client.statusOf(cancelled)) === 'waiting');
	await client.call('POST', `/rest/executions/${cancelled}/stop`);
	await wait(2000);
	const reads = countJobReads(sandbox);
	await wait(LATER_MS);
	assert.equal(await client.statusOf(cancelled), 'canceled');
	assert.equal(countJobReads(sandbox), reads);
	assert.equal(sandbox.control.jobs('demo').length, 1);
	imports.endFile(file, 'Completed');
	// Somebody retries it in the list of executions.
	const retry = async (loadWorkflow: boolean) => {
		const path = `/rest/executions/${cancelled}/retry`;
		const { id } = idSchema.parse(await client.call('POST', path, { loadWorkflow }));
		return outputOf(await client.waitForExecution(id), 'Import Items');
	};
	const [skipped] = await retry(true);
	assert.match(String(skipped?.error), /Choose "Retry with original workflow"/);
	const [again] = await retry(false);
	assert.equal(again?.status, 'imported');
	assert.equal(sandbox.control.jobs('demo').length, 1);
});
