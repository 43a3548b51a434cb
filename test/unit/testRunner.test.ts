import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { camelCase, mapValues, once } from 'lodash';

import { readArguments, testsNaming, testsOfFeatures } from '../../scripts/testArguments.mjs';

const root = join(__dirname, '../..');

function runNode(...args: string[]) {
	const { stdout, stderr, status } = spawnSync(process.execPath, args, {
		cwd: root,
		encoding: 'utf8',
	});
	return { output: `${stdout}${stderr}`, status };
}

describe('npm test', () => {
	/** Not named here, so that these tests are none of its tests. */
	const feature = camelCase('Try First');
	const room = 'nodes/NativeBulkImport/importItems/features/';

	it('runs the tests that name a feature', () => {
		const tests = testsNaming([feature]);
		expect(tests).toMatchObject({
			[`test/engine/${feature}.test.ts`]: null,
			'test/engine/changedRows.test.ts': ['^tries a few of the changed rows first$'],
			// Named in what its tests share.
			'test/engine/rowMemory.test.ts': null,
		});
		expect(Object.keys(tests)).not.toContain('test/engine/nativeCode.test.ts');
	});

	it('runs tests with names that are made of their cases', () => {
		const [patterns] = [testsNaming([feature])['test/engine/importDatabaseWait.test.ts']];
		expect(patterns).toContain('^waits as .* began to, whatever Max Wait gives later$');
	});

	it('runs the tests that name the option of a feature, which begins with its name', () => {
		const option = camelCase('Skip Unchanged');
		const file = `${room}${option}/${option}.ts`;
		expect(testsOfFeatures([file])).toHaveProperty(['test/engine/changedRows.test.ts']);
		expect(() => testsNaming([`${option}B`])).toThrow('No test is called');
	});

	it('runs the tests of a feature that was changed, and those that were changed themselves', () => {
		const other = 'test/engine/nativeCode.test.ts';
		const tests = testsOfFeatures([`${room}${feature}.ts`, other]);
		expect(tests).toEqual({ ...testsNaming([feature]), [other]: null });
		expect(testsOfFeatures([`${room}${feature}.ts`, 'nodes/shared/service/code.ts'])).toBe(
			undefined,
		);
		const [folder] = [`${room}askFirst/rowKinds.ts`];
		expect(testsOfFeatures([folder])).toMatchObject({ 'test/engine/askFirst.test.ts': null });
	});

	it('runs one file that is named by its path, and the files of a folder', () => {
		const [file = '', folder = ''] = ['test/engine/nativeCode.test.ts', 'unit/transport/'];
		expect(testsNaming([file])).toEqual({ [file]: null });
		expect(testsNaming([folder])).toMatchObject({
			'test/unit/transport/rateLimiter.test.ts': null,
		});
	});

	it('says so if no test has the name', () => {
		const name = ['no', 'Feature'].join('');
		expect(() => testsNaming([name])).toThrow(`No test is called "${name}", and none names it.`);
	});

	it('gives jest what follows its first option', () => {
		const args = [feature, '--seed', '7', '-t', 'rows', '--changed'];
		const jest = ['-t', 'rows', '--changed'];
		expect(readArguments(args)).toEqual({ named: [feature], isChanged: false, seed: '7', jest });
	});

	it('chooses a new seed for each thorough run', () => {
		const seeds = [1, 2].map(() => readArguments(['--thorough']).seed);
		expect(new Set(seeds).size).toBe(2);
		for (const seed of seeds) expect(seed).toMatch(/^\d+$/);
	});
});

