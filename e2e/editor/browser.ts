/** A browser for the tests of a file, in which people open pages. */
import assert from 'node:assert/strict';
import { type Browser as Chromium, chromium, type Page } from 'playwright-core';
import { missingProgram, pathFolders, programIn } from '../../hosts/serverPrograms';
import { PATIENCE_MS } from '../../hosts/waitUntil';
import type { TestN8n } from '../testN8n';

/** What a machine without a screen, sound or network beyond itself needs. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// Without windows, Chromium makes letters wider than people see them: labels seemed to be cut.
	'--font-render-hinting=none',
];

/** The first one has no windows to show, and takes a seventh less processor time than the others. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'google-chrome'];

function browserProgram(): string {
	const found =
		process.env.CHROMIUM_PATH ??
		PROGRAMS.map((name) => programIn(pathFolders(), name)).find((program) => program !== undefined);
	if (found === undefined) throw missingProgram('Chromium', 'chromium');
	return found;
}

/** Several people can have a profile of their own in it. CHROMIUM_PATH names a Chromium that is not on the path. */
export class Browser {
	private started: Chromium | undefined;

	/** Starts it before the first test of a file. */
	constructor(running: Pick<TestN8n, 'onStart' | 'onClose'>) {
		running.onStart(async () => {
			const browser = await chromium.launch({ executablePath: browserProgram(), args: FLAGS });
			running.onClose(async () => await browser.close());
			this.started = browser;
		});
	}

	/** A page with a profile of its own. */
	async newPage(options: Parameters<Chromium['newPage']>[0] = {}): Promise<Page> {
		assert.ok(this.started);
		// The certificate of an n8n with https is self-signed.
		const page = await this.started.newPage({ ignoreHTTPSErrors: true, ...options });
		page.setDefaultTimeout(PATIENCE_MS);
		return page;
	}

	/** What somebody without n8n sees. @param httpCredentials that the browser asks for */
	async open(url: string, httpCredentials: { username: string; password: string }): Promise<Page> {
		const page = await this.newPage(httpCredentials.password === '' ? {} : { httpCredentials });
		await page.goto(url);
		return page;
	}
}
