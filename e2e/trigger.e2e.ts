import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { isNewestN8nHost } from '../hosts/n8nHost';
import { PausedImports } from './pausedImports';
import { n8nForTests } from './testN8n';
import { reportedEvents, waitForEvents, createTriggerWorkflow } from './triggerEvents';

const TWO_POLLS_MS = 11_000;
/** The shortest time in which a poll can end before the next one: more often than most users need. */
const POLL_MS = 30_000;
/** Calls per second of the credential's tier. */
const LOW_RATE = 4;
/** Calls that a busy machine may deliver late and together. */
const BUNCHED = 3 * LOW_RATE;

const running = n8nForTests({
	sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
});
const imports = new PausedImports(running);

const staticDataOf = async ({ id }: StoredWorkflow): Promise<string> => {
	const stored = z
		.object({ staticData: z.unknown() })
		.parse(await running.n8n.client.call('GET', `/rest/workflows/${id}`));
	return JSON.stringify(stored.staticData);
};

// n8n's part in it is small, and it takes minutes: test/engine/nativeBulkImportTrigger.test.ts has the rest.
const skip = !isNewestN8nHost();
it(
	'reads 200 watched jobs within the Low rate and remembers them in less than 32 kB',
	{ skip },
	async () => {
		const { control, requests } = running.sandbox;
		const quick = { high: 1000, medium: 1000, low: 1000, monthly: null };
		control.updateTenant('other', { tier: quick });
		const jobIds: number[] = [];
		while (jobIds.length < 200) jobIds.push(await imports.startJob('other'));
		// A busy machine delivers calls in bunches that the nodes spaced evenly: the sandbox takes three times the
		// rate of the credential, and the test counts over long times. One second is test/unit/pace.test.ts's part.
		control.updateTenant('other', { tier: { ...quick, low: 3 * LOW_RATE } });
		await wait(1_100);
		control.clearRequests();

		const workflow = await createTriggerWorkflow(running, 'other', POLL_MS / 1000, {
			watch: 'specific',
			jobIds: jobIds.join(','),
			events: ['completed', 'completedWithErrors', 'failed', 'statusChanged', 'unreadable'],
		});
		// n8n polls at once and then by the clock: the first poll is to be over when the second begins.
		await wait(POLL_MS - (Date.now() % POLL_MS) + 500);
		await running.n8n.client.activate(workflow);
		const running200 = jobIds.map((jobId) => `${jobId} statusChanged InProgress`).sort();
		await waitForEvents(running, workflow, running200);

		assert.deepEqual(await reportedEvents(running, workflow), running200);
		const reads = requests.filter(({ tenant }) => tenant === 'other').map(({ atMs }) => atMs);
		const gaps = reads.slice(1).filter((time, index) => time - (reads[index] ?? 0) > 1500);
		const first = reads.filter((time) => time < (gaps[0] ?? Infinity));
		const aboveRate = Math.max(
			...reads.flatMap((start, from) =>
				reads.slice(from).map((end, more) => more + 1 - ((end - start) / 1000) * LOW_RATE),
			),
		);
		const size = (await staticDataOf(workflow)).length;
		const { status429, buckets } = control.stats();
		const inASecond = buckets.find(({ tenant }) => tenant === 'other')?.maximumArrivedInOneSecond;
		process.stdout.write(
			`${first.length} requests in the first poll, at most ${inASecond} in a second and ${aboveRate.toFixed(1)} above the rate; ${size} characters remembered\n`,
		);
		assert.equal(status429, 0);
		assert.ok(first.length <= 100);
		assert.ok(aboveRate <= BUNCHED);
		assert.ok(size > 200 * 5 && size < 32_000);
		await running.n8n.client.deactivate(workflow);
	},
);

// The last one: it ends the n8n that the other uses.
it('reports every chosen end once, also over a crash and of a job that ended while n8n was down', async () => {
	const before = await imports.startJob();
	await imports.end(before, 'Completed');
	const good = await imports.startJob();
	const partly = await imports.startJob();
	const failing = await imports.startJob();
	// Not there yet: a job may not be readable at first.
	const [overCrash, whileDown] = [failing + 1, failing + 2];

	const all = await createTriggerWorkflow(running, 'demo', 5, {
		watch: 'all',
		events: ['completed', 'completedWithErrors', 'failed'],
	});
	const chosen = await createTriggerWorkflow(running, 'demo', 5, {
		watch: 'specific',
		jobIds: [good, partly, failing, overCrash, whileDown].join(', '),
		events: ['completedWithErrors', 'statusChanged'],
	});
	await running.n8n.client.activate(all);
	await running.n8n.client.activate(chosen);
	const seenRunning = (...jobIds: number[]) =>
		jobIds.map((jobId) => `${jobId} statusChanged InProgress`);
	await waitForEvents(running, chosen, seenRunning(good, partly, failing));
	assert.deepEqual(await reportedEvents(running, all), []);

	await imports.end(good, 'Completed');
	await imports.end(partly, 'CompletedWithErrors');
	await imports.end(failing, 'Failed');
	await waitForEvents(running, all, [`${failing} failed Failed`]);
	await waitForEvents(running, chosen, [`${failing} statusChanged Failed`]);

	assert.equal(await imports.startJob(), overCrash);
	assert.equal(await imports.startJob(), whileDown);
	await waitForEvents(running, chosen, seenRunning(overCrash, whileDown));
	await running.n8n.kill();
	await imports.end(whileDown, 'Completed');
	await running.crashN8n();
	await waitForEvents(running, all, [`${whileDown} completed Completed`]);
	await waitForEvents(running, chosen, [`${whileDown} statusChanged Completed`]);
	await imports.end(overCrash, 'Completed');
	await waitForEvents(running, all, [`${overCrash} completed Completed`]);
	await waitForEvents(running, chosen, [`${overCrash} statusChanged Completed`]);

	await wait(TWO_POLLS_MS);
	assert.deepEqual(
		await reportedEvents(running, all),
		[
			`${good} completed Completed`,
			`${partly} completedWithErrors CompletedWithErrors`,
			`${failing} failed Failed`,
			`${overCrash} completed Completed`,
			`${whileDown} completed Completed`,
		].sort(),
	);
	assert.deepEqual(
		await reportedEvents(running, chosen),
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
