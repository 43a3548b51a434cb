import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { StoredWorkflow } from '../../hosts/n8nClient';
import { OWNER } from '../../hosts/n8nProcess';
import type { TestN8n } from '../testN8n';
import { Browser } from './browser';
import { NodePanel } from './nodePanel';

export type Theme = 'light' | 'dark';

const SIZE = { width: 1440, height: 900 };

/** How long a list may slide in over another one, on a busy machine, too. */
const LONGEST_SLIDE_MS = 10_000;

/** The editor of an n8n, as its owner sees it in a browser. */
export class Editor {
	private opened: Page | undefined;

	/** Starts a browser before the first test of a file, and logs in. */
	constructor(private readonly running: TestN8n) {
		const browser = new Browser(running);
		running.onStart(async () => {
			this.opened = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
			await this.login();
		});
	}

	get page(): Page {
		assert.ok(this.opened);
		return this.opened;
	}

	private async login(): Promise<void> {
		const { page } = this;
		const { url } = this.running.n8n;
		await page.goto(`${url}/signin`);
		await page.locator('input[name="emailOrLdapLoginId"], input[type="email"]').fill(OWNER.email);
		await page.locator('input[type="password"]').fill(OWNER.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'));
	}

	/** Shows a workflow on the canvas. Changes to another one that were not saved are gone. */
	async openWorkflow({ id }: StoredWorkflow): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await this.node().first().waitFor();
	}

	/** Sets the theme of all later pages, as Settings > Personal > Theme does. */
	async useTheme(theme: Theme): Promise<void> {
		await this.page.evaluate(`localStorage.setItem('N8N_THEME', '${theme}')`);
		await this.page.reload();
	}

	/** A node of the canvas, or all of them. */
	node(name?: string) {
		const ofName = name === undefined ? '' : `[data-node-name="${name}"]`;
		return this.page.locator(`[data-test-id="canvas-node"]${ofName}`);
	}

	async openNode(name: string): Promise<NodePanel> {
		await this.node(name).dblclick();
		const panel = new NodePanel(this.page);
		await panel.waitUntilShown();
		return panel;
	}

	async executeWorkflow(): Promise<void> {
		await this.page.locator('[data-test-id="execute-workflow-button"]').first().click();
		await this.page.getByText('Workflow executed successfully').first().waitFor();
	}

	/** Opens the list of nodes on a new canvas. */
	async openNodeList(): Promise<void> {
		const button = '[data-test-id="canvas-add-button"], [data-test-id="canvas-plus-button"]';
		await this.page.locator(button).first().click();
	}

	/** Whether the list of nodes that opens has this title, and not that of the list it came from. */
	async hasList(title: string): Promise<boolean> {
		const titles = this.page.locator('[data-test-id="nodes-list-header"]');
		await titles.first().waitFor();
		const others = titles.filter({ hasNotText: title });
		return await others
			.first()
			.waitFor({ state: 'hidden', timeout: LONGEST_SLIDE_MS })
			.then(() => true)
			.catch(() => false);
	}

	/** The names that the open list of nodes offers for a search. */
	async searchNodes(words: string): Promise<string[]> {
		const search = this.page.locator('[data-test-id="node-creator-search-bar"]');
		const names = this.page.locator('[data-test-id="node-creator-item-name"]');
		const ours = names.filter({ hasText: 'Native' }).first();
		// The list follows with a delay: what the search before found must be gone first.
		await search.fill('');
		await ours.waitFor({ state: 'hidden' });
		await search.fill(words);
		await ours.waitFor();
		return await names.allInnerTexts();
	}

	listedNode(name: string) {
		return this.page
			.locator('[data-test-id="item-iterator-item"]')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** Takes away what only the moment put on the page: the focus, and what is shown under the mouse. */
	async tidy(): Promise<void> {
		await this.page.mouse.move(0, 0);
		await this.page.evaluate('document.activeElement?.blur()');
	}

	async goTo(path: string): Promise<void> {
		const { pathname } = new URL(this.page.url());
		if (pathname.startsWith('/workflow/')) {
			await this.leaveCanvas();
			await this.follow(path);
		} else {
			await this.page.goto(`${this.running.n8n.url}${path}`);
		}
	}

	/** Goes to the list of workflows: the nodes of one would pass for those of the next. */
	private async leaveCanvas(): Promise<void> {
		const { page } = this;
		const panel = new NodePanel(page);
		if (await panel.root.isVisible()) await panel.close();
		const canvas = page.locator('[data-test-id="canvas"]');
		const list = page.locator('[data-test-id^="resources-list"]');
		const leave = page.getByRole('button', { name: 'Leave without saving' });
		await this.follow('/home/workflows');
		await leave.or(list).first().waitFor();
		if (await leave.isVisible()) await leave.click();
		await canvas.waitFor({ state: 'detached' });
	}

	/** As the editor's own links do: to load all of it anew takes ten times the processor time. */
	private async follow(path: string): Promise<void> {
		await this.page.evaluate(
			`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
		);
	}
}
