import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../hosts/freePort.mjs';
import { givenN8n } from '../hosts/givenN8n';
import { chosenN8nHost, installN8nHost, N8N_HOSTS } from '../hosts/n8nHost';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../hosts/workflows';
import { assertWaitsSurvive } from './databaseWaits';
import { countJobReads } from './importRequests';
import { PausedImports } from './pausedImports';
import { startForTests } from './testN8n';

const [OLDEST] = N8N_HOSTS;
const NEWEST = N8N_HOSTS[N8N_HOSTS.length - 1] ?? OLDEST;
/** The node sleeps for 30 seconds; n8n looks once a minute. */
const LATER_MS = 100_000;

const running = startForTests(
	async () =>
		await startSandboxedN8n({
			// The address of n8n must outlive a restart.
			port: await freePort(),
			https: true,
			sandbox: { tier: { high: 200, medium: 100, low: 100, monthly: null } },
		}),
);
const imports = new PausedImports(running);
afterEach(() => running.sandbox.control.reset());

it('an import that is cancelled while it waits, or lasts too long, stays ended', async () => {
	const { sandbox, credentialId } = running;
	const file = imports.pausedFile();
	const store = async (settings = {}) => {
		const node = importItemsNode(
			credentialId,
			{ FirstName: '={{ $json.first }}', LastName: 'Example', Email: 'ada@example.org' },
			{
				hosting: 'put',
				uploadUrl: file.uploadUrl,
				options: { pollInterval: 1, waitForOutcome: 'database' },
			},
		);
		const workflow = itemsWorkflow('Import', [{ first: 'Ada' }], [node]);
		return await running.n8n.client.createWorkflow({
			...workflow,
			settings: { ...workflow.settings, ...settings },
		});
	};
	const { client } = running.n8n;
	const cancelled = await client.start(await store(), 'Start');
	// Less than the checks in memory take.
	const timedOut = await client.start(await store({ executionTimeout: 4 }), 'Start');
	await waitUntil('it waits', async () => (await client.statusOf(cancelled)) === 'waiting');
	await client.call('POST', `/rest/executions/${cancelled}/stop`);
	await wait(2000);
	const reads = countJobReads(sandbox);
	await wait(LATER_MS);
	assert.equal(await client.statusOf(cancelled), 'canceled');
	assert.equal(await client.statusOf(timedOut), 'canceled');
	assert.equal(countJobReads(sandbox), reads);
	assert.equal(sandbox.control.jobs('demo').length, 2);
	imports.endFile(file, 'Completed');
});

it('imports that wait in the database go on once, after n8n was killed', async () => {
	await assertWaitsSurvive({ running, imports }, async () => await running.crashN8n());
});

// The last one: the n8n that the others use is another one afterwards.
it(
	`imports that wait in the database go on once, after ${OLDEST} was updated to ${NEWEST}`,
	{ skip: chosenN8nHost() !== OLDEST || givenN8n() !== undefined },
	async () => {
		// The first time takes minutes: longer than the sandbox waits for a file.
		const newest = await installN8nHost(NEWEST);
		await assertWaitsSurvive({ running, imports }, async () => {
			running.n8nOptions.hostDir = newest;
			await running.crashN8n();
		});
	},
);
