import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Execution } from '../../hosts/execution';
import { startQueueN8n, WORKERS_MISSED_SOON } from '../../hosts/queueN8n';
import { waitUntil } from '../../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../../hosts/workflows';
import { startCorrectedImport } from '../correctedImports';
import { assertJoinedByDataTable } from '../dataTableJoin';
import { assertWaitsSurvive } from '../databaseWaits';
import { countJobReads, startedJobs } from '../importRequests';
import { assertOneOutcomePerRow } from '../killedImports';
import { PausedImports } from '../pausedImports';
import { assertSuccess, only, outputOf, report, startForTests } from '../testN8n';
import { reportedEvents, waitForEvents, createTriggerWorkflow } from '../triggerEvents';

const TWO_POLLS_MS = 11_000;
const ROWS = 200;

const running = startForTests(
	async () =>
		// The first tests are about workers of their own.
		await startQueueN8n(0, {
			httpsLinks: true,
			sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
			env: WORKERS_MISSED_SOON,
		}),
);
const imports = new PausedImports(running);
const setting = { running, imports };
afterEach(() => running.sandbox.control.clearFaults());

async function startThreeWorkers(): Promise<void> {
	const missing = Math.max(0, 3 - running.workers.length);
	await Promise.all(Array.from({ length: missing }, async () => await running.startWorker()));
}

async function replaceWorkers(): Promise<void> {
	for (const worker of [...running.workers]) await running.killWorker(worker);
	await startThreeWorkers();
}

/** The service rejects every tenth address. */
const rows = Array.from({ length: ROWS }, (_, row) => ({
	first: `First${row}`,
	last: `Last${row}`,
	mail: row % 10 === 3 ? `no..${row}@example.org` : `person.${row}@example.org`,
}));
const imported = rows.map(({ mail }) => (mail.includes('..') ? 'failed' : 'imported'));

const storeImport = async () => {
	const node = importItemsNode(running.credentialId, { hosting: 'n8n' });
	return await running.n8n.client.createWorkflow(itemsWorkflow(rows, [node]));
};
const runImport = async (): Promise<Execution> =>
	await running.n8n.client.run(await storeImport(), 'Start');

const statusSchema = z.object({ importResult: z.object({ status: z.string() }) });
function assertImported(execution: Execution, statuses = imported): void {
	assertSuccess(execution);
	assert.deepEqual(
		outputOf(execution, 'Import Items').map((json) => statusSchema.parse(json).importResult.status),
		statuses,
	);
}

/** Runs the import on a worker whose settings differ from those of the others. */
async function importOnWorker(env: Record<string, string>): Promise<Execution> {
	const worker = await running.startWorker(env);
	running.sandbox.control.clearRequests();
	const execution = await runImport();
	await running.killWorker(worker);
	return execution;
}

it('a worker without the package says so, and nothing is sent', async (t) => {
	const execution = await importOnWorker({ N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true' });
	report(t, 'a worker without the package', execution);
	assert.equal(execution.status, 'error');
	assert.match(execution.error?.message ?? '', /Unrecognized node type: n8n-nodes-native/);
	assert.equal(running.sandbox.requests.length, 0);
});

it('a worker that does not know the public address says so, and starts no job', async (t) => {
	const execution = await importOnWorker({ WEBHOOK_URL: '', N8N_EDITOR_BASE_URL: '' });
	report(t, 'a worker without the public address', execution);
	assert.equal(execution.status, 'error');
	assert.match(execution.error?.message ?? '', /WEBHOOK_URL/);
	assert.deepEqual(startedJobs(running.sandbox), []);
});

it('a worker that keeps files in a folder of its own says so', async (t) => {
	const execution = await importOnWorker({ N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' });
	report(t, 'a worker with files of its own', execution);
	assert.equal(execution.status, 'error');
	assert.match(String(execution.error?.description), /N8N_DEFAULT_BINARY_DATA_MODE: database/);
});

it('a worker that shares the folder of files with the main process imports over its link', async () => {
	const { userFolder } = running.n8nOptions;
	const execution = await importOnWorker({
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_BINARY_DATA_STORAGE_PATH: join(userFolder, '.n8n', 'storage'),
	});
	assertImported(execution);
});

it('with files in the database, as is the default, the main process serves what a worker wrote', async () => {
	await startThreeWorkers();
	running.sandbox.control.clearRequests();
	assertImported(await runImport());
	const { file } = only(startedJobs(running.sandbox));
	assert.equal(new URL(file.sourceUrl).origin, running.linkUrl);
});

it('an import on a worker that is killed is one job at the service, and is not run again', async (t) => {
	running.sandbox.control.clearRequests();
	running.sandbox.control.addFault({
		tenant: 'demo',
		fault: { kind: 'job', failure: { kind: 'neverEnds' } },
	});
	const { client } = running.n8n;
	const executionId = await client.start(await storeImport(), 'Start');
	const reads = () => countJobReads(running.sandbox);
	await waitUntil('the job is read', () => reads() > 0);
	await running.killWorkerOf(executionId);
	await running.startWorker();

	const execution = await client.waitForExecution(executionId);
	report(t, 'an import whose worker was killed', execution);
	assert.equal(execution.status, 'error');
	const readsThen = reads();
	// Whoever ran it again would be free to do so by now.
	assertImported(await runImport());
	await wait(5_000);
	assert.equal(startedJobs(running.sandbox).length, 2);
	assert.ok(!running.workers.some(({ began }) => began(executionId)));
	const [own] = startedJobs(running.sandbox);
	assert.match(
		own?.description ?? '',
		new RegExp(`^Sign-ups of this week \\(n8n ${executionId}, `),
	);
	assert.ok(reads() > readsThen);
});

it('a data table passes the purpose of an import to the workflow of the trigger', async () => {
	await assertJoinedByDataTable(setting);
});

it('imports that wait in the database go on once, on other workers', async () => {
	await startThreeWorkers();
	await assertWaitsSurvive(setting, async (untilNoneWakes) => {
		await untilNoneWakes();
		// All that began them are gone; the executions are in the database only.
		for (const worker of [...running.workers]) await running.killWorker(worker);
		await running.crashN8n();
		await startThreeWorkers();
	});
});

it('rejected rows are corrected on the page of the main process, and imported once by another worker', async () => {
	await startThreeWorkers();
	running.sandbox.control.reset();
	const { id, link } = await startCorrectedImport(running);
	await replaceWorkers();
	const page = await (await running.fetch(link)).text();
	const values = [...page.matchAll(/<input (?:type="hidden" )?name="([^"]+)" value="([^"]*)"/g)];
	const [mail] = values.find(([, , value]) => value === 'no..one@example.org')?.slice(1) ?? [];
	assert.ok(mail);
	// What is left out stays as it is.
	const plain = values.filter(([, , value = '']) => !value.includes('&'));
	const form = new URLSearchParams(
		plain.map(([, name = '', value = '']): [string, string] => [name, value]),
	);
	form.set(mail, 'bob@example.org');
	form.set('action', 'import');
	const send = async () => await running.fetch(link, { method: 'POST', body: form });
	await Promise.allSettled([send(), send()]);
	const execution = await running.n8n.client.waitForExecution(id);
	assertImported(execution, ['imported', 'imported', 'failed']);
	assert.equal(startedJobs(running.sandbox).length, 2);
});

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
	await waitForEvents(running, all, [goodEnd]);
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
