import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenN8nHost } from '../hosts/n8nHost';
import { itemsWorkflow, nativeNode } from '../hosts/workflows';
import { assertSuccess, n8nForTests } from './testN8n';

/** Without this protection. */
const OLDER = 'n8n-2.8.4';

// SECURITY.md names the settings.
void describe('the SSRF protection of n8n', { skip: chosenN8nHost() === OLDER }, () => {
	const running = n8nForTests({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });

	const readCodeTypes = async () => {
		const { client } = running.n8n;
		const node = nativeNode('Types', 'nativeCode', running.credentialId, {
			resource: 'codeType',
			operation: 'getAll',
			returnAll: true,
		});
		const workflow = await client.createWorkflow(itemsWorkflow([{}], [node]));
		return await client.run(workflow, 'Start');
	};

	it('is named in the error when it blocks the service', async () => {
		const { status, error } = await readCodeTypes();
		assert.equal(status, 'error');
		assert.equal(error?.message, 'n8n does not allow the address of GET /codeTypes');
		assert.match(JSON.stringify(error), /Nothing was sent\..*\(SSRF\).*N8N_SSRF_ALLOWED_IP_RANGES/);
		assert.deepEqual(running.sandbox.requests, []);
	});

	it('lets the service through once its address is allowed', async () => {
		Object.assign(running.n8nOptions.env ?? {}, { N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8' });
		await running.crashN8n();
		assertSuccess(await readCodeTypes());
		assert.ok(running.sandbox.requests.length > 0);
	});
});
