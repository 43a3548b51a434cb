/** Calls to executions that wait, from whoever is slow or a stranger. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SlowCalls } from './slowCalls';
import { n8nForTests } from './testN8n';

const slowCalls = new SlowCalls(n8nForTests());

void describe('a call that comes when the execution waits again', () => {
	it('is refused by the import that it was for', async () => {
		assert.equal(await slowCalls.twoImports(), 409);
	});

	it('is refused by an import that tried its first rows', async () => {
		assert.equal(await slowCalls.tryFirst(), 409);
	});

	it('with corrections is refused once others were taken', async () => {
		assert.equal(await slowCalls.corrections(), 409);
	});

	it('brings the execution back to a Wait node, and the import behind it starts no second job', async () => {
		await slowCalls.behindWaitNode();
	});

	it('of a stranger wakes no import', async () => {
		await slowCalls.strangers();
	});
});
