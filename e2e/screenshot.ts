/**
 * Pictures of the nodes in the real editor: `npx tsx e2e/screenshot.ts <folder> [node name …]`.
 *
 * Opens the import example, runs it, and opens the panel of each named node (default: "Import Contacts"
 * and "Get Results"). Needs a Chromium; CHROMIUM_PATH names one that is not at /usr/bin/chromium.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { startSandboxedN8n, type SandboxedN8n } from '../scripts/sandboxedN8n';
import { say } from '../scripts/shownCommand.mjs';

const browserPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const example = join(__dirname, '..', 'examples', 'import-contacts.json');

/** What a machine without a screen, sound or network beyond itself needs. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

async function logIn(page: Page, { n8n }: SandboxedN8n): Promise<void> {
	await page.goto(`${n8n.url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"], input[type="email"]').fill(n8n.owner.email);
	await page.locator('input[type="password"]').fill(n8n.owner.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}

async function openPanel(page: Page, nodeName: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${nodeName}"]`).dblclick();
	await page.locator('[data-test-id="ndv"]').waitFor();
	// The panel slides in, and its lists are loaded from the service.
	await page.waitForTimeout(2000);
}

async function main(): Promise<void> {
	const [folder, ...named] = process.argv.slice(2);
	if (folder === undefined) throw new Error('Name a folder for the pictures.');
	if (!existsSync(browserPath)) {
		throw new Error(`There is no Chromium at ${browserPath}; set CHROMIUM_PATH.`);
	}
	const nodeNames = named.length > 0 ? named : ['Import Contacts', 'Get Results'];
	mkdirSync(folder, { recursive: true });
	const picture = (name: string) =>
		resolve(folder, `${name.toLowerCase().replace(/\W+/g, '-')}.png`);

	const running = await startSandboxedN8n();
	const browser = await chromium.launch({ executablePath: browserPath, args: FLAGS });
	try {
		const credentialId = await running.n8n.client.createCredential(running.credential('demo'));
		const workflow = await running.importExample(example, credentialId);
		const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
		await logIn(page, running);
		await page.goto(`${running.n8n.url}/workflow/${workflow.id}`);
		await page.locator('[data-test-id="canvas-node"]').first().waitFor();
		await page.locator('[data-test-id="execute-workflow-button"]').first().click();
		await page.getByText('Workflow executed successfully').first().waitFor({ timeout: 60_000 });
		await page.screenshot({ path: picture('workflow') });
		for (const nodeName of nodeNames) {
			await openPanel(page, nodeName);
			await page.screenshot({ path: picture(nodeName) });
			await page.keyboard.press('Escape');
		}
		say(`Pictures are in ${resolve(folder)}`);
	} finally {
		await browser.close();
		await running.close();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
