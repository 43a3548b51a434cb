import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertNoCutLabels, editor, picture, storeCredential, UNKNOWN_KEY } from './editorTests';
import { NodePanel } from './nodePanel';

void describe('the credential', () => {
	const WINDOW = '[data-test-id="editCredential-modal"]';

	/** The window of a credential that a test may change. */
	async function open(deployment: string): Promise<NodePanel> {
		await editor.goTo(`/home/credentials/${await storeCredential({ deployment })}`);
		const form = new NodePanel(editor.page, WINDOW);
		await form.parameter('baseUrl').waitFor();
		return form;
	}

	void describe('of a known deployment', () => {
		let form: NodePanel;

		before(async () => {
			form = await open('native');
		});

		it('is tested when it is opened, and says so', async () => {
			await form.root.getByText('Connection tested successfully').waitFor();
			await assertNoCutLabels(form);
			await picture('credential', form.root);
		});

		it('says what is wrong with a key that the service does not accept', async () => {
			await form.fill('apiKey', UNKNOWN_KEY);
			await editor.page.locator('[data-test-id="credential-save-button"]').click();
			await form.root.getByText('More details').click();
			await form.root
				.getByText(/The service did not accept this key/)
				.first()
				.waitFor();
		});
	});

	void describe('of another deployment', () => {
		let form: NodePanel;

		before(async () => {
			form = await open('other');
		});

		it('asks for the three rates of a manual tier only', async () => {
			assert.equal(await form.parameter('rateHigh').count(), 0);
			await form.choose('rateTier', 'Manual');
			for (const rate of ['rateHigh', 'rateMedium', 'rateLow'])
				await form.parameter(rate).waitFor();
			await form.choose('authentication', 'Header (apiKey)');
			await form.parameter('username').waitFor({ state: 'detached' });
		});

		it('asks only for what a known deployment leaves open', async () => {
			await form.choose('deployment', 'EveryAction / NGP VAN (v4)');
			for (const shown of ['username', 'apiKey', 'databaseMode'])
				await form.parameter(shown).waitFor();
			for (const hidden of ['baseUrl', 'apiVersion', 'identifierPrefix', 'rateTier'])
				assert.equal(await form.parameter(hidden).count(), 0, hidden);
			await form.choose('deployment', 'Native Interface (v2)');
			await form.parameter('baseUrl').waitFor();
			assert.equal(await form.parameter('username').count(), 0);
		});
	});
});
