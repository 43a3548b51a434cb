import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { NodePanel } from './nodePanel';

/** Takes a picture of the page after an action. */
export type Picture = (name: string) => Promise<unknown>;

/** What a person does in the editor, counted: one click, or one text typed, is an action. */
export class Clicks {
	private readonly actions: string[] = [];

	constructor(
		private readonly editor: Editor,
		private readonly picture: Picture = async () => {},
	) {}

	async act(what: string, action: () => Promise<unknown>): Promise<void> {
		this.actions.push(what);
		await action();
		await this.picture(String(this.actions.length).padStart(2, '0'));
	}

	/** From an empty canvas to the panel of an Import Items that reads this file. */
	async addImportOfFile(file: string): Promise<NodePanel> {
		const { editor } = this;
		const { page } = editor;
		const search = page.locator('[data-test-id="node-creator-search-bar"]');
		const panel = new NodePanel(page);
		const choose = async (name: string) => await editor.listedNode(name).first().click();

		await editor.goTo('/workflow/new');
		await this.act('add the first step', async () => await editor.openNodeList());
		await this.act('search', async () => await search.fill('read/write files'));
		await this.act('choose the node', async () => await choose('Read/Write Files from Disk'));
		await this.act('choose its action', async () => await choose('Read File(s) From Disk'));
		await panel.waitUntilShown();
		await this.act('name the file', async () => await panel.fill('fileSelector', file));
		await this.act('close the panel', async () => await panel.close());
		await this.act('add a step', async () => {
			const node = editor.node('Read/Write Files from Disk');
			await node.locator('[data-test-id="canvas-handle-plus"]').click();
		});
		await this.act('search', async () => await search.fill('native'));
		await this.act('choose the node', async () => await choose('Native Bulk Import'));
		await this.act('choose its action', async () => {
			await page.getByText('Import rows or a CSV file', { exact: true }).click();
		});
		await panel.waitUntilShown();
		return panel;
	}

	get text(): string {
		return `${this.actions.length} actions: ${this.actions.join(', ')}`;
	}

	assertAtMost(most: number): void {
		assert.ok(this.actions.length <= most, `at most ${most}, but ${this.text}`);
	}
}
