/** The web form of examples/import-form.json, submitted in a browser by somebody without n8n. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { chosenN8nHost } from '../hosts/n8nHost';
import { changeNode } from '../hosts/workflows';
import { Editor } from './editor/editor';
import { picturesFolder, takePictures } from './editor/picturesFolder';
import { peopleNamed } from './importRequests';
import { SIGN_UP_HEADERS, signUp, signUps } from './signUps';
import { n8nForTests } from './testN8n';

/** The node sleeps for 30 seconds; n8n looks once a minute. */
const LATER_MS = 150_000;
const WORD = 'heron';
/** Where n8n does not sign its links, the pages behind the form show counts only. */
const IS_SIGNED = chosenN8nHost() !== 'n8n-2.8.4';
const USER = { username: 'office', password: 'a-password-of-the-test' };

const images = picturesFolder('import-form');
const running = n8nForTests();
const editor = new Editor(running);

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
	// A tenth of the time that an import waits in memory.
	const sooner = changeNode('Import', { options: { pollInterval: 1 } });
	const workflow = await client.copyWorkflow(example, (node) =>
		node.name === 'Import Form'
			? { ...node, credentials: { httpBasicAuth: { id, name } } }
			: sooner(node),
	);
	await client.activate(workflow);
});
afterEach(() => running.sandbox.control.reset());

/** The form with a file chosen, as the browser of somebody who knows the password shows it. */
async function submit(fileName: string, content: string | Buffer): Promise<Page> {
	const file = join(running.filesFolder, fileName);
	writeFileSync(file, content);
	const page = await editor.openElsewhere(`${running.n8n.url}/form/native-import`, USER);
	await page.locator('input[type="file"]').setInputFiles(file);
	await page.locator('input[type="text"]').first().fill('Fair of March');
	await page.locator('input[type="password"]').fill(WORD);
	await page.locator('button[type="submit"], #submit-btn').first().click();
	return page;
}

async function confirm(page: Page, rows: number, word = WORD): Promise<void> {
	const button = page.getByRole('button', { name: `Import ${rows} rows` });
	// The page before asks for a word, too.
	await button.waitFor();
	await page.locator('input[type="password"]').fill(word);
	await button.click();
}

const imported = (name = /^First\d+$/) => peopleNamed(running.sandbox, name).length;

