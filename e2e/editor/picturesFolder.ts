import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `npm run images` makes the pictures of the documentation; a test leaves its own in a temporary folder. */
export const writesImages = process.argv.includes('--write-images');

/** @param folder below docs/images */
export function picturesFolder(folder = '.'): string {
	if (!writesImages) return mkdtempSync(join(tmpdir(), 'n8n-nodes-native-images-'));
	const path = join(__dirname, '..', '..', 'docs', 'images', folder);
	mkdirSync(path, { recursive: true });
	return path;
}
