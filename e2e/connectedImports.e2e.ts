import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNewestN8nHost } from '../hosts/n8nHost';
import { assertJoinedByDataTable } from './dataTableJoin';
import { assertOneOutcomePerRow } from './killedImports';
import { PausedImports } from './pausedImports';
import { n8nForTests } from './testN8n';

const running = n8nForTests({
	sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
});
const imports = new PausedImports(running);

for (const example of ['import-large-file.json', 'durable-import.json'] as const) {
	// The other one has all phases, and several files.
	const skip = example === 'durable-import.json' && !isNewestN8nHost();
	it(`${example} gives every row one outcome over a crash in each phase`, { skip }, async () => {
		const noResponse = { kind: 'noResponse', executed: true } as const;
		const again = await assertOneOutcomePerRow(
			{ running, imports },
			example,
			async () => await running.crashN8n(),
			noResponse,
		);
		// On a slow machine, n8n may be waking the one that waits in the moment in which it is killed.
		const interrupted = again.filter((runKey) => runKey !== 'waiting');
		assert.deepEqual(interrupted, ['uploading', 'starting', 'joining']);
	});
}

it('a data table passes the purpose of an import to the workflow of the trigger', async () => {
	await assertJoinedByDataTable({ running, imports });
});
