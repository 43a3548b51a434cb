/** Ask First: somebody without n8n sees in a browser what would be imported, and releases it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { givenN8n } from '../hosts/givenN8n';
import { isNewestN8nHost } from '../hosts/n8nHost';
import { waitUntil } from '../hosts/waitUntil';
import {
	assertOtherCredentialRefused,
	assertOtherMappingRefused,
	assertOtherRowsRefused,
	assertSavedWorkflowHarmless,
} from './askedChanges';
import { jobCount, pressAtOnce, startAskedImport } from './askedImports';
import './correctionTests';
import { picturesFolder, takePictures } from './editor/picturesFolder';
import { peopleNamed } from './importRequests';
import { open, running } from './pageTests';
import { openSlowly } from './slowCalls';
import { assertSuccess, valuesOf } from './testN8n';

const images = picturesFolder('ask-first');
/** What runs in it only is proved for every n8n in the engine, or by askFirstKilled. */
const isNewest = isNewestN8nHost();
const isGiven = givenN8n() !== undefined;

const importButton = (page: Page) => page.getByRole('button', { name: 'Import 3 rows' });
const stored = () => peopleNamed(running.sandbox, /^(Ada|Bob|Cleo)/).length;

async function ended(id: string): Promise<unknown[]> {
	const execution = await running.n8n.client.waitForExecution(id);
	assertSuccess(execution);
	return valuesOf(execution, 'Import Items', 'status');
}

it('asks, shows the progress, takes corrections and reports on one link', async () => {
	const { id, link } = await startAskedImport(running, { correctRejected: 60, report: true });
	const page = await open(link);
	await page.getByText('3 rows would be imported into').waitFor();
	await page.getByText('Bob <b>"&\'').first().waitFor();
	await takePictures(page, images, 'ask');
	assert.equal(jobCount(running), 0);
	await page.getByLabel('Your name').fill('Kim Example');
	// The Enter key in the field starts nothing.
	await page.getByLabel('Your name').press('Enter');
	await importButton(page).click();
	await page.getByText('the import of 3 rows starts now').waitFor();
	await page.getByText('1 row was rejected and can be corrected').waitFor();
	await takePictures(page, images, 'corrections');
	await page.getByLabel('mail, Item 2').fill('bob@example.org');
	await page.getByRole('button', { name: 'Import Changed Rows' }).click();
	await page.getByText('3 of 3 rows imported').waitFor();
	await page.getByText('Released by Kim Example.').waitFor();
	await takePictures(page, images, 'report');
	await page.getByRole('button', { name: 'Done' }).click();
	assert.deepEqual(await ended(id), ['imported', 'imported', 'imported']);
	assert.equal(stored(), 3);
	await page.context().close();
});

it('a stranger at the link sees nothing and releases nothing', async () => {
	const asked = await startAskedImport(running, { maxWaitToAsk: 1 });
	const { id, link } = asked;
	const form = new URLSearchParams({ ask: await asked.hidden('ask'), action: 'import' });
	for (const secret of ['', 'another', undefined]) {
		const without = new URL(link);
		if (secret === undefined) without.searchParams.delete('page');
		else without.searchParams.set('page', secret);
		const body = await (await running.fetch(without.toString())).text();
		assert.doesNotMatch(body, /Ada|example\.org|Fair of March/);
		await running.fetch(without.toString(), { method: 'POST', body: form });
		const bare = new URL(without);
		bare.pathname = bare.pathname.replace('form-waiting', 'webhook-waiting');
		await running.fetch(bare.toString(), { method: 'POST' });
	}
	assert.equal(await running.n8n.client.statusOf(id), 'waiting');
	// Nobody answers in time.
	assert.deepEqual(await ended(id), ['notSent', 'notSent', 'notSent']);
	assert.equal(jobCount(running), 0);
});

it('a canceled import sends nothing', async () => {
	const { id, link } = await startAskedImport(running);
	if (isNewest) await running.crashN8n();
	const page = await open(link);
	await page.getByRole('button', { name: 'Cancel' }).click();
	await page.getByText('Canceled: nothing is imported.').waitFor();
	assert.deepEqual(await ended(id), ['notSent', 'notSent', 'notSent']);
	assert.equal(jobCount(running), 0);
	await page.context().close();
});

it('two people who press at once start one import', async () => {
	const asked = await startAskedImport(running);
	const form = { ask: await asked.hidden('ask'), action: 'import' };
	await pressAtOnce(running, asked.link, form, 3);
	await asked.read();
	assert.deepEqual(await ended(asked.id), ['imported', 'failed', 'imported']);
	assert.equal(jobCount(running), 1);
});

void describe('an import that asks first', () => {
	it('refuses other rows than were shown', { skip: isGiven }, async () => {
		await assertOtherRowsRefused(running);
	});

	it('refuses other fields than were shown', { skip: !isNewest }, async () => {
		await assertOtherMappingRefused(running);
	});

	it('refuses another database than was shown', { skip: !isNewest }, async () => {
		await assertOtherCredentialRefused(running, 'other');
	});

	it('imports what was shown if the workflow is saved meanwhile', async () => {
		await assertSavedWorkflowHarmless(running);
	});
});

it(
	'a slow call, and a kill after the release, start nothing twice',
	{ skip: !isNewest },
	async () => {
		const asked = await startAskedImport(running);
		const { id, link } = asked;
		const { control } = running.sandbox;
		control.updateTenant('demo', { styles: { jobDescriptions: true } });
		const ask = await asked.hidden('ask');
		const cancel = new URLSearchParams({ ask, action: 'cancel' }).toString();
		const slow = await openSlowly(link, cancel, 'application/x-www-form-urlencoded');
		control.addFault({
			method: 'POST',
			pathPrefix: '/bulkImportJobs',
			fault: { kind: 'noResponse', executed: true },
		});
		await asked.post({ ask, action: 'import' });
		await waitUntil('the job starts', () => jobCount(running) === 1);
		await running.crashN8n();
		control.clearFaults();
		await slow.end().catch(() => undefined);
		const { client } = running.n8n;
		await waitUntil('n8n has noticed', async () => (await client.statusOf(id)) !== 'running');
		// Somebody retries it in the list of executions.
		await client.call('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
		await setTimeout(10_000);
		assert.equal(jobCount(running), 1);
	},
);
