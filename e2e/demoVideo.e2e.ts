/** The demo video of docs/publishing.md, step by step after the installation, in the editor of `npm start`. */
import { basename, join } from 'node:path';
import { it } from 'node:test';
import { contactsFile, rowsOf } from '../hosts/importOutcome';
import { DEMO_OPTIONS } from '../hosts/sandboxedN8n';
import { waitUntil } from '../hosts/waitUntil';
import { Clicks } from './editor/clicks';
import { Editor } from './editor/editor';
import { NodePanel } from './editor/nodePanel';
import { n8nForTests } from './testN8n';

const IMPORTED = 975;

const CLOSING_MS = 3000;

const running = n8nForTests({ ...DEMO_OPTIONS, hasEditor: true });
const editor = new Editor(running);

/** A workflow of its own that begins with one action of a node. */
async function addFirst(node: string, action: string): Promise<NodePanel> {
	const panel = new NodePanel(editor.page);
	await editor.goTo('/workflow/new');
	await editor.openNodeList();
	await editor.searchNodes('native');
	await editor.listedNode(node).first().click();
	await editor.page.getByText(action, { exact: true }).first().click();
	await panel.waitUntilShown();
	return panel;
}

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

it('imports a list with a new credential, after it has shown what it would do', async () => {
	const file = join(running.filesFolder, basename(contactsFile));
	const panel = await new Clicks(editor).addImportOfFile(file);
	await createCredential(panel);
	await panel.execute();
	await panel.output.getByText('Nothing was sent').first().waitFor();
	await panel.openChoices('whatShouldHappen');
	await panel.pick('Import');
	await panel.execute();
	await panel.output.getByText('import-report').first().waitFor();
	await panel.showTable();
	const counts = `${rowsOf(contactsFile)} rows: ${IMPORTED} imported`;
	await panel.output.getByText(counts).first().waitFor();
});

it('finds a person', async () => {
	const panel = await addFirst('Native People', 'Find or create person');
	await panel.fill('email', 'avery.sample@demo.example.org');
	await panel.execute();
	await panel.output.getByText('matched', { exact: true }).first().waitFor();
});

it('shows the import that has just ended', async () => {
	const panel = await addFirst('Native Bulk Import', 'On import job ended (any outcome)');
	await panel.root.getByText('Fetch Test Event').first().click();
	await panel.output.getByText('completedWithErrors').first().waitFor();
});
