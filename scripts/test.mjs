/**
 * `npm test`: installs what is missing, then runs the tests. Fails, too, when a test leaves a temporary file
 * behind. The last line counts: `N passed, N failed`.
 *
 *   npm test                      all but the tests of size, with a quarter of the random cases
 *   npm test -- tryFirst          the files with this in their path, and the tests that name it
 *   npm test -- --changed         the files that reach what differs from the main branch; the tests that name a
 *                                 feature of Import Items, if nothing else differs
 *   npm test -- --thorough        all, with all random cases, from a new seed
 *   npm test -- --seed <n>        the same from this seed
 *   npm test -- <name> -t <test>  what follows the first option of jest is jest's
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
	// It reads tests with a dependency, which a fresh clone does not have before.
	const { baseOfChange, changedFiles, readArguments, testsNaming, testsOfFeatures } = await import(
		'./testArguments.mjs'
	);
	const { named, isChanged, seed, jest } = readArguments(process.argv.slice(2));
	const results = join(folder, 'results.json');
	const options = ['--json', '--outputFile', results, ...jest];
	let tests = named.length > 0 ? testsNaming(named) : undefined;
	if (isChanged && !tests) {
		const base = baseOfChange();
		tests = testsOfFeatures(changedFiles(base));
		if (!tests) options.push('--changedSince', base, '--passWithNoTests');
	}
	// The tests of size are for a thorough run, or for who names them.
	if (tests) options.push('--runTestsByPath', ...Object.keys(tests));
	else if (seed === undefined) options.push('--ignoreProjects', 'size');
	if (seed !== undefined)
		console.log(`Seed ${seed}: \`npm test -- --seed ${seed}\` repeats this run.`);
	// More processes than processors: threads that collect garbage beside them only get in their way.
	const node = ['--single-threaded-gc', 'node_modules/jest/bin/jest.js'];
	process.exitCode = await execNode([...node, ...options], {
		...process.env,
		TMPDIR: folder,
		...(seed !== undefined && { TEST_SEED: seed }),
		...(tests && { CHOSEN_TESTS: JSON.stringify(tests) }),
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
