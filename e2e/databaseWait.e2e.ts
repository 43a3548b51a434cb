import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { givenN8n } from '../hosts/givenN8n';
import { chosenN8nHost, installN8nHost, N8N_HOSTS } from '../hosts/n8nHost';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow, nativeNode } from '../hosts/workflows';
import { assertWaitsSurvive, resumeLink } from './databaseWaits';
import { countJobReads, importJob, signedAddresses } from './importRequests';
import { PausedImports } from './pausedImports';
import { assertSuccess, n8nForTests, outputOf, valuesOf } from './testN8n';

const [OLDEST] = N8N_HOSTS;
const NEWEST = N8N_HOSTS[N8N_HOSTS.length - 1] ?? OLDEST;
const ADA = { first: 'Ada', last: 'Example', mail: 'ada@example.org' };
/** The node sleeps for 30 seconds; n8n looks once a minute. */
const LATER_MS = 100_000;

const running = n8nForTests({
	httpsLinks: true,
	sandbox: { tier: { high: 200, medium: 100, low: 100, monthly: null } },
});
const imports = new PausedImports(running);
afterEach(() => running.sandbox.control.reset());

const timesSchema = z.object({
	waitTill: z.coerce.date().nullish(),
	stoppedAt: z.coerce.date().nullish(),
});

it('a node that waits in the database goes on at once when it is called, if its job has ended', async () => {
	const { client } = running.n8n;
	const file = imports.pausedFile();
	const create = nativeNode('Under Test', 'nativeBulkImport', running.credentialId, {
		resource: 'job',
		operation: 'create',
		defineJob: 'json',
		jobJson: JSON.stringify(importJob(file.sourceUrl)),
		options: { pollInterval: 1, waitForCompletion: 'database', wakeByService: true },
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
	const execution = await client.waitForExecution(id, 120_000);
	assertSuccess(execution);
	assert.deepEqual(
		outputOf(execution, 'Under Test').map(({ hasEnded, status }) => ({ hasEnded, status })),
		[{ hasEnded: true, status: 'Completed' }],
	);
	const { stoppedAt } = await times();
	assert.ok(stoppedAt && stoppedAt < until, `${stoppedAt?.toISOString()} < ${until.toISOString()}`);
	assert.equal(jobs().length, 1);
});

it('an import that is cancelled while it waits stays ended, and one that would time out does not start', async () => {
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
});

/**
 * Starts an import that checks, and one whose rows have come out but not been stored.
 * @returns runs both again once n8n was killed
 */
async function startImportsToKill(): Promise<() => Promise<void>> {
	const { sandbox } = running;
	const { control } = sandbox;
	// Not the key of the imports that wait: their requests are not to be delayed.
	const credentialId = await running.n8n.client.createCredential(running.credential('other'));
	control.updateTenant('other', { styles: { jobDescriptions: true } });
	const start = async (runKey: string) => {
		const parameters = {
			hosting: 'put',
			...signedAddresses(sandbox),
			options: { pollInterval: 1, waitForOutcome: 'database', runKey },
		};
		const next = { resource: 'code', operation: 'getAll' };
		const nodes = [
			importItemsNode(credentialId, parameters),
			nativeNode('Next', 'nativeCode', credentialId, next),
		];
		const workflow = await running.n8n.client.createWorkflow(itemsWorkflow([ADA], nodes));
		return { workflow, id: await running.n8n.client.start(workflow, 'Start') };
	};
	const delay = async (what: string, pathPrefix: string, runKey: string) => {
		control.addFault({ method: 'GET', pathPrefix, tenant: 'other', fault: { kind: 'noResponse' } });
		const requests = () =>
			sandbox.requests.filter(({ path }) => path.startsWith(`/v2${pathPrefix}`)).length;
		const before = requests();
		const started = await start(runKey);
		await waitUntil(what, () => requests() > before);
		return started;
	};
	const jobs = () => control.jobs('other').length;
	const putsOut = await delay('its rows have come out', '/codes', 'puts out');
	assert.equal(jobs(), 1);
	const checks = await delay('it checks', '/bulkImportMappingTypes', 'checks');
	return async () => {
		const { client } = running.n8n;
		control.clearFaults();
		for (const { workflow, id } of [putsOut, checks]) {
			assert.notEqual((await client.waitForExecution(id, LATER_MS)).status, 'success');
			const again = await client.run(workflow, 'Start');
			assertSuccess(again);
			assert.deepEqual(valuesOf(again, 'Import Items', 'status'), ['imported']);
		}
		assert.equal(jobs(), 2);
	};
}

it('imports that wait in the database go on once, after n8n was killed', async () => {
	let runAgain: () => Promise<void> = () => assert.fail('Nothing was killed.');
	await assertWaitsSurvive({ running, imports }, async (untilNoneWakes) => {
		runAgain = await startImportsToKill();
		await untilNoneWakes();
		await running.crashN8n();
	});
	await runAgain();
});

// The last one: the n8n that the others use is another one afterwards.
it(
	`imports that wait in the database go on once, after ${OLDEST} was updated to ${NEWEST}`,
	{ skip: chosenN8nHost() !== OLDEST || givenN8n() !== undefined },
	async () => {
		// The first time takes minutes: longer than the sandbox waits for a file.
		const newest = await installN8nHost(NEWEST);
		await assertWaitsSurvive({ running, imports }, async (untilNoneWakes) => {
			running.n8nOptions.hostDir = newest;
			await untilNoneWakes();
			await running.crashN8n();
		});
	},
);
