import assert from 'node:assert/strict';
import { it } from 'node:test';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow, nativeNode } from '../hosts/workflows';
import { ADA, assertWaitsSurvive, waitsForTests } from './databaseWaits';
import { signedAddresses } from './importRequests';
import { assertSuccess, valuesOf } from './testN8n';

const { running, imports } = waitsForTests();

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
		// Also when it asks again: n8n is killed only once none of those that wait is to wake soon.
		const fault = { kind: 'noResponse' } as const;
		control.addFault({ method: 'GET', pathPrefix, tenant: 'other', count: 1000, fault });
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
			assert.notEqual((await client.waitForExecution(id)).status, 'success');
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
