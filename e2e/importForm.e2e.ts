/** The web form of examples/import-form.json, submitted in a browser by somebody without n8n. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { chosenN8nHost, isNewestN8nHost } from '../hosts/n8nHost';
import { waitUntil } from '../hosts/waitUntil';
import { jobCount } from './askedImports';
import { Browser } from './editor/browser';
import { picturesFolder, takePictures } from './editor/picturesFolder';
import { holdJobs, peopleNamed } from './importRequests';
import { signUps } from './signUps';
import { n8nForTests } from './testN8n';

const SECRET = 'heron-by-the-river';
/** Where n8n does not sign its links, its own page at the end must not say what a list holds. */
const IS_SIGNED = chosenN8nHost() !== 'n8n-2.8.4';
/** Rows that are looked up in a moment; the service rejects one of them. */
const FEW = 20;
const USER = { username: 'office', password: 'a-password-of-the-test' };

const images = picturesFolder('import-form');
const running = n8nForTests();
const browser = new Browser(running);

running.onStart(async () => {
	const { client } = running.n8n;
	const name = 'Import form';
	const id = await client.createCredential({
		name,
		type: 'httpBasicAuth',
		data: { user: USER.username, password: USER.password },
	});
	const example = await running.importExample(
		join(__dirname, '..', 'examples', 'import-form.json'),
		running.credentialId,
	);
	const workflow = await client.copyWorkflow(example, (node) =>
		node.name === 'Import Form' ? { ...node, credentials: { httpBasicAuth: { id, name } } } : node,
	);
	await client.activate(workflow);
});
afterEach(() => {
	running.sandbox.control.reset();
	running.sandbox.control.clearRequests();
});

/** The form with a file chosen, as the browser of somebody who knows the password shows it. */
async function submit(fileName: string, content: string | Buffer, secret = SECRET): Promise<Page> {
	const file = join(running.filesFolder, fileName);
	writeFileSync(file, content);
	const page = await browser.open(`${running.n8n.url}/form/native-import`, USER);
	await page.locator('input[type="file"]').setInputFiles(file);
	await page.locator('input[type="text"]').first().fill('Fair of March');
	await page.locator('input[type="password"]').fill(secret);
	await page.locator('button[type="submit"], #submit-btn').first().click();
	return page;
}

/** The page of the import, which asks for the secret. */
async function open(page: Page, secret = SECRET): Promise<void> {
	const field = page.getByLabel('If you have its secret');
	// People of a sample are looked up first.
	await field.waitFor();
	await field.fill(secret);
	await page.getByRole('button', { name: 'Open' }).click();
}

const importButton = (page: Page, rows: number) =>
	page.getByRole('button', { name: `Import ${rows} row` });

/** From the form to the page that asks. */
async function submitAndOpen(fileName: string, content: string, secret = SECRET): Promise<Page> {
	const page = await submit(fileName, content, secret);
	await open(page, secret);
	return page;
}

const imported = (name = /^First\d+$/) => peopleNamed(running.sandbox, name).length;
/** For what only repeats in n8n's form what other tests do with less. */
const skip = !isNewestN8nHost();
const OF_THE_LIST = /Elm St|First7|no\.\.7|person\d|Fair of March/;

