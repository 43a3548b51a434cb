import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { z } from 'zod';
import { itemsWorkflow } from '../../hosts/itemsWorkflow';
import type { Execution, StoredWorkflow } from '../../hosts/n8nClient';
import { packageManifest } from '../../hosts/packPackage';
import { startQueueN8n, type QueueN8n } from '../../hosts/queueN8n';
import { assertJoinedByDataTable } from '../dataTableJoin';
import {
	asSubWorkflow,
	durableWait,
	outcomeOfContacts,
	parentOf,
	resumeLink,
	woken,
} from '../durableWait';
import { assertOneOutcomePerRow } from '../killedImports';
import { HeldImports } from '../pausedImports';
import { reportedEvents, waitForEvents, createTriggerWorkflow } from '../triggerEvents';

const STARTING_MS = 15 * 60 * 1000;
const TIMEOUT_MS = 90_000;
const WAIT_TIMEOUT_MS = 200_000;
const TWO_POLLS_MS = 11_000;
const ROWS = 200;

let running: QueueN8n;
let imports: HeldImports;
let credentialId: string;

before(
	async () => {
		// The first tests are about workers of their own.
		running = await startQueueN8n(0, {
			https: true,
			sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
			env: {
				// n8n then tells after seconds, not after a minute or more, that a worker is gone.
				QUEUE_WORKER_LOCK_DURATION: '6000',
				QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
				QUEUE_WORKER_STALLED_INTERVAL: '3000',
			},
		});
		imports = await HeldImports.start(running);
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
	},
	{ timeout: STARTING_MS },
);
afterEach(() => running.sandbox.control.clearFaults());
after(async () => {
	await imports?.close();
	await running?.close();
});

async function startThreeWorkers(): Promise<void> {
	const missing = Math.max(0, 3 - running.workers.length);
	await Promise.all(Array.from({ length: missing }, async () => await running.startWorker()));
}

async function reaches(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
	for (const deadline = Date.now() + TIMEOUT_MS; !(await isThere()); await wait(250)) {
		assert.ok(Date.now() < deadline, `not within ${TIMEOUT_MS / 1000} seconds: ${what}`);
	}
}

/** Every tenth address is none. */
const rows = Array.from({ length: ROWS }, (_, row) => ({
	FirstName: `First${row}`,
	LastName: `Last${row}`,
	Email: row % 10 === 3 ? 'no address' : `person.${row}@example.org`,
}));
const imported = rows.map(({ Email }) => (Email.includes('@') ? 'imported' : 'failed'));

async function importOfItems(): Promise<StoredWorkflow> {
	const value = Object.fromEntries(
		['FirstName', 'LastName', 'Email'].map((field) => [
			`CreateOrUpdateContact:${field}`,
			`={{ $json.${field} }}`,
		]),
	);
	return await running.n8n.client.createWorkflow(
		itemsWorkflow('Import items', rows, [
			{
				name: 'Import Items',
				type: `${packageManifest.name}.nativeBulkImport`,
				credentials: { nativeApi: { id: credentialId, name: 'Native API' } },
				parameters: {
					resource: 'job',
					operation: 'createFromItems',
					resourceType: { __rl: true, mode: 'list', value: 'Contacts' },
					mappingTypes: ['CreateOrUpdateContact'],
					fieldMap: { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] },
					description: 'Sign-ups of this week',
					hosting: 'n8n',
					options: { pollInterval: 1 },
				},
			},
		]),
	);
}
const runImport = async (): Promise<Execution> =>
	await running.n8n.client.run(await importOfItems(), 'Start', { timeoutMs: TIMEOUT_MS });

const statusSchema = z.object({ importResult: z.object({ status: z.string() }) });
function assertImported(execution: Execution): void {
	assert.equal(execution.status, 'success', execution.error?.message);
	const output = execution.nodes['Import Items']?.outputs[0] ?? [];
	assert.deepEqual(
		output.map((json) => statusSchema.parse(json).importResult.status),
		imported,
	);
}

const jobBodySchema = z.object({ file: z.object({ sourceUrl: z.string() }) });
const startedJobs = () =>
	running.sandbox.requests
		.filter(({ method, path }) => method === 'POST' && path === '/v2/bulkImportJobs')
		.map(({ body }) => jobBodySchema.parse(body));

