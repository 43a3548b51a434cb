/**
 * `npm test`: installs what is missing, then runs the tests. Arguments go to jest. Fails, too, when a test
 * leaves a temporary file behind.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureDependencies } from './dependencies.mjs';
import { execNode } from './execNode.mjs';

const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-test-'));
try {
	await ensureDependencies();
	process.exitCode = await execNode(['node_modules/jest/bin/jest.js', ...process.argv.slice(2)], {
		...process.env,
		TMPDIR: folder,
	});
	// tsx keeps a folder of its own there.
	const left = readdirSync(folder).filter((name) => !/^tsx-\d+$/.test(name));
	if (left.length > 0) throw new Error(`The tests left temporary files: ${left.join(', ')}`);
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
