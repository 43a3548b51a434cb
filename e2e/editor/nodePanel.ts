import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../hosts/waitUntil';

/** What can be chosen in whichever list is open; the menu at the left of the page always is. */
const CHOICES =
	'[role="option"]:visible, [role="menu"][data-state="open"] [role="menuitem"]:visible';

/** What is ticked in the list that is open. */
const CHOSEN = '[role="option"][aria-selected="true"]:visible';

/** A click that changed nothing within this time missed. */
const CLICK_MS = 3000;
const CLICKS = 5;

/** Around the parameters. */
const MARGIN = 16;

/** The panel of an opened node, or the window of a credential: whatever shows parameters. */
export class NodePanel {
	constructor(
		private readonly page: Page,
		private readonly selector = '[data-test-id="ndv"]',
	) {}

	get root(): Locator {
		return this.page.locator(this.selector);
	}

	get output(): Locator {
		return this.root.locator('[data-test-id="output-panel"]');
	}

	/** Where the parameters are on the page, as high as the panel. */
	async parametersBox(): Promise<{ x: number; y: number; width: number; height: number }> {
		const item = this.root.locator('[data-test-id="parameter-item"]').first();
		const [inner, outer] = await Promise.all([item.boundingBox(), this.root.boundingBox()]);
		assert.ok(inner && outer);
		const { y, height } = outer;
		return { x: inner.x - MARGIN, y, width: inner.width + 2 * MARGIN, height };
	}

	async waitUntilShown(): Promise<void> {
		await this.root.waitFor();
		await this.root.locator('[data-test-id="parameter-item"]').first().waitFor();
	}

	/** Back to the canvas. */
	async close(): Promise<void> {
		const closers = '[data-test-id="ndv-close-button"], [data-test-id="back-to-canvas"]';
		await this.root.locator(closers).first().click();
		await this.root.waitFor({ state: 'hidden' });
	}

	parameter(name: string): Locator {
		return this.root.locator(`[data-test-id="parameter-input-${name}"]`);
	}

	private get choices(): Locator {
		return this.page.locator(CHOICES);
	}

	async openTab(name: 'params' | 'settings'): Promise<void> {
		await this.root.locator(`[data-test-id="tab-${name}"]`).click();
	}

	/** Opens a drop-down. */
	async openChoices(name: string): Promise<void> {
		await this.openList(this.parameter(name));
	}

	/** Opens the list of options that can be added to a group, by the words of its button. Returns them. */
	async openOptions(button: string): Promise<string[]> {
		const field = this.root.getByPlaceholder(button);
		return await this.openList(field.or(this.root.getByRole('button', { name: button })).first());
	}

	/** Closes the list that is open: the Escape key would close the panel, too. */
	async closeOptions(): Promise<void> {
		await this.output.click({ position: { x: 5, y: 5 } });
		await this.closeList();
	}

	/** Fails if a text is not shown: as a label, or as what is chosen. */
	async showsText(text: string): Promise<void> {
		await waitUntil(`"${text}" is shown`, async () => {
			const inputs = this.root.locator('[data-test-id="parameter-item"] input:visible');
			const chosen = await inputs.evaluateAll((all) => all.map((input) => String(input.value)));
			return (
				chosen.includes(text) || (await this.root.getByText(text, { exact: true }).count()) > 0
			);
		});
	}

	/** Clicks an entry of the list that is open. */
	async pick(entry: string): Promise<void> {
		await this.choices.getByText(entry, { exact: true }).click();
		await this.closeList();
	}

	/** Clicks what opens a list, and reads the first line of each of its entries. */
	private async openList(opener: Locator): Promise<string[]> {
		await opener.click();
		await this.choices.first().waitFor();
		const texts = await this.choices.allInnerTexts();
		return texts.map((text) => text.split('\n')[0]?.trim() ?? '').filter((text) => text !== '');
	}

	/** A list fades away; until then, its entries could be mistaken for those of the next one. */
	private async closeList(): Promise<void> {
		await this.choices.first().waitFor({ state: 'hidden' });
	}

	/** Chooses an entry of a drop-down by its name. Returns what there was to choose from. */
	async choose(name: string, option: string): Promise<string[]> {
		const options = await this.openList(this.parameter(name));
		await this.choices.getByText(option, { exact: true }).click();
		await this.closeList();
		return options;
	}

