/** What the tests of an import's pages have in common. */
import { afterEach } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser } from './editor/browser';
import { n8nForTests } from './testN8n';

export const running = n8nForTests({ httpsLinks: true });
const browser = new Browser(running);
afterEach(() => running.sandbox.control.reset());

/** Opens a page as somebody without n8n. @param password that the browser enters if it is asked */
export const open = async (link: string, password = ''): Promise<Page> =>
	await browser.open(link, { username: 'anybody', password });
