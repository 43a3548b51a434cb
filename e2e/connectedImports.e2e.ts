import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freePort } from '../hosts/freePort.mjs';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { assertJoinedByDataTable } from './dataTableJoin';
import { assertWaitsSurvive } from './durableWait';
import { assertOneOutcomePerRow } from './killedImports';
import { PausedImports } from './pausedImports';
import { startForTests } from './testN8n';

const running = startForTests(
	async () =>
		await startSandboxedN8n({
			// The address of n8n must outlive a restart: resume links hold it.
			port: await freePort(),
			sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
		}),
);
const imports = new PausedImports(running);
const crash = async () => await running.crashN8n();

for (const example of ['import-large-file.json', 'durable-import.json'] as const) {
	it(`${example} gives every row one outcome over a crash in each phase`, async () => {
		const noResponse = { kind: 'noResponse', executed: true } as const;
		const again = await assertOneOutcomePerRow(running, example, crash, noResponse);
		assert.deepEqual(again, ['starting', 'joining']);
	});
}

it('a data table passes the purpose of an import to the workflow of the trigger', async () => {
	await assertJoinedByDataTable({ running, imports });
});

// The last one: it ends the n8n that the others use.
it('the loops of durable-wait.json and durable-import.json wait in the database, over a crash, by the clock, until a call and for a parent', async () => {
	await assertWaitsSurvive({ running, imports }, crash);
});