void describe('example import-form.json: a web form that imports a list', () => {
	it('asks for a password', async () => {
		const response = await fetch(`${running.n8n.url}/form/native-import`);
		assert.equal(response.status, 401);
	});

	for (const [what, delimiter, content] of [
		['a CSV file', ',', signUps(300)],
		['a CSV file of Excel', ';', `\uFEFF${signUps(300, ';')}`],
	] as const) {
		it(`shows what it would import of ${what}, imports it and reports`, async () => {
			const page = await submit('people.csv', content);
			await page.getByText('300 rows would be imported').waitFor();
			if (IS_SIGNED) {
				await page.getByText(/300 rows would be imported into http.*, key "…11"\./).waitFor();
				await page.getByText('Street → Address Line 1, e.g. 1 Elm St').waitFor();
				await page.getByText(/Not imported: (Member #, Notes|Notes, Member #)/).waitFor();
			} else assert.doesNotMatch(await page.content(), /Elm St|Address Line|page=|http:.*key/);
			assert.equal(imported(), 0);
			await page.screenshot({ path: join(images, 'plan.png') });
			await confirm(page, 300);
			await page.getByText('297 of 300 rows imported').waitFor();
			if (!IS_SIGNED) {
				assert.doesNotMatch(await page.content(), /no\.\.7|First7|Invalid email/);
				assert.equal(imported(), 297);
				await page.context().close();
				return;
			}
			await page.getByText('Invalid email address').first().waitFor();
			await page.getByRole('heading', { name: 'Fair of March' }).waitFor();
			await takePictures(page, images, 'report');
			assert.equal(imported(), 297);

			const [download] = await Promise.all([
				page.waitForEvent('download'),
				page.getByRole('link', { name: 'Download the rejected rows' }).click(),
			]);
			assert.equal(download.suggestedFilename(), 'rejected-rows.csv');
			const rejected = readFileSync(await download.path());
			const reason = 'Invalid email address';
			assert.deepEqual(parse(rejected, { bom: true, delimiter }), [
				[...SIGN_UP_HEADERS, 'Import Result'],
				...[7, 107, 207].map((index) => [...signUp(index), reason]),
			]);
			await page.context().close();
		});
	}

	it('shows a stranger no value of the list, and does not let one start the import', async () => {
		const page = await submit('people.csv', signUps(300));
		await page.getByText('300 rows would be imported').waitFor();
		const open = new URL(page.url());
		const stranger = async (query: string, init = {}) =>
			await running.fetch(`${running.n8n.url}${open.pathname}${query}`, init);
		for (const query of ['', '?page=', '?page=a-guess-of-a-stranger', '?signature=guess']) {
			const response = await stranger(query);
			assert.equal(response.status, IS_SIGNED ? 401 : 200, query);
			assert.doesNotMatch(await response.text(), /Elm St|First7|no\.\.7|person\d|Fair of March/);
		}
		const body = new URLSearchParams({ 'field-0': 'a-guess', 'field-1': 'a-guess' });
		await stranger('', { method: 'POST', body });
		await setTimeout(3000);
		assert.equal(imported(), 0);
		await page.context().close();
	});

	it(
		'shows the progress of a long import, and then its report, on one page',
		{ skip: !IS_SIGNED },
		async () => {
			const { control } = running.sandbox;
			const texts = { CompletedWithErrors: 'InProgress' };
			const letItEnd = control.addFault({
				method: 'GET',
				pathPrefix: '/bulkImportJobs/',
				count: 1000,
				fault: { kind: 'replaced', texts },
			});
			const page = await submit('people.csv', signUps(300));
			const link = await page.getByRole('link', { name: 'this link' }).getAttribute('href');
			assert.ok(link);
			await confirm(page, 300);
			// The form itself: an older n8n does not sign its links, so this one says nothing.
			await page.getByText('You can close this page, the link stays.').waitFor();
			const own = await page.context().newPage();
			await own.goto(link);
			await own.getByText('300 rows in 1 import job').waitFor();
			await own.getByRole('heading', { name: 'Fair of March' }).waitFor();
			await own.getByText('InProgress').waitFor();
			await takePictures(own, images, 'progress');
			const stranger = await page.context().newPage();
			await stranger.goto(
				link.replace(/page=[^&]*/, 'page=another').replace(/signature=[^&]*/, ''),
			);
			assert.doesNotMatch(await stranger.content(), /Fair of March|300 rows/);

			letItEnd();
			const soon = { timeout: LATER_MS };
			await Promise.all(
				[page, own].map(
					async (each) => await each.getByText('297 of 300 rows imported').waitFor(soon),
				),
			);
			assert.equal(imported(), 297);
			await own.goto(link);
			await own.getByText('297 of 300 rows imported').waitFor();
			await page.context().close();
		},
	);

	it('imports both lists of two people who send them at the same time', async () => {
		const [first, second] = await Promise.all([
			submit('people.csv', signUps(300)),
			submit('others.csv', signUps(300).replaceAll(/First(?=\d)|person(?=\d)/g, 'Other')),
		]);
		await Promise.all([confirm(first, 300), confirm(second, 300)]);
		for (const page of [first, second]) {
			await page.getByText('297 of 300 rows imported').waitFor();
			await page.context().close();
		}
		assert.equal(imported(), 297);
		assert.equal(imported(/^Other\d+$/), 297);
	});

	it('says why nothing could be imported', async () => {
		running.sandbox.control.addFault({
			method: 'POST',
			pathPrefix: '/bulkImportJobs',
			fault: { kind: 'status', status: 403 },
		});
		const page = await submit('people.csv', signUps(3));
		await confirm(page, 3);
		await page.getByText('0 of 3 rows imported').first().waitFor();
		assert.equal(imported(), 0);
		await page.context().close();
	});

	it('imports nothing with another word', async () => {
		const page = await submit('people.csv', signUps(3));
		await confirm(page, 3, 'crane');
		await setTimeout(3000);
		assert.equal(imported(), 0);
		await page.context().close();
	});

	it('imports nothing unless it is confirmed', async () => {
		const page = await submit('people.csv', signUps(3));
		await page.getByText('3 rows would be imported').waitFor();
		await page.getByRole('link', { name: 'Cancel' }).click();
		await page.getByText('Choose a list.').waitFor();
		assert.equal(imported(), 0);
		await page.context().close();
	});

	for (const [what, name, content] of [
		['a picture', 'picture.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2])],
		['an Excel workbook', 'people.csv', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0')],
		['a list without a known header', 'people.csv', 'Colour,Size\r\nred,7\r\n'],
		['a list without rows', 'people.csv', signUps(0)],
	] as const) {
		it(`says what is wrong with ${what}`, async () => {
			const page = await submit(name, content);
			await page.getByText('This list cannot be imported').first().waitFor();
			if (content === signUps(0)) await page.getByText('headers but no rows').first().waitFor();
			assert.equal(imported(), 0);
			await page.context().close();
		});
	}
});
