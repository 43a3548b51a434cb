import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { say } from '../../hosts/runWithProgress.mjs';

/** `npm run e2e -- images` makes the pictures of the documentation; a test leaves its own in a temporary folder. */
export const writesImages = process.argv.includes('--write-images');

/** @param folder below docs/images */
export function picturesFolder(folder = '.'): string {
	const path = writesImages
		? join(__dirname, '..', '..', 'docs', 'images', folder)
		: mkdtempSync(join(tmpdir(), 'n8n-nodes-native-images-'));
	mkdirSync(path, { recursive: true });
	after(() => say(`Pictures are in ${path}`));
	return path;
}
