import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { say } from '../../hosts/runWithProgress.mjs';

/** `npm run e2e -- images` makes the pictures of the documentation; a test leaves its own in a temporary folder. */
export const writesImages = process.argv.includes('--write-images');

const PHONE = { width: 390, height: 844 };

/** On a wide screen, in the dark, and on a phone. */
export async function takePictures(page: Page, folder: string, name: string): Promise<void> {
	const take = async (what: string) =>
		await page.screenshot({
			path: join(folder, `${name}-${what}.png`),
			fullPage: true,
			// At the bottom of the screen, they would cover the middle of the picture.
			style: '.buttons { position: static !important }',
		});
	await take('light');
	await page.emulateMedia({ colorScheme: 'dark' });
	await take('dark');
	await page.emulateMedia({ colorScheme: 'light' });
	await page.setViewportSize(PHONE);
	// A page that is wider than the screen would have to be moved sideways.
	assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.width);
	await take('phone');
}

/** @param folder below docs/images */
export function picturesFolder(folder = '.'): string {
	const path = writesImages
		? join(__dirname, '..', '..', 'docs', 'images', folder)
		: mkdtempSync(join(tmpdir(), 'n8n-nodes-native-images-'));
	mkdirSync(path, { recursive: true });
	after(() => say(`Pictures are in ${path}`));
	return path;
}
