/** The page on which rejected rows are corrected, used in a browser by somebody without n8n. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { isNewestN8nHost } from '../hosts/n8nHost';
import { waitUntil } from '../hosts/waitUntil';
import { PAGE_SECRET, startCorrectedImport } from './correctedImports';
import { picturesFolder, takePictures } from './editor/picturesFolder';
import { peopleNamed, startedJobs } from './importRequests';
import { open, running } from './pageTests';
import { assertSuccess, outputOf } from './testN8n';

const images = picturesFolder('corrections');
const jobs = () => startedJobs(running.sandbox).length;
const mailOf = (page: Page, name: string) => page.getByLabel(`mail, ${name}`);

it('rejected rows are corrected on a page and imported once, from two tabs', async () => {
	const { id, link } = await startCorrectedImport(running);
	// askFirstKilled has such a page in every n8n.
	if (isNewestN8nHost()) await running.crashN8n();
	const page = await open(link);
	await page.getByText('2 rows were rejected and can be corrected').waitFor();
	assert.equal(await mailOf(page, 'Item 2').inputValue(), 'no..one@example.org');
	assert.equal(await page.getByLabel('first, Item 2').inputValue(), 'Bob <b>"&\'');
	await takePictures(page, images, 'rows');
	const stranger = await open(link.replace(PAGE_SECRET, `${PAGE_SECRET}x`));
	assert.doesNotMatch(await stranger.content(), /Bob|no\.\.one|Fair/);

	const other = await open(link);
	for (const tab of [page, other]) await mailOf(tab, 'Item 2').fill('bob@example.org');
	// The Enter key in a field starts nothing; the page does not change what is typed.
	await mailOf(page, 'Item 2').press('Enter');
	await page.waitForTimeout(6000);
	assert.equal(await mailOf(page, 'Item 2').inputValue(), 'bob@example.org');
	assert.equal(jobs(), 1);
	await page.getByRole('button', { name: 'Import Changed Rows' }).dblclick();
	await Promise.allSettled([
		page.getByText('1 corrected row received').waitFor({ timeout: 10_000 }),
		other.getByRole('button', { name: 'Import Changed Rows' }).click({ timeout: 10_000 }),
	]);
	const execution = await running.n8n.client.waitForExecution(id);
	assertSuccess(execution);
	const results = outputOf(execution, 'Import Items').map(({ importResult }) => importResult);
	const outcome = z.object({ status: z.string(), corrected: z.unknown() }).passthrough();
	assert.deepEqual(
		results
			.map((result) => outcome.parse({ corrected: null, ...Object(result) }))
			.map(({ status, corrected }) => [status, corrected]),
		[
			['imported', null],
			['imported', { mail: 'bob@example.org' }],
			['failed', null],
		],
	);
	assert.equal(jobs(), 2);
	assert.equal(peopleNamed(running.sandbox, /^Bob/).length, 1);
	const late = await open(link);
	assert.doesNotMatch(await late.content(), /Bob|no\.\.one|Fair/);
	for (const tab of [page, other, stranger, late]) await tab.context().close();
});

it('finishing without corrections imports nothing more, also by a link that asks for the secret', async () => {
	const { id, link } = await startCorrectedImport(running);
	const asking = link.replace(PAGE_SECRET, '');
	const stranger = await open(asking, 'wrong');
	assert.doesNotMatch(await stranger.content(), /Bob|no\.\.one|Fair/);
	await stranger.context().close();
	const page = await open(asking, PAGE_SECRET);
	await mailOf(page, 'Item 2').fill('bob@example.org');
	// The page looks for news meanwhile, without the password that the browser knows.
	await page.waitForTimeout(6000);
	assert.equal(await mailOf(page, 'Item 2').inputValue(), 'bob@example.org');
	await page.getByRole('button', { name: 'Finish Without Corrections' }).click();
	await page.getByText('The import ends without corrections.').waitFor();
	// n8n's own page of an execution that has ended.
	await page.getByText('Form Submitted').first().waitFor();
	const execution = await running.n8n.client.waitForExecution(id);
	assertSuccess(execution);
	assert.equal(jobs(), 1);
	await page.context().close();
});

// askFirstKilled has such rows in every n8n.
const skip = !isNewestN8nHost();
it(
	'corrected rows are not imported again after n8n was killed between the click and the start',
	{ skip },
	async () => {
		const { id, link } = await startCorrectedImport(running);
		const { control } = running.sandbox;
		// The service starts the job, and its response is lost.
		control.addFault({
			method: 'POST',
			pathPrefix: '/bulkImportJobs',
			fault: { kind: 'noResponse' },
		});
		const page = await open(link);
		await mailOf(page, 'Item 2').fill('bob@example.org');
		await page.getByRole('button', { name: 'Import Changed Rows' }).click();
		await waitUntil('the job starts', () => jobs() === 2);
		await running.crashN8n();
		control.clearFaults();
		const { client } = running.n8n;
		const ended = await client.waitForExecution(id);
		assert.notEqual(ended.status, 'success');
		// Somebody retries it in the list of executions.
		const retried = await client.call('POST', `/rest/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		const again = await client.waitForExecution(z.object({ id: z.string() }).parse(retried).id);
		assertSuccess(again);
		const { importResult } = outputOf(again, 'Import Items')[1] ?? {};
		const inDoubt = z
			.object({ status: z.literal('unknown'), reason: z.string() })
			.parse(importResult);
		assert.match(inDoubt.reason, /may have been sent already/);
		assert.equal(jobs(), 2);
		await page.context().close();
	},
);
