import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertOneOutcomePerRow } from '../killedImports';
import { createTriggerWorkflow, reportedEvents, waitForEvents } from '../triggerEvents';
import { importsInQueueMode } from './importsInQueueMode';

const TWO_POLLS_MS = 11_000;

const { running, imports, startThreeWorkers, replaceWorkers } = importsInQueueMode();
const setting = { running, imports };

for (const example of ['import-large-file.json', 'durable-import.json'] as const) {
	it(`${example}: every row has one outcome when workers or the main process are killed in each phase`, async () => {
		await startThreeWorkers();
		const noResponse = { kind: 'noResponse', executed: true } as const;
		const again = await assertOneOutcomePerRow(setting, example, replaceWorkers, noResponse);
		assert.deepEqual(again, ['uploading', 'starting', 'joining']);
		// Workers continue without the main process.
		const crashMain = async () => await running.crashN8n();
		const slowly = { kind: 'latency', ms: 15_000 } as const;
		assert.deepEqual(await assertOneOutcomePerRow(setting, example, crashMain, slowly), []);
	});
}

// The last one: it ends the main process that the others use.
it('the trigger reports every end once on the workers, also over a crash of the main process', async () => {
	await startThreeWorkers();
	const good = await imports.startJob();
	const partly = await imports.startJob();
	const failing = await imports.startJob();
	const goodEnd = `${good} completed Completed`;
	const partlyEnd = `${partly} completedWithErrors CompletedWithErrors`;
	const failingEnd = `${failing} failed Failed`;
	const events = ['completed', 'completedWithErrors', 'failed'];
	const all = await createTriggerWorkflow(running, 'demo', 5, { watch: 'all', events });
	const chosen = await createTriggerWorkflow(running, 'demo', 5, {
		watch: 'specific',
		jobIds: `${good},${failing}`,
		events,
	});
	await running.n8n.client.activate(all);
	await running.n8n.client.activate(chosen);
	await wait(TWO_POLLS_MS);
	await imports.end(good, 'Completed');
	// One that is reported at the moment of a crash can be lost: n8n remembers it before it stores the execution.
	await waitForEvents(running, all, [goodEnd]);
	await waitForEvents(running, chosen, [goodEnd]);
	await running.crashN8n();
	await imports.end(partly, 'CompletedWithErrors');
	await waitForEvents(running, all, [partlyEnd]);
	await running.n8n.kill();
	await imports.end(failing, 'Failed');
	await running.crashN8n();
	await waitForEvents(running, all, [failingEnd]);
	await waitForEvents(running, chosen, [failingEnd]);
	await wait(TWO_POLLS_MS);
	assert.deepEqual(await reportedEvents(running, all), [goodEnd, partlyEnd, failingEnd].sort());
	assert.deepEqual(await reportedEvents(running, chosen), [goodEnd, failingEnd].sort());
	for (const workflow of [all, chosen]) {
		for (const { id } of await running.n8n.client.readEndedExecutions(workflow)) {
			assert.ok(running.workerOf(id), `execution ${id} ran on no worker`);
		}
	}
});
