/**
 * `npm test`: installs what is missing, then runs the tests. Arguments go to jest. Fails, too, when a test
 * leaves a temporary file behind. The last line counts: `N passed, N failed`.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureDependencies } from './dependencies.mjs';
import { execNode } from './execNode.mjs';

/**
 * The numbers of tests that jest wrote; a file of tests that did not even load is a failure, too.
 *
 * @param {string} file
 */
function countsIn(file) {
	if (!existsSync(file)) return { passed: 0, failed: 1 };
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
		readFileSync(file, 'utf8'),
	);
	return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-test-'));
try {
	await ensureDependencies();
	const results = join(folder, 'results.json');
	const options = ['--json', '--outputFile', results, ...process.argv.slice(2)];
	process.exitCode = await execNode(['node_modules/jest/bin/jest.js', ...options], {
		...process.env,
		TMPDIR: folder,
	});
	const { passed, failed: failedTests } = countsIn(results);
	// tsx keeps a folder of its own there.
	const expected = /^(tsx-\d+|results\.json)$/;
	const left = readdirSync(folder).filter((name) => !expected.test(name));
	const failed = failedTests + Math.min(left.length, 1);
	if (left.length > 0) {
		process.exitCode = 1;
		console.error(`\nThe tests left temporary files: ${left.join(', ')}`);
	}
	console.log(`\n${passed} passed, ${failed} failed`);
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
