/** A first import by clicking, from an empty canvas: how much a new user has to do, and what comes out. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startSandboxedN8n } from '../hosts/sandboxedN8n';
import { Editor } from './editor/editor';
import { NodePanel } from './editor/nodePanel';
import { picturesFolder, writesImages } from './editor/picturesFolder';
import { signUps } from './signUps';
import { startForTests } from './testN8n';

const MOST_ACTIONS = 15;
const ROWS = 300;

/** Long enough for n8n's lists to slide in. */
const SETTLE_MS = 700;
const images = picturesFolder('first-import');

// The service fetches the file from this n8n itself, over https.
const running = startForTests(async () => await startSandboxedN8n({ https: true }));
const editor = new Editor(running);

it(`takes at most ${MOST_ACTIONS} actions from an empty canvas to ${ROWS} outcomes`, async () => {
	const file = join(running.filesFolder, 'sign-ups.csv');
	writeFileSync(file, signUps(ROWS));

	const { page } = editor;
	const actions: string[] = [];
	/** One click or one text that a person types. */
	const act = async (what: string, action: () => Promise<unknown>): Promise<void> => {
		actions.push(what);
		await action();
		await picture(String(actions.length).padStart(2, '0'));
	};
	const picture = async (name: string): Promise<void> => {
		if (writesImages) await page.waitForTimeout(SETTLE_MS);
		await page.screenshot({ path: join(images, `${name}.png`), animations: 'disabled' });
	};
	const search = page.locator('[data-test-id="node-creator-search-bar"]');
	const panel = new NodePanel(page);
	const addAfter = async (name: string) =>
		await editor.node(name).locator('[data-test-id="canvas-handle-plus"]').click();

	await editor.goTo('/workflow/new');
	await act('add the first step', async () => {
		const button = '[data-test-id="canvas-add-button"], [data-test-id="canvas-plus-button"]';
		await page.locator(button).first().click();
	});
	await act('search', async () => await search.fill('read/write files'));
	await act('choose the node', async () => {
		await editor.listedNode('Read/Write Files from Disk').first().click();
	});
	await act('choose its action', async () => {
		await editor.listedNode('Read File(s) From Disk').first().click();
	});
	await panel.waitUntilShown();
	await act('name the file', async () => await panel.fill('fileSelector', file));
	await act('close the panel', async () => {
		const closers = '[data-test-id="ndv-close-button"], [data-test-id="back-to-canvas"]';
		await panel.root.locator(closers).first().click();
	});
	await act('add a step', async () => await addAfter('Read/Write Files from Disk'));
	await act('search', async () => await search.fill('native'));
	await act('choose the node', async () => {
		await editor.listedNode('Native Bulk Import').first().click();
	});
	await act('choose its action', async () => {
		await page.getByText('Import rows or a CSV file', { exact: true }).click();
	});
	await panel.waitUntilShown();
	await act('choose the source', async () => await panel.choose('source', 'Delimited File'));
	await act('run', async () => await panel.execute());

	await panel.output.getByText('importSummary').first().waitFor();
	await picture('outcome');
	const shown = await panel.output.innerText();
	assert.match(shown, /rows\s*:\s*300\s+imported\s*:\s*297\s+failed\s*:\s*3\s/);
	assert.match(shown, /Not imported: .*(Member #, Notes|Notes, Member #)/);
	assert.ok(actions.length <= MOST_ACTIONS, actions.join(', '));

	const people = running.sandbox.control
		.people('demo')
		.filter(({ fields }) => /^First\d+$/.test(String(fields.firstName)));
	assert.equal(people.length, ROWS - 3);
	assert.ok(people.every(({ addresses, emails }) => addresses.length > 0 && emails.length > 0));
});
