/**
 * `npm test`: installs what is missing, then runs the tests. Fails, too, when a test leaves a temporary file
 * behind. The last line counts: `N passed, N failed`.
 *
 *   npm test                      all but the tests of size, with a quarter of the random cases
 *   npm test -- tryFirst          the files with this in their path, and those that name it
 *   npm test -- --changed         the files that reach what differs from the main branch
 *   npm test -- --thorough        all, with all random cases, from a new seed
 *   npm test -- --seed <n>        the same from this seed
 *   npm test -- <name> -t <test>  what follows the first option of jest is jest's
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureDependencies, root } from './dependencies.mjs';
import { execNode } from './execNode.mjs';

/** @param {string[]} args */
function readArguments(args) {
	/** @type {{ named: string[], isChanged: boolean, seed: string | undefined, jest: string[] }} */
	const chosen = { named: [], isChanged: false, seed: undefined, jest: [] };
	for (let i = 0; i < args.length; i++) {
		const arg = args[i] ?? '';
		if (arg === '--changed') chosen.isChanged = true;
		else if (arg === '--thorough') chosen.seed ??= String(randomInt(2 ** 31));
		else if (arg === '--seed') {
			chosen.seed = args[++i] ?? '';
			if (!/^\d+$/.test(chosen.seed)) throw new Error('--seed needs a number.');
		} else if (arg.startsWith('-')) return { ...chosen, jest: args.slice(i) };
		else chosen.named.push(arg);
	}
	return chosen;
}

/**
 * The files of tests with one of these names in their path, or as a word in their text.
 *
 * @param {string[]} names
 */
function filesNaming(names) {
	const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => ({ path: join('test', file), text: '' }));
	for (const file of files) file.text = readFileSync(join(root, file.path), 'utf8');
	return names.flatMap((name) => {
		const word = new RegExp(`(?<!\\w)${name.replace(/[^\w\s]/g, '\\$&')}(?!\\w)`);
		const isFile = existsSync(join(root, name)) && name.endsWith('.ts');
		const found = isFile
			? [{ path: name }]
			: files.filter(({ path, text }) => path.includes(name) || word.test(text));
		if (found.length === 0) throw new Error(`No test is called "${name}", and none names it.`);
		return found.map(({ path }) => path);
	});
}

/** What a change is compared with: the main branch, or the last commit where there is none. */
function baseOfChange() {
	const isThere = (/** @type {string} */ name) =>
		spawnSync('git', ['rev-parse', '--verify', '--quiet', name], { cwd: root }).status === 0;
	return ['origin/main', 'main'].find(isThere) ?? 'HEAD';
}

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
	const { named, isChanged, seed, jest } = readArguments(process.argv.slice(2));
	await ensureDependencies();
	const results = join(folder, 'results.json');
	const options = ['--json', '--outputFile', results, ...jest];
	if (isChanged) options.push('--changedSince', baseOfChange(), '--passWithNoTests');
	// The tests of size are for a thorough run, or for who names them.
	if (named.length > 0) options.push('--runTestsByPath', ...filesNaming(named));
	else if (seed === undefined) options.push('--ignoreProjects', 'size');
	if (seed !== undefined)
		console.log(`Seed ${seed}: \`npm test -- --seed ${seed}\` repeats this run.`);
	process.exitCode = await execNode(['node_modules/jest/bin/jest.js', ...options], {
		...process.env,
		TMPDIR: folder,
		...(seed !== undefined && { TEST_SEED: seed }),
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