	/** Chooses an entry of the open list. n8n reads some lists anew after each choice, and closes them then. */
	private async clickChoice(name: string, opener: Locator): Promise<void> {
		const entry = this.choices.getByText(name, { exact: true });
		const chosen = this.page.locator(CHOSEN).getByText(name, { exact: true });
		for (let attempt = 1; ; attempt++) {
			try {
				await entry.waitFor({ timeout: CLICK_MS });
				// A slow page took a click that seemed to miss; one more would take the choice back.
				if (!(await chosen.isVisible())) await entry.click({ timeout: CLICK_MS });
				return;
			} catch (error) {
				if (attempt === CLICKS) throw error;
				if (!(await entry.isVisible())) await opener.click();
			}
		}
	}

	/** Chooses how the fields of a resource mapper are filled. */
	async chooseMappingMode(mode: string): Promise<void> {
		const opener = this.root.locator('[data-test-id="mapping-mode-select"]');
		await this.openList(opener);
		await this.clickChoice(mode, opener);
		await this.closeOptions();
	}

	/** Ticks several entries of a drop-down. Returns what there was to tick. */
	async chooseSeveral(name: string, wanted: readonly string[]): Promise<string[]> {
		const options = await this.openList(this.parameter(name));
		for (const option of wanted) await this.clickChoice(option, this.parameter(name));
		await this.closeOptions();
		return options;
	}

	private locator(name: string): Locator {
		return this.root.locator(
			`[data-test-id="resource-locator-${name}"] [data-test-id="rlc-input"]`,
		);
	}

	/** Opens the "From list" of a resource locator and chooses by a name shown there, else the first. Returns all names. */
	async chooseFromList(name: string, choice?: string): Promise<string[]> {
		await this.locator(name).click();
		const entries = this.page.locator('[data-test-id="rlc-item"]:visible');
		await entries.first().waitFor();
		const names = await entries.allInnerTexts();
		await entries.getByText(choice ?? names[0] ?? '', { exact: true }).click();
		await entries.first().waitFor({ state: 'hidden' });
		return names;
	}

	async readChosen(name: string): Promise<string> {
		return await this.locator(name).inputValue();
	}

	async fill(name: string, value: string): Promise<void> {
		await this.parameter(name).locator('input, textarea').first().fill(value);
	}

	/** Has a parameter take an expression, and types it. */
	async fillExpression(name: string, expression: string): Promise<void> {
		// The values of a resource mapper have their name in brackets.
		const containers = [name, `value["${name}"]`].map(
			(path) => `[data-test-id='${path}-parameter-input-options-container']`,
		);
		const switches = this.root.locator(containers.join(', '));
		const editor = this.parameter(name).locator('[contenteditable="true"]').first();
		for (let attempt = 1; !(await editor.isVisible()); attempt++) {
			await switches.locator('[data-test-id="radio-button-expression"]').click();
			// The form moves while the values above are being evaluated, and the click may miss.
			const isLast = attempt === CLICKS;
			await editor.waitFor({ timeout: CLICK_MS }).catch((error: unknown) => {
				if (isLast) throw error;
			});
		}
		await editor.click();
		await editor.fill(expression);
	}

	/** "Execute step" of the panel: runs what comes before, too. */
	async execute(): Promise<void> {
		await this.executeButton.click();
	}

	/** The items, where n8n shows the files of the first one, or its values alone. */
	async showTable(): Promise<void> {
		await this.output.getByText('Table', { exact: true }).first().click();
	}

	/** All properties of the output, merged over its items. */
	async showSchema(): Promise<void> {
		await this.output.getByText('Schema', { exact: true }).first().click();
	}

	/** Waits until the button can be clicked again. */
	async waitForEnd(): Promise<void> {
		await this.executeButton.click({ trial: true });
	}

	private get executeButton(): Locator {
		return this.root.locator('[data-test-id="node-execute-button"]').first();
	}

	/** Labels that do not fit their place, while nothing is hovered. */
	async findCutLabels(): Promise<string[]> {
		await this.page.mouse.move(0, 0);
		const labels = this.root.locator('[data-test-id="input-label"]');
		const cut = await labels.evaluateAll((elements) =>
			elements.map((label) => {
				const page = label.ownerDocument;
				const SHOW_TEXT = 4;
				const texts = page.createTreeWalker(label, SHOW_TEXT);
				while (texts.nextNode() && !texts.currentNode.nodeValue.trim());
				const range = page.createRange();
				range.selectNodeContents(texts.currentNode);
				const { right } = range.getBoundingClientRect();
				for (let around = texts.currentNode.parentElement; ; around = around.parentElement) {
					const { overflowX } = page.defaultView.getComputedStyle(around);
					const isBound = around === label || overflowX !== 'visible';
					if (isBound && right > around.getBoundingClientRect().right + 1)
						return range.toString().trim();
					if (around === label) return '';
				}
			}),
		);
		return cut.filter((text: string) => text !== '');
	}
}
