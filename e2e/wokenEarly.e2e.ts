import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Agent, fetch } from 'undici';
import { z } from 'zod';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { waitUntil } from '../hosts/waitUntil';
import { itemsWorkflow, nativeNode } from '../hosts/workflows';
import { resumeLink } from './databaseWaits';
import { importJob } from './importRequests';
import { PausedImports } from './pausedImports';
import { assertSuccess, outputOf, startForTests } from './testN8n';

const running = startForTests(async () => await startSandboxedN8n({ https: true }));
const imports = new PausedImports(running);

const timesSchema = z.object({
	waitTill: z.coerce.date().nullish(),
	stoppedAt: z.coerce.date().nullish(),
});

it('a node that waits in the database goes on at once when it is called, if its job has ended', async () => {
	const { client } = running.n8n;
	const { sandbox, certificate } = running;
	const file = imports.pausedFile();
	const workflow = await client.createWorkflow(
		itemsWorkflow(
			'Woken early',
			[{ row: 'a' }],
			[
				nativeNode('Under Test', 'nativeBulkImport', running.credentialId, {
					resource: 'job',
					operation: 'create',
					defineJob: 'json',
					jobJson: JSON.stringify(importJob(file.sourceUrl)),
					options: { pollInterval: 1, waitForCompletion: 'database', wakeByService: true },
				}),
			],
		),
	);
	const id = await client.start(workflow, 'Start');
	const times = async () => timesSchema.parse(await client.call('GET', `/rest/executions/${id}`));
	const isParked = async () =>
		(await client.statusOf(id)) === 'waiting' && ((await times()).waitTill ?? false);
	await waitUntil('it waits', isParked);

	const link = resumeLink(running);
	const dispatcher = new Agent({ connect: { ca: certificate.cert } });
	// A stranger claims the end: the job is read, and the node waits again.
	const forged = JSON.stringify([{ hasEnded: true, succeeded: true }]);
	const headers = { 'content-type': 'application/json' };
	const call = async (body: string) =>
		await fetch(link, { method: 'POST', body, headers, dispatcher });
	const response = await call(forged);
	assert.equal(response.status, 200);
	assert.doesNotMatch(await response.text(), /job|import|paused/i);
	const looked = await fetch(link, { dispatcher });
	assert.ok(looked.status >= 400);
	const until = await waitUntil('it waits again', isParked);

	imports.endFile(file, 'Completed');
	const jobs = () => sandbox.control.jobs('demo');
	await waitUntil('the job ends', () => jobs().every(({ resultFiles }) => resultFiles));
	assert.equal((await call('{"description":"Import of a test"}')).status, 200);
	const execution = await client.waitForExecution(id, 120_000);
	assertSuccess(execution);
	assert.deepEqual(
		outputOf(execution, 'Under Test').map(({ hasEnded, status }) => ({ hasEnded, status })),
		[{ hasEnded: true, status: 'Completed' }],
	);
	const { stoppedAt } = await times();
	assert.ok(stoppedAt && stoppedAt < until, `${stoppedAt?.toISOString()} < ${until.toISOString()}`);
	assert.equal(jobs().length, 1);
	await dispatcher.destroy();
});