function tell(t: TestContext, what: string, { status, error }: Execution): void {
	const why = error ? `: "${error.message}" ${String(error.description ?? '')}` : '';
	t.diagnostic(`${what}: n8n shows "${status}"${why}`);
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
	tell(t, 'a worker without the package', execution);
	assert.equal(execution.status, 'error');
	assert.match(execution.error?.message ?? '', /Unrecognized node type: n8n-nodes-native/);
	assert.equal(running.sandbox.requests.length, 0);
});

it('a worker that does not know the public address says so, and starts no job', async (t) => {
	const execution = await importOnWorker({ WEBHOOK_URL: '', N8N_EDITOR_BASE_URL: '' });
	tell(t, 'a worker without the public address', execution);
	assert.equal(execution.status, 'error');
	assert.match(execution.error?.message ?? '', /WEBHOOK_URL/);
	assert.deepEqual(startedJobs(), []);
});

it('a worker that keeps files in a folder of its own says so', async (t) => {
	const execution = await importOnWorker({ N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' });
	tell(t, 'a worker with files of its own', execution);
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
	const [job, ...more] = startedJobs();
	assert.equal(more.length, 0);
	assert.equal(new URL(job?.file.sourceUrl ?? '').origin, new URL(running.n8n.url).origin);
});

it('an import on a worker that is killed is one job at the service, and is not run again', async (t) => {
	running.sandbox.control.clearRequests();
	running.sandbox.control.addFault({
		tenant: 'demo',
		fault: { kind: 'job', failure: { kind: 'neverEnds' } },
	});
	const { client } = running.n8n;
	const executionId = await client.start(await importOfItems(), 'Start');
	const looks = () =>
		running.sandbox.requests.filter(
			({ method, path }) => method === 'GET' && /\/bulkImportJobs\/\d+$/.test(path),
		).length;
	await reaches('a look at the job', () => looks() > 0);
	const worker = running.workerOf(executionId);
	assert.ok(worker);
	await running.killWorker(worker);
	await running.startWorker();

	const execution = await client.waitForExecution(executionId, TIMEOUT_MS);
	tell(t, 'an import whose worker was killed', execution);
	assert.equal(execution.status, 'error');
	const looksThen = looks();
	// Whoever ran it again would be free to do so by now.
	assertImported(await runImport());
	await wait(5_000);
	assert.equal(startedJobs().length, 2);
	assert.ok(!running.workers.some(({ began }) => began(executionId)));
	const own = z
		.object({ description: z.string() })
		.parse(running.sandbox.requests.find(({ path }) => path === '/v2/bulkImportJobs')?.body);
	assert.match(own.description, new RegExp(`^Sign-ups of this week \\(n8n ${executionId}, `));
	assert.ok(looks() > looksThen);
});

it('a data table tells the workflow of the trigger what an import was for', async () => {
	await assertJoinedByDataTable({ running, imports, credentialId });
});

it('durable-wait.json and durable-import.json: continue on another worker, by the clock, at a call and for a parent', async () => {
	await startThreeWorkers();
	running.sandbox.control.reset();
	const setting = { running, imports, credentialId };
	const byClock = await durableWait(setting);
	const byCall = await durableWait({ ...setting, example: 'durable-import.json' }, woken);
	const inside = await durableWait(setting, asSubWorkflow);
	const { client } = running.n8n;
	await client.activate(inside.workflow);
	const parent = await client.createWorkflow(parentOf(inside.workflow));
	const started = await Promise.all(
		[byClock.workflow, byCall.workflow, parent].map(
			async (workflow) => await client.start(workflow, 'Start'),
		),
	);
	const jobs = () => running.sandbox.control.jobs('demo');
	const allWait = async () => {
		const statuses = await Promise.all(
			started.map(async (executionId) => await running.n8n.client.statusOf(executionId)),
		);
		return statuses.every((status) => status === 'waiting') && jobs().length === 3;
	};
	await reaches('all wait', allWait);
	const link = resumeLink(running);
	assert.ok(link);

	// All that began them are gone; the executions are in the database only.
	const began = [...running.workers];
	for (const worker of began) await running.killWorker(worker);
	await running.crashN8n();
	assert.ok(await allWait());
	await startThreeWorkers();

	for (const { path } of [byClock, byCall, inside]) imports.endFile(path, 'CompletedWithErrors');
	await reaches(
		'all jobs ended',
		() => jobs().filter(({ resultFiles }) => resultFiles).length === 3,
	);
	const dispatcher = new Agent({ connect: { ca: running.certificate.cert } });
	const call = async () =>
		(await fetch(link, { method: 'POST', body: 'anything', dispatcher })).status;
	assert.equal(await call(), 200);
	const outcome = [
		{ succeeded: true, count_row: 1 },
		{ succeeded: false, count_row: 1 },
	];
	for (const [index, [node, rows]] of (
		[
			['Summary', outcome],
			['Summary', outcomeOfContacts],
			['After', outcome],
		] as const
	).entries()) {
		const execution = await running.n8n.client.waitForExecution(
			started[index] ?? '',
			WAIT_TIMEOUT_MS,
		);
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.deepEqual(execution.nodes[node]?.outputs[0], rows);
	}
	assert.equal(jobs().length, 3);
	assert.ok((await call()) >= 400);
	await dispatcher.destroy();
});

for (const example of ['import-large-file.json', 'durable-import.json'] as const) {
	it(`${example}: every row has one outcome when workers or the main process are killed in each phase`, async () => {
		await startThreeWorkers();
		const killWorkers = async () => {
			for (const worker of [...running.workers]) await running.killWorker(worker);
			await startThreeWorkers();
		};
		const setting = { running, credentialId };
		const again = await assertOneOutcomePerRow(setting, example, killWorkers, {
			kind: 'noResponse',
			executed: true,
		});
		assert.deepEqual(again, ['starting', 'joining']);
		// Workers continue without the main process.
		const crashMain = async () => await running.crashN8n();
		const slowly = { kind: 'latency', ms: 15_000 } as const;
		assert.deepEqual(await assertOneOutcomePerRow(setting, example, crashMain, slowly), []);
	});
}

// The last one: it ends the main process that the others use.
it('the trigger tells every end once on the workers, also over a crash of the main process', async () => {
	const [good, partly, failing] = [
		await imports.startJob('demo'),
		await imports.startJob('demo'),
		await imports.startJob('demo'),
	];
	const all = await createTriggerWorkflow(running, 'demo', 5, {
		watch: 'all',
		events: ['completed', 'completedWithErrors', 'failed'],
	});
	const chosen = await createTriggerWorkflow(running, 'demo', 5, {
		watch: 'specific',
		jobIds: `${good},${failing}`,
		events: ['completed', 'completedWithErrors', 'failed'],
	});
	await running.n8n.client.activate(all);
	await running.n8n.client.activate(chosen);
	await wait(TWO_POLLS_MS);
	await imports.end(good, 'Completed');
	await waitForEvents(running, all, [`${good} completed Completed`]);
	await running.crashN8n();
	await imports.end(partly, 'CompletedWithErrors');
	await waitForEvents(running, all, [`${partly} completedWithErrors CompletedWithErrors`]);
	await running.n8n.kill();
	await imports.end(failing, 'Failed');
	await running.crashN8n();
	await waitForEvents(running, all, [`${failing} failed Failed`]);
	await waitForEvents(running, chosen, [`${failing} failed Failed`]);
	await wait(TWO_POLLS_MS);
	assert.deepEqual(
		await reportedEvents(running, all),
		[
			`${good} completed Completed`,
			`${partly} completedWithErrors CompletedWithErrors`,
			`${failing} failed Failed`,
		].sort(),
	);
	assert.deepEqual(
		await reportedEvents(running, chosen),
		[`${good} completed Completed`, `${failing} failed Failed`].sort(),
	);
	for (const workflow of [all, chosen]) {
		for (const { id } of await running.n8n.client.readEndedExecutions(workflow)) {
			assert.ok(running.workerOf(id), `execution ${id} ran on no worker`);
		}
	}
});
