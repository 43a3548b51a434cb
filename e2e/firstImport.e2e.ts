/** A first import by clicking, from an empty canvas: how much a new user has to do, and what comes out. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { isNewestN8nHost } from '../hosts/n8nHost';
import { DEMO_OPTIONS } from '../hosts/sandboxedN8n';
import { learnedLists } from '../test/unit/importFile/headerLists';
import { Clicks, type Picture } from './editor/clicks';
import { testDemo } from './editor/demoTests';
import { Editor } from './editor/editor';
import type { NodePanel } from './editor/nodePanel';
import { picturesFolder, writesImages } from './editor/picturesFolder';
import { peopleNamed } from './importRequests';
import { signUps } from './signUps';
import { n8nForTests } from './testN8n';

const MOST_ACTIONS = 13;
const ROWS = 300;
/** Rows of the exports of other systems. */
const EXPORTED = 9;
/** Parameters that a new node shows. */
const MOST_SHOWN = 8;

/** Long enough for n8n's lists to slide in. */
const SETTLE_MS = 700;
const images = picturesFolder('first-import');

// The service fetches the file from this n8n itself, over https.
const running = n8nForTests({ ...DEMO_OPTIONS, hasEditor: true });
const editor = new Editor(running);

/** The panel in which the import has run. */
async function importByClicking(file: string, picture?: Picture): Promise<NodePanel> {
	const clicks = new Clicks(editor, picture);
	const panel = await clicks.addImportOfFile(file);
	const asked = await shownParameters(panel);
	assert.ok(asked.length <= MOST_SHOWN, asked.join(', '));
	await clicks.act('open What Should Happen', async () => {
		await panel.openChoices('whatShouldHappen');
	});
	await clicks.act('Import', async () => await panel.pick('Import'));
	await clicks.act('run', async () => await panel.execute());
	// n8n shows the report and the rejected rows first.
	await panel.output.getByText('import-report').first().waitFor();
	clicks.assertAtMost(MOST_ACTIONS);
	await panel.showTable();
	await panel.output.getByText('importSummary').first().waitFor();
	return panel;
}

/** Titles of options, which are closed. */
const GROUPS = ['The List', 'Safety', 'Waiting and Results'];

/** What a new node asks for, after the lists of resources and operations. */
async function shownParameters({ root }: NodePanel): Promise<string[]> {
	const labels = root.locator(
		'[data-test-id="parameter-item"] [data-test-id="input-label"]:visible',
	);
	const texts = (await labels.allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '');
	return texts.filter((text) => !['', 'Resource', 'Operation', ...GROUPS].includes(text));
}

it(`takes at most ${MOST_ACTIONS} actions from an empty canvas to ${ROWS} outcomes`, async () => {
	const file = join(running.filesFolder, 'sign-ups.csv');
	writeFileSync(file, signUps(ROWS));
	const picture = async (name: string): Promise<void> => {
		if (writesImages) await editor.page.waitForTimeout(SETTLE_MS);
		await editor.page.screenshot({ path: join(images, `${name}.png`), animations: 'disabled' });
	};
	const panel = await importByClicking(file, picture);
	await picture('outcome');
	const shown = await panel.output.innerText();
	assert.match(shown, /rows\s*:\s*300\s+imported\s*:\s*297\s+failed\s*:\s*3\s/);
	assert.match(shown, /Not imported: .*(Member #, Notes|Notes, Member #)/);
	const people = peopleNamed(running.sandbox, /^First\d+$/);
	assert.equal(people.length, ROWS - 3);
	assert.ok(people.every(({ addresses, emails }) => addresses.length > 0 && emails.length > 0));
});

/** The rows of an export: other people with the values of a list of headers. */
function exportOf(list: string, firstName: string): string {
	const columns = list
		.trim()
		.split(/\s*\|\s*/)
		.map((column) => column.split(' = '));
	const cell = (text: string): string => (text.includes(',') ? `"${text}"` : text);
	const value = (text = '', row: number): string =>
		text
			.replace(/ ✗$| → .*$/, '')
			.replace(/\bAnn\b/, `${firstName}${row}`)
			.replace(/^ann@/, `${firstName}${row}@`)
			.replace(/(?<=555-?01)0/, String(row));
	return [
		columns.map(([header = '']) => cell(header)).join(','),
		...Array.from({ length: EXPORTED }, (_, row) =>
			columns.map(([, text]) => cell(value(text, row))).join(','),
		),
	].join('\r\n');
}

for (const [source, firstName] of [
	['ActBlue', 'Acty'],
	['Salesforce', 'Salesy'],
	['VAN list', 'Vanny'],
	// Its street is in six columns.
	['VAN phone list', 'Phony'],
] as const) {
	// How each list is read is tested without a browser: the oldest n8n shows it with the hardest one.
	const skip = source !== 'VAN phone list' && !isNewestN8nHost();
	it(`imports an export of ${source} in as many actions`, { skip }, async () => {
		const file = join(running.filesFolder, `${firstName}.csv`);
		writeFileSync(file, exportOf(learnedLists[source] ?? '', firstName));
		const panel = await importByClicking(file);
		const shown = await panel.output.innerText();
		assert.match(shown, new RegExp(`imported\\s*:\\s*${EXPORTED}\\s`));
		const people = peopleNamed(running.sandbox, new RegExp(`^${firstName}\\d$`));
		assert.equal(people.length, EXPORTED);
		assert.ok(people.every(({ addresses, phones }) => addresses.length > 0 && phones.length > 0));
		const streets = people.flatMap(({ addresses }) =>
			addresses.map(({ addressLine1 }) => addressLine1),
		);
		assert.ok(
			streets.every((street) => /^\d.* (St|Ave)/.test(String(street))),
			streets.join(),
		);
	});
}

// It stores a second credential.
testDemo(running, editor);
