/** Ask First where the process that takes a call knows nothing of those that run the executions. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { startQueueN8n, WORKERS_MISSED_SOON } from '../../hosts/queueN8n';
import {
	assertOtherCredentialRefused,
	assertOtherMappingRefused,
	assertOtherRowsRefused,
	assertSavedWorkflowHarmless,
} from '../askedChanges';
import { jobCount, pressAtOnce, startAskedImport } from '../askedImports';
import { assertKillsHold } from '../askedKills';
import { PausedImports } from '../pausedImports';
import { openSlowly } from '../slowCalls';
import { assertSuccess, startForTests, valuesOf } from '../testN8n';

const running = startForTests(
	async () =>
		await startQueueN8n(2, {
			httpsLinks: true,
			env: WORKERS_MISSED_SOON,
		}),
);
const imports = new PausedImports(running);
afterEach(() => running.sandbox.control.reset());

async function assertStatuses(id: string, statuses: string[]): Promise<void> {
	const execution = await running.n8n.client.waitForExecution(id);
	assertSuccess(execution);
	assert.deepEqual(valuesOf(execution, 'Import Items', 'status'), statuses);
}

void describe('an import that asks first, in queue mode', () => {
	it('asks, takes corrections and reports on one link', async () => {
		const asked = await startAskedImport(running, { correctRejected: 60 });
		assert.match(await asked.body(), /<b>3<\/b> rows would be imported into/);
		assert.equal(jobCount(running), 0);
		await asked.answer('import');
		await asked.correct();
		await asked.read();
		await assertStatuses(asked.id, ['imported', 'imported', 'imported']);
		assert.equal(jobCount(running), 2);
	});

	it('sends nothing after Cancel', async () => {
		const asked = await startAskedImport(running);
		await asked.answer('cancel');
		await assertStatuses(asked.id, ['notSent', 'notSent', 'notSent']);
		assert.equal(jobCount(running), 0);
	});

	it('starts one job if two people press at once, one of them on a slow line', async () => {
		const asked = await startAskedImport(running);
		const form = { ask: await asked.hidden('ask'), action: 'import' };
		const type = 'application/x-www-form-urlencoded';
		const slow = await openSlowly(asked.link, new URLSearchParams(form).toString(), type);
		await pressAtOnce(running, asked.link, form, 2);
		await asked.hidden('read');
		await slow.end().catch(() => undefined);
		await asked.read();
		await assertStatuses(asked.id, ['imported', 'failed', 'imported']);
		assert.equal(jobCount(running), 1);
	});

	it('is refused if rows, fields or the database are others than were shown', async () => {
		await assertOtherRowsRefused(running);
		await assertOtherMappingRefused(running);
		await assertOtherCredentialRefused(running, 'other');
	});

	it('sends what was shown if the workflow is saved meanwhile', async () => {
		await assertSavedWorkflowHarmless(running);
	});

	it('is released once and sent once, whatever phase its worker is killed in', async () => {
		// Three imports hold a worker each until the kill, and one wakes meanwhile.
		await Promise.all([running.startWorker(), running.startWorker()]);
		await assertKillsHold({ running, imports }, async () => {
			for (const worker of [...running.workers]) await running.killWorker(worker);
			await Promise.all([running.startWorker(), running.startWorker()]);
		});
	});
});
