/**
 * "Usage" of README and the demo video of docs/publishing.md, step by step in the editor that `npm start` opens, with
 * a list as people have it.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { waitUntil } from '../../hosts/waitUntil';
import { peopleNamed, startedJobs } from '../importRequests';
import { signUps } from '../signUps';
import type { TestN8n } from '../testN8n';
import { Clicks } from './clicks';
import type { Editor } from './editor';
import { NodePanel } from './nodePanel';

/** From an empty canvas to the outcome of each row; those of a new credential are not counted. */
const MOST_ACTIONS = 14;

const ROWS = 300;
/** Rows whose email address cannot be right. */
const INVALID = 7;
/** Rows that only the service rejects: every hundredth one of signUps. */
const REJECTED = 3;

const CLOSING_MS = 3000;

/** 300 people; ten of the rows cannot be imported. */
function dirtyList(): string {
	let invalid = 0;
	return signUps(ROWS).replace(/person(\d*5)@example\.org/g, (email: string, row: string) =>
		invalid++ < INVALID ? `person${row} at example.org` : email,
	);
}

/** A workflow of its own that begins with one action of a node. */
async function addFirst(editor: Editor, node: string, action: string): Promise<NodePanel> {
	const panel = new NodePanel(editor.page);
	await editor.goTo('/workflow/new');
	await editor.openNodeList();
	await editor.searchNodes('native');
	await editor.listedNode(node).first().click();
	await editor.page.getByText(action, { exact: true }).first().click();
	await panel.waitUntilShown();
	return panel;
}

/** @param running an n8n with DEMO_OPTIONS */
export function testDemo(running: TestN8n, editor: Editor): void {
	async function createCredential(panel: NodePanel): Promise<void> {
		const { page } = editor;
		await panel.root.locator('[data-test-id="node-credentials-select"]').first().click();
		await page.getByText('Create new credential').first().click();
		const form = new NodePanel(page, '[data-test-id="editCredential-modal"]');
		await form.parameter('baseUrl').waitFor();
		await form.choose('deployment', 'Native Interface (v2)');
		await form.fill('baseUrl', running.sandbox.httpsUrl);
		await form.fill('apiKey', String(running.credential('demo').data.apiKey));
		await page.locator('[data-test-id="credential-save-button"]').click();
		// Newer versions of n8n close the window once the test has succeeded.
		const success = form.root.getByText('Connection tested successfully');
		await waitUntil('the credential is tested', async () => {
			return (await success.isVisible()) || !(await form.root.isVisible());
		});
		const close = form.root.locator('button[aria-label*="lose"]').first();
		// It may be closing by itself.
		await close.click({ timeout: CLOSING_MS }).catch(() => undefined);
		await form.root.waitFor({ state: 'hidden' });
	}

	void describe('the demo', () => {
		before(() => running.sandbox.control.reset());

		it(`leads from an empty canvas to ${ROWS} outcomes in ${MOST_ACTIONS} actions`, async (t) => {
			const file = join(running.filesFolder, 'sign-ups.csv');
			writeFileSync(file, dirtyList());
			const clicks = new Clicks(editor);
			const panel = await clicks.addImportOfFile(file);
			await createCredential(panel);
			await clicks.act('run', async () => await panel.execute());
			await panel.output.getByText('Nothing was sent').first().waitFor();
			await panel.output.getByText('First Name').first().waitFor();
			assert.deepEqual(startedJobs(running.sandbox), []);
			await clicks.act('open What Should Happen', async () => {
				await panel.openChoices('whatShouldHappen');
			});
			await clicks.act('Import', async () => await panel.pick('Import'));
			await clicks.act('run', async () => await panel.execute());
			const imported = ROWS - INVALID - REJECTED;
			// Above the report and the rejected rows, which n8n shows first.
			await panel.output
				.getByText(new RegExp(`${imported} (of ${ROWS} )?imported`))
				.first()
				.waitFor();
			await panel.output.getByText('import-report').first().waitFor();
			t.diagnostic(clicks.text);
			clicks.assertAtMost(MOST_ACTIONS);

			await panel.showTable();
			await panel.output.getByText('importSummary').first().waitFor();
			await panel.output.getByText(`${ROWS} rows: ${imported} imported`).first().waitFor();
			const shown = await panel.output.innerText();
			assert.match(shown, new RegExp(`rows\\s*:\\s*${ROWS}\\s`));
			assert.match(shown, new RegExp(`imported\\s*:\\s*${imported}\\s`));
			assert.match(shown, new RegExp(`failed\\s*:\\s*${REJECTED}\\s`));
			assert.match(shown, new RegExp(`invalid\\s*:\\s*${INVALID}\\s`));
			assert.equal(peopleNamed(running.sandbox, /^First\d+$/).length, imported);
			const [job, ...more] = startedJobs(running.sandbox);
			assert.deepEqual(more, []);
			// The default hosting, as a new node has it.
			assert.equal(new URL(job?.file.sourceUrl ?? '').origin, running.linkUrl);
		});

		it('finds a person', async () => {
			const panel = await addFirst(editor, 'Native People', 'Find or create person');
			await panel.fill('email', 'avery.sample@demo.example.org');
			await panel.execute();
			await panel.output.getByText('matched', { exact: true }).first().waitFor();
		});

		it('shows the import that has just ended', async () => {
			const panel = await addFirst(
				editor,
				'Native Bulk Import',
				'On import job ended (any outcome)',
			);
			await panel.root.getByText('Fetch Test Event').first().click();
			await panel.output.getByText('completedWithErrors').first().waitFor();
		});
	});
}
