import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something in a folder that is gone afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T> | T): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-'));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
