/** The web form of examples/import-form.json, filled in in a browser as somebody without n8n does. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { say } from '../hosts/runWithProgress.mjs';
import { Editor } from './editor/editor';

const STARTING_MS = 15 * 60 * 1000;
const USER = { username: 'office', password: 'a-password-of-the-test' };

const images = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-form-'));
let running: SandboxedN8n;
let editor: Editor;

before(
	async () => {
		running = await startSandboxedN8n();
		const { client } = running.n8n;
		const credentialId = await client.createCredential(running.credential('demo'));
		const authId = await client.createCredential({
			name: 'Import form',
			type: 'httpBasicAuth',
			data: { user: USER.username, password: USER.password },
		});
		const example = await running.importExample(
			join(__dirname, '..', 'examples', 'import-form.json'),
			credentialId,
		);
		const { name, nodes, connections, settings = {} } = example;
		const workflow = await client.createWorkflow({
			name,
			nodes: nodes.map((node) =>
				node.name === 'Import Form'
					? { ...node, credentials: { httpBasicAuth: { id: authId, name: 'Import form' } } }
					: node,
			),
			connections,
			settings,
		});
		await client.activate(workflow);
		editor = await Editor.open(running.n8n);
	},
	{ timeout: STARTING_MS },
);
afterEach(() => running.sandbox.control.reset());
after(async () => {
	await editor?.close();
	await running?.close();
	say(`Pictures are in ${images}`);
});

/** The form with a file chosen, as the browser of somebody who knows the password shows it. */
async function submit(fileName: string, content: string | Buffer): Promise<Page> {
	const file = join(images, fileName);
	writeFileSync(file, content);
	const context = await editor.page.context().browser()?.newContext({ httpCredentials: USER });
	assert.ok(context);
	const page = await context.newPage();
	page.setDefaultTimeout(30_000);
	await page.goto(`${running.n8n.url}/form/native-import`);
	await page.locator('input[type="file"]').setInputFiles(file);
	await page.locator('input[type="text"]').first().fill('Fair of March');
	await page.locator('button[type="submit"], #submit-btn').first().click();
	return page;
}

async function confirm(page: Page, response: 'Yes' | 'No'): Promise<void> {
	await page.locator('select').first().selectOption(response);
	await page.locator('button[type="submit"], #submit-btn').first().click();
}

const HEADERS = ['First Name', 'Last Name', 'E-mail', 'Cell phone', 'Zip', 'Notes'];
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => [
		`First${index}`,
		`Last${index}`,
		index % 100 === 7 ? 'not-an-address' : `person${index}@example.org`,
		`907-555-01${String(index % 100).padStart(2, '0')}`,
		'99762',
		'met at the fair',
	]);
const text = (delimiter: string, count: number) =>
	[HEADERS, ...rows(count)].map((cells) => cells.join(delimiter)).join('\r\n');
const imported = () =>
	running.sandbox.control
		.people('demo')
		.filter(({ fields }) => /^First\d+$/.test(String(fields.firstName))).length;

void describe('the import form', () => {
	it('asks for a password', async () => {
		const response = await fetch(`${running.n8n.url}/form/native-import`);
		assert.equal(response.status, 401);
	});

	for (const [what, content] of [
		['a CSV file', text(',', 300)],
		['a CSV file of Excel', `\uFEFF${text(';', 300)}`],
	] as const) {
		it(`shows what it would import of ${what}, imports it and reports`, async () => {
			const page = await submit('people.csv', content);
			await page.getByText('300 rows would be imported').waitFor();
			await page.getByText('Not imported: Notes').waitFor();
			assert.equal(imported(), 0);
			await page.screenshot({ path: join(images, 'plan.png') });
			await confirm(page, 'Yes');
			await page.getByText('297 of 300 rows were imported').waitFor();
			await page.getByText('Invalid email address').first().waitFor();
			await page.getByText('First7, Last7, not-an-address').waitFor();
			await page.screenshot({ path: join(images, 'report.png') });
			assert.equal(imported(), 297);
			await page.context().close();
		});
	}

	it('imports nothing unless it is confirmed', async () => {
		const page = await submit('people.csv', text(',', 3));
		await page.getByText('3 rows would be imported').waitFor();
		await confirm(page, 'No');
		await page.getByText('Nothing was imported').first().waitFor();
		assert.equal(imported(), 0);
		await page.context().close();
	});

	it('says what is wrong with another file', async () => {
		const page = await submit('picture.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]));
		await page.getByText('This list cannot be imported').first().waitFor();
		await page.screenshot({ path: join(images, 'wrong.png') });
		assert.equal(imported(), 0);
		await page.context().close();
	});
});
