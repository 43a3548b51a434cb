import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Execution } from '../../hosts/execution';
import { waitUntil } from '../../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../../hosts/workflows';
import { pressAtOnce } from '../askedImports';
import { startCorrectedImport } from '../correctedImports';
import { assertJoinedByDataTable } from '../dataTableJoin';
import { assertWaitsSurvive } from '../databaseWaits';
import { countJobReads, startedJobs } from '../importRequests';
import { assertSuccess, only, outputOf, report } from '../testN8n';
import { importsInQueueMode } from './importsInQueueMode';

const ROWS = 200;

const { running, imports, startThreeWorkers, replaceWorkers } = importsInQueueMode();

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
	await assertJoinedByDataTable({ running, imports });
});

it('imports that wait in the database go on once, on other workers', async () => {
	await startThreeWorkers();
	await assertWaitsSurvive({ running, imports }, async (untilNoneWakes) => {
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
	await pressAtOnce(running, link, form, 2);
	const execution = await running.n8n.client.waitForExecution(id);
	assertImported(execution, ['imported', 'imported', 'failed']);
	assert.equal(startedJobs(running.sandbox).length, 2);
});
