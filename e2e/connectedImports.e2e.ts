import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fetch } from 'undici';
import { freePort } from '../hosts/freePort.mjs';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { assertJoinedByDataTable } from './dataTableJoin';
import {
	durableWait,
	outcomeOfContacts,
	parentOf,
	resumeLink,
	asSubWorkflow,
	woken,
} from './durableWait';
import { assertOneOutcomePerRow } from './killedImports';
import { HeldImports } from './pausedImports';

const STARTING_MS = 15 * 60 * 1000;
const WAIT_TIMEOUT_MS = 200_000;

let running: SandboxedN8n;
let imports: HeldImports;
let credentialId: string;

before(
	async () => {
		running = await startSandboxedN8n({
			// The address of n8n must outlive a restart: resume links hold it.
			port: await freePort(),
			sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
		});
		imports = await HeldImports.start(running);
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await imports?.close();
	await running?.close();
});

async function reaches(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
	for (const deadline = Date.now() + 90_000; !(await isThere()); await wait(250)) {
		assert.ok(Date.now() < deadline, `not within 90 seconds: ${what}`);
	}
}

const isWaiting = async (executionId: string) =>
	(await running.n8n.client.statusOf(executionId)) === 'waiting';
const jobs = () => running.sandbox.control.jobs('demo');
const waitForEnd = async (count: number) =>
	await reaches(
		`${count} jobs ended`,
		() => jobs().filter(({ resultFiles }) => resultFiles).length >= count,
	);

const outcome = [
	{ succeeded: true, count_row: 1 },
	{ succeeded: false, count_row: 1 },
];

for (const example of ['import-large-file.json', 'durable-import.json'] as const) {
	it(`${example} gives every row one outcome over a crash in each phase`, async () => {
		const again = await assertOneOutcomePerRow(
			{ running, credentialId },
			example,
			async () => await running.crashN8n(),
			{ kind: 'noResponse', executed: true },
		);
		assert.deepEqual(again, ['starting', 'joining']);
	});
}

it('a data table tells the workflow of the trigger what an import was for', async () => {
	await assertJoinedByDataTable({ running, imports, credentialId });
});

// Behind it, nothing else: it ends the n8n that tests use.
it('the loops of durable-wait.json and durable-import.json wait in the database, over a crash, by the clock, until a call and for a parent', async () => {
	running.sandbox.control.reset();
	const setting = { running, imports, credentialId };
	const byClock = await durableWait(setting);
	const byCall = await durableWait({ ...setting, example: 'durable-import.json' }, woken);
	const inside = await durableWait(setting, asSubWorkflow);
	const startWorkflow = async (workflow: StoredWorkflow) =>
		await running.n8n.client.start(workflow, 'Start');
	const clockId = await startWorkflow(byClock.workflow);
	const callId = await startWorkflow(byCall.workflow);
	await running.n8n.client.activate(inside.workflow);
	const parentId = await startWorkflow(
		await running.n8n.client.createWorkflow(parentOf(inside.workflow)),
	);
	const allWait = async () => {
		const waiting = await Promise.all([clockId, callId, parentId].map(isWaiting));
		return waiting.every(Boolean) && jobs().length === 3;
	};
	await reaches('all wait', allWait);
	const resumeUrl = resumeLink(running);
	assert.ok(resumeUrl);

	await running.crashN8n();
	await reaches('all wait after the crash, too', allWait);
	const call = async () => (await fetch(resumeUrl, { method: 'POST', body: 'anything' })).status;

	// Called too early, and the service fails just then: the execution waits on all the same.
	running.sandbox.control.addFault({
		method: 'GET',
		pathPrefix: '/bulkImportJobs/',
		fault: { kind: 'status', status: 403 },
	});
	const looks = () =>
		running.sandbox.requests.filter(
			({ method, path }) => method === 'GET' && /bulkImportJobs\/\d+$/.test(path),
		).length;
	const looksBefore = looks();
	assert.equal(await call(), 200);
	await reaches('a look', () => looks() > looksBefore);
	await reaches('it waits again', async () => await isWaiting(callId));

	for (const { path } of [byClock, byCall, inside]) imports.endFile(path, 'CompletedWithErrors');
	await waitForEnd(3);
	assert.equal(await call(), 200);
	const { client } = running.n8n;
	for (const [executionId, node, rows] of [
		[callId, 'Summary', outcomeOfContacts],
		[clockId, 'Summary', outcome],
		[parentId, 'After', outcome],
	] as const) {
		const execution = await client.waitForExecution(executionId, WAIT_TIMEOUT_MS);
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.deepEqual(execution.nodes[node]?.outputs[0], rows);
	}
	assert.equal(jobs().length, 3);
	// The link of an execution that has ended does nothing more.
	assert.ok((await call()) >= 400);
});