void describe('example import-form.json: a web form that imports a list', () => {
	it('asks for a password', async () => {
		const response = await fetch(`${running.n8n.url}/form/native-import`);
		assert.equal(response.status, 401);
	});

	for (const [what, rows, rejected, content, options] of [
		// It takes minutes to look up the people of its sample.
		['a CSV file', 300, '3 rows were', signUps(300), { skip }],
		['a CSV file of Excel', FEW, '1 row was', `\uFEFF${signUps(FEW, ';')}`, {}],
	] as const) {
		it(
			`shows what it would import of ${what}, imports it and reports on one page`,
			options,
			async () => {
				const page = await submit('people.csv', content);
				await page.getByLabel('If you have its secret').waitFor();
				assert.doesNotMatch(await page.content(), OF_THE_LIST);
				await open(page);
				await page.getByText(`${rows} rows would be imported into`).waitFor();
				await page.getByRole('heading', { name: 'Fair of March' }).waitFor();
				await page.getByText('1 Elm St').first().waitFor();
				for (const notImported of ['Member #', 'Notes'])
					await page.getByRole('listitem').filter({ hasText: notImported }).first().waitFor();
				await page.screenshot({ path: join(images, 'plan.png') });
				assert.equal(jobCount(running), 0);
				await page.getByLabel('Your name').fill('Kim Example');
				const end = holdJobs(running.sandbox);
				await importButton(page, rows).click();
				await page.getByText(`the import of ${rows} rows starts now`).waitFor();

				await page.getByText(`${rows} rows in 1 import job`).waitFor();
				end();
				await page.getByText(`${rejected} rejected and can be corrected`).waitFor();
				await page.getByText('Invalid email address').first().waitFor();
				await page.getByRole('button', { name: 'Finish Without Corrections' }).click();
				const done = rows - parseInt(rejected, 10);
				await page.getByText(`${done} of ${rows} rows imported`).waitFor();
				await page.getByText('Released by Kim Example.').waitFor();
				await page.getByText('Invalid email address').first().waitFor();
				await takePictures(page, images, 'report');
				assert.equal(imported(), done);
				assert.equal(jobCount(running), 1);
				await page.context().close();
			},
		);
	}

	it('shows a stranger nothing of the list, and lets one start nothing', async () => {
		const page = await submitAndOpen('people.csv', signUps(FEW));
		await importButton(page, FEW).waitFor();
		const link = new URL(page.url());
		const ask = await page.locator('input[name="ask"]').getAttribute('value');
		const body = new URLSearchParams({ ask: ask ?? '', action: 'import' });
		for (const secret of ['', 'a-guess-of-a-stranger', undefined]) {
			if (secret === undefined) link.searchParams.delete('page');
			else link.searchParams.set('page', secret);
			const seen = await running.fetch(link.toString());
			assert.doesNotMatch(await seen.text(), OF_THE_LIST);
			const answered = await running.fetch(link.toString(), { method: 'POST', body });
			assert.doesNotMatch(await answered.text(), OF_THE_LIST);
		}
		await page.reload();
		await importButton(page, FEW).waitFor();
		assert.equal(jobCount(running), 0);
		await page.context().close();
	});

	it('shows values that look wrong before anything is sent', async () => {
		const rows = signUps(3).replace('person1@example.org', 'person1 at example');
		const page = await submitAndOpen('people.csv', rows);
		await page.getByRole('heading', { name: 'Check first' }).waitFor();
		await page.getByText('person1 at example').first().waitFor();
		assert.equal(jobCount(running), 0);
		await page.context().close();
	});

	it('imports both lists of two people who send them at the same time', async () => {
		const secrets = ['heron-by-the-river', 'crane-in-the-marsh'] as const;
		const lists = [
			signUps(FEW),
			signUps(FEW).replaceAll(/First(?=\d)|person(?=\d)/g, 'Other'),
		] as const;
		const pages = await Promise.all([
			submitAndOpen('people.csv', lists[0], secrets[0]),
			submitAndOpen('others.csv', lists[1], secrets[1]),
		]);
		await Promise.all(pages.map(async (page) => await importButton(page, FEW).click()));
		const each = FEW - 1;
		await waitUntil('both are imported', () => imported() + imported(/^Other\d+$/) === 2 * each);
		assert.equal(imported(), each);
		assert.equal(jobCount(running), 2);
		for (const page of pages) await page.context().close();
	});

	it('says on its page why nothing could be imported', async () => {
		running.sandbox.control.addFault({
			method: 'POST',
			pathPrefix: '/bulkImportJobs',
			fault: { kind: 'status', status: 403 },
		});
		const page = await submitAndOpen('people.csv', signUps(3));
		await importButton(page, 3).click();
		await page.getByText('0 of 3 rows imported').first().waitFor();
		assert.equal(imported(), 0);
		await page.context().close();
	});

	it('imports nothing unless it is released', async () => {
		const page = await submitAndOpen('people.csv', signUps(3));
		await page.getByRole('button', { name: 'Cancel' }).click();
		await page.getByText('Canceled: nothing is imported.').waitFor();
		assert.equal(jobCount(running), 0);
		await page.context().close();
	});

	const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]);
	const WORKBOOK = Buffer.from('PK\u0003\u0004\u0014\0\u0006\0');
	for (const [what, name, content, secret, options] of [
		['a picture', 'picture.csv', PICTURE, SECRET, {}],
		['an Excel workbook', 'people.csv', WORKBOOK, SECRET, { skip }],
		['a list without rows', 'people.csv', signUps(0), SECRET, {}],
		['a secret that can be guessed', 'people.csv', signUps(3), 'heron', { skip }],
	] as const) {
		it(`says that ${what} cannot be imported`, options, async () => {
			const page = await submit(name, content, secret);
			await page.getByText('The import failed').first().waitFor();
			if (content === signUps(0)) await page.getByText('headers but no rows').waitFor();
			else if (!IS_SIGNED)
				await page.getByText('The reason is in the output of "Import".').waitFor();
			else if (secret !== SECRET) await page.getByText('16 to 200 letters').waitFor();
			assert.equal(jobCount(running), 0);
			await page.context().close();
		});
	}

	it('shows what stops a list without a known header, and offers no import', async () => {
		const page = await submitAndOpen('people.csv', 'Colour,Size\r\nred,7\r\n');
		await page.getByRole('heading', { name: 'Stops this import' }).waitFor();
		assert.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0);
		await page.getByRole('button', { name: 'Cancel' }).click();
		await page.getByText('Canceled: nothing is imported.').waitFor();
		assert.equal(jobCount(running), 0);
		await page.context().close();
	});
});
