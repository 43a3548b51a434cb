import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import type { StoredWorkflow } from '../scripts/n8nClient';
import { packageManifest } from '../scripts/packedPackage';
import { startSandboxedN8n, type SandboxedN8n } from '../scripts/sandboxedN8n';
import { HeldImports } from './heldImports';

const STARTING_MS = 15 * 60 * 1000;
/** Of cron, with seconds: this n8n takes such a schedule; newer ones ask for a minute at least. */
const EVERY_FIVE_SECONDS = '0-59/5 * * * * *';
const TWO_POLLS_MS = 11_000;
const EVENT_TIMEOUT_MS = 60_000;

let running: SandboxedN8n;
let imports: HeldImports;

before(
	async () => {
		running = await startSandboxedN8n({
			sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
		});
		imports = await HeldImports.start(running);
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await imports?.close();
	await running?.close();
});

/** A workflow that starts with the trigger, stored but not activated. */
async function triggered(
	tenant: string,
	schedule: string,
	parameters: INodeParameters,
): Promise<StoredWorkflow> {
	const { client } = running.n8n;
	const id = await client.createCredential(running.credential(tenant));
	return await client.createWorkflow({
		name: `Jobs of ${tenant}`,
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: `${packageManifest.name}.nativeBulkImportTrigger`,
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					pollTimes: { item: [{ mode: 'custom', cronExpression: schedule }] },
					...parameters,
				},
				credentials: { nativeApi: { id, name: 'Native API' } },
			},
			{
				id: 'told',
				name: 'Told',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Told', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
}

const eventSchema = z.object({ jobId: z.number(), event: z.string(), status: z.string() });

/** What reached the node behind the trigger, in all executions so far: `<job> <event> <status>`. */
async function told(workflow: StoredWorkflow): Promise<string[]> {
	const executions = await running.n8n.client.endedExecutions(workflow);
	assert.deepEqual(
		executions.filter(({ status }) => status !== 'success'),
		[],
	);
	return executions
		.flatMap(({ nodes }) => nodes.Told?.outputs[0] ?? [])
		.map((json) => eventSchema.parse(json))
		.map(({ jobId, event, status }) => `${jobId} ${event} ${status}`)
		.sort();
}

/** Waits until at least these events were told. */
async function toldAtLeast(workflow: StoredWorkflow, expected: string[]): Promise<void> {
	const deadline = Date.now() + EVENT_TIMEOUT_MS;
	for (;;) {
		const sofar = await told(workflow);
		if (expected.every((event) => sofar.includes(event))) return;
		assert.ok(Date.now() < deadline, `told: ${sofar.join(', ')}; not: ${expected.join(', ')}`);
		await wait(500);
	}
}

const staticDataOf = async ({ id }: StoredWorkflow): Promise<string> => {
	const stored = z
		.object({ staticData: z.unknown() })
		.parse(await running.n8n.client.call('GET', `/rest/workflows/${id}`));
	return JSON.stringify(stored.staticData);
};

it('reads 200 watched jobs within the Low rate and remembers them in less than 32 kB', async () => {
	const { control, requests } = running.sandbox;
	const quick = { high: 1000, medium: 1000, low: 1000, monthly: null };
	control.updateTenant('other', { tier: quick });
	const jobIds: number[] = [];
	while (jobIds.length < 200) jobIds.push(await imports.startJob('other'));
	control.updateTenant('other', { tier: 'custom' });
	// The service counts the calls of the last second, whatever the tier was.
	await wait(1_100);
	control.clearRequests();

	// As often as a poll can end before the next one: more than a user can choose in newer versions.
	const workflow = await triggered('other', '0,30 * * * * *', {
		watch: 'specific',
		jobIds: jobIds.join(','),
		events: ['completed', 'completedWithErrors', 'failed', 'statusChanged', 'unreadable'],
	});
	await running.n8n.client.activate(workflow);
	const running200 = jobIds.map((jobId) => `${jobId} statusChanged InProgress`).sort();
	await toldAtLeast(workflow, running200);

	assert.deepEqual(await told(workflow), running200);
	const reads = requests.filter(({ tenant }) => tenant === 'other').map(({ atMs }) => atMs);
	const gaps = reads.slice(1).filter((time, index) => time - (reads[index] ?? 0) > 1500);
	const first = reads.filter((time) => time < (gaps[0] ?? Infinity));
	const inAMinute = Math.max(
		...reads.map((start) => reads.filter((time) => time >= start && time < start + 60_000).length),
	);
	const size = (await staticDataOf(workflow)).length;
	const { status429, buckets } = control.stats();
	const inASecond = buckets.find(({ tenant }) => tenant === 'other')?.maximumArrivedInOneSecond;
	process.stdout.write(
		`${first.length} requests in the first poll, at most ${inAMinute} in a minute and ${inASecond} in a second; ${size} characters remembered\n`,
	);
	assert.equal(status429, 0);
	assert.ok((inASecond ?? Infinity) <= 4);
	assert.ok(first.length <= 100);
	assert.ok(inAMinute <= 4 * 60);
	assert.ok(size > 200 * 5 && size < 32_000);
	await running.n8n.client.call('POST', `/rest/workflows/${workflow.id}/deactivate`);
});

// Behind it, nothing else: it ends the n8n that tests use.
it('tells every chosen end once, also over crashes and of a job that ended while n8n was down', async () => {
	const before = await imports.startJob('demo');
	await imports.end(before, 'Completed');
	const good = await imports.startJob('demo');
	const partly = await imports.startJob('demo');
	const failing = await imports.startJob('demo');
	// Not there yet: a job may not be readable at first.
	const [overCrash, whileDown] = [failing + 1, failing + 2];

	const all = await triggered('demo', EVERY_FIVE_SECONDS, {
		watch: 'all',
		events: ['completed', 'completedWithErrors', 'failed'],
	});
	const chosen = await triggered('demo', EVERY_FIVE_SECONDS, {
		watch: 'specific',
		jobIds: [good, partly, failing, overCrash, whileDown].join(', '),
		events: ['completedWithErrors', 'statusChanged'],
	});
	await running.n8n.client.activate(all);
	await running.n8n.client.activate(chosen);
	const seenRunning = (...jobIds: number[]) =>
		jobIds.map((jobId) => `${jobId} statusChanged InProgress`);
	await toldAtLeast(chosen, seenRunning(good, partly, failing));
	assert.deepEqual(await told(all), []);

	await imports.end(good, 'Completed');
	await imports.end(partly, 'CompletedWithErrors');
	await imports.end(failing, 'Failed');
	await toldAtLeast(all, [`${failing} failed Failed`]);
	await toldAtLeast(chosen, [`${failing} statusChanged Failed`]);

	assert.equal(await imports.startJob('demo'), overCrash);
	await toldAtLeast(chosen, seenRunning(overCrash));
	await running.crashN8n();
	await imports.end(overCrash, 'Completed');
	await toldAtLeast(all, [`${overCrash} completed Completed`]);
	await toldAtLeast(chosen, [`${overCrash} statusChanged Completed`]);

	assert.equal(await imports.startJob('demo'), whileDown);
	await toldAtLeast(chosen, seenRunning(whileDown));
	await running.n8n.kill();
	await imports.end(whileDown, 'Completed');
	await running.crashN8n();
	await toldAtLeast(all, [`${whileDown} completed Completed`]);
	await toldAtLeast(chosen, [`${whileDown} statusChanged Completed`]);

	await wait(TWO_POLLS_MS);
	assert.deepEqual(
		await told(all),
		[
			`${good} completed Completed`,
			`${partly} completedWithErrors CompletedWithErrors`,
			`${failing} failed Failed`,
			`${overCrash} completed Completed`,
			`${whileDown} completed Completed`,
		].sort(),
	);
	assert.deepEqual(
		await told(chosen),
		[
			...seenRunning(good, partly, failing, overCrash, whileDown),
			`${good} statusChanged Completed`,
			`${partly} completedWithErrors CompletedWithErrors`,
			`${failing} statusChanged Failed`,
			`${overCrash} statusChanged Completed`,
			`${whileDown} statusChanged Completed`,
		].sort(),
	);
	assert.equal(running.sandbox.control.stats().leakedCredentials, 0);
});