describe('the runner', () => {
	const folder = mkdtempSync(join(tmpdir(), 'test-runner-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	function runFiles(files: Record<string, string>, ...options: string[]) {
		for (const [name, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, name)), { recursive: true });
			writeFileSync(join(folder, name), text);
		}
		const config = {
			testEnvironment: join(root, '/test/runner/processEnvironment.cjs'),
			runtime: join(root, '/test/runner/processRuntime.cjs'),
			transform: { '\\.ts$': join(root, 'node_modules/@swc/jest') },
			reporters: [join(root, '/test/runner/progress.cjs')],
			cacheDirectory: join(folder, 'cache'),
		};
		const jest = join(root, 'node_modules/jest/bin/jest.js');
		const args = [
			'--rootDir',
			folder,
			'--config',
			JSON.stringify(config),
			'--runInBand',
			...options,
		];
		return runNode(jest, ...args);
	}

	/** Modules that two test files import, one after the other, and what these see. */
	interface Imported {
		modules: Record<string, string>;
		seen: string;
	}

	/** What a module can remember something in. */
	const STATES: Record<string, string> = {
		'a variable': 'let count = 0; export const next = () => ++count;',
		'a map': 'const all = new Map(); export const next = () => all.set(all.size, 0).size;',
		'a typed set':
			'const all: Set<number> = new Set(); export const next = () => all.add(all.size).size;',
		'a list': 'export const all: number[] = [];\nexport const next = () => all.push(0);',
		'an object of another type':
			'const all = {} as any; export const next = () => (all.n = (all.n ?? 0) + 1);',
		'an object': 'const all: any = {};\nexport const next = () => (all.n = (all.n ?? 0) + 1);',
		'an instance':
			'class Own { n = 0; }\nconst own = new Own();\nexport const next = () => ++own.n;',
		'a field of a class': 'class Own {\n\tstatic n = 0;\n}\nexport const next = () => ++Own.n;',
	};

	const IMPORTED: Record<string, Imported> = {
		...mapValues(STATES, (state) => ({
			modules: {
				'state.ts': state,
				'importer.ts': "import { next } from './state'; export const first = next();",
				'ours.ts': "export { first } from './importer'; export { next } from './state';",
			},
			seen: '[ours.first, ours.next()].join()',
		})),
		'a dependency': {
			modules: { 'ours.ts': "export { next } from 'dependency';" },
			seen: "[ours.next(), process.env.LEFT ?? 'none'].join()",
		},
		'a deleted module': {
			modules: {
				'ours.ts':
					"import { key } from './key'; export const isSame = (other: object) => key === other;",
				'key.ts': 'export const key = Object.freeze({});',
			},
			seen: `(() => {
				const { key } = require('./key');
				delete require.cache[require.resolve('./key')];
				require('./key');
				return ours.isSame(key);
			})()`,
		},
		'no state': {
			modules: {
				'ours.ts':
					'const KNOWN: ReadonlyMap<string, number> = new Map();\nexport const tag = process.hrtime.bigint() + BigInt(KNOWN.size);',
			},
			seen: 'ours.tag',
		},
	};

	/** One run of jest for all of them, because each takes seconds. */
	const runImported = once(() => {
		const files: Record<string, string> = {
			'node_modules/dependency/index.js': 'let count = 0; exports.next = () => ++count;',
		};
		for (const [name, { modules, seen }] of Object.entries(IMPORTED)) {
			for (const [file, text] of Object.entries(modules)) files[join(name, file)] = text;
			for (const file of ['one.test.ts', 'other.test.ts'])
				files[join(name, file)] = `
					import { appendFileSync } from 'node:fs';
					import * as ours from './ours';
					test('sees', () => {
						appendFileSync('${join(folder, name, 'seen.txt')}', ${seen} + ';');
						process.env.LEFT = 'some';
					});`;
		}
		const { output, status } = runFiles(files);
		const count = 2 * Object.keys(IMPORTED).length;
		expect([status, output]).toEqual([0, `Running ${count} files of tests …\n`]);
	});

	/** What the two test files saw. */
	function seenOf(name: string): string {
		runImported();
		return readFileSync(join(folder, name, 'seen.txt'), 'utf8');
	}

	it('loads dependencies once, and restores the environment', () => {
		expect(seenOf('a dependency')).toBe('1,none;2,none;');
	});

	it.each(Object.keys(STATES))(
		'loads a module anew for each file that has %s, and what imports it',
		(name) => expect(seenOf(name)).toBe('1,2;1,2;'),
	);

	it('loads anew what imports a module that a test deleted from the cache', () => {
		expect(seenOf('a deleted module')).toBe('true;true;');
	});

	it('loads a module once that can remember nothing', () => {
		const [one, other] = seenOf('no state').split(';');
		expect(other).toBe(one);
	});

	it('measures with the clock of the machine, whatever clock the tests of a file have', () => {
		const results = join(folder, 'results.json');
		const moved = "jest.spyOn(Date, 'now').mockReturnValue(1e15); expect(Date.now()).toBe(1e15);";
		const files = { 'clock.test.ts': `test('moves the clock', () => { ${moved} });` };
		expect(runFiles(files, '--outputFile', results, '--json', 'clock').status).toBe(0);
		const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
			testResults: Array<{ endTime: number }>;
		};
		expect(testResults).toHaveLength(1);
		for (const { endTime } of testResults) expect(endTime).toBeLessThanOrEqual(Date.now());
	});

	it('runs the chosen tests of a file, and all of a file without a choice', () => {
		const seen = join(folder, 'chosen.txt');
		const text = `const { appendFileSync } = require('node:fs');
			describe('block', () => {
				beforeEach(() => appendFileSync('${seen}', 'before '));
				test.each([1, 2])('row %s', (row) => appendFileSync('${seen}', row + ';'));
				test('other', () => appendFileSync('${seen}', 'other;'));
			});`;
		const files = { 'chosen/one.test.ts': text, 'chosen/all.test.ts': text };
		const chosen = { 'chosen/one.test.ts': ['^row .*$'], 'chosen/all.test.ts': null };
		process.env.CHOSEN_TESTS = JSON.stringify(chosen);
		expect(runFiles(files, 'chosen/one').status).toBe(0);
		expect(readFileSync(seen, 'utf8')).toBe('before 1;before 2;');
		expect(runFiles({}, 'chosen/all').status).toBe(0);
		expect(readFileSync(seen, 'utf8')).toMatch(/2;before 1;before 2;before other;$/);
	});

	it('says at once which test fails', () => {
		const files = { 'failing.test.ts': "test('breaks', () => expect(1).toBe(2));" };
		const { output, status } = runFiles(files, 'failing');
		expect([status, output.includes('FAILED failing.test.ts: breaks\n')]).toEqual([1, true]);
	});
});
