/** The same where the process that takes a call knows nothing of those that run the executions. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startQueueN8n } from '../../hosts/queueN8n';
import { SlowCalls } from '../slowCalls';
import { startForTests } from '../testN8n';

const slowCalls = new SlowCalls(startForTests(async () => await startQueueN8n(2)));

void describe('a call that comes when the execution waits again, in queue mode', () => {
	it('goes back to the first of two imports, and the second starts no second job', async () => {
		assert.equal(await slowCalls.twoImports(), 200);
	});

	it('goes back to the rows tried first, and the others are sent once', async () => {
		assert.equal(await slowCalls.tryFirst(), 200);
	});

	it('goes back to the rows that can be corrected, and they are imported once', async () => {
		assert.equal(await slowCalls.corrections(), 200);
	});

	it('goes back to a Wait node, and the import behind it starts no second job', async () => {
		await slowCalls.behindWaitNode();
	});
});
