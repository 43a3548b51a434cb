import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { filesNaming, readArguments } from '../../scripts/testArguments.mjs';

const root = join(__dirname, '../..');

function runNode(...args: string[]) {
	const { stdout, stderr, status } = spawnSync(process.execPath, args, {
		cwd: root,
		encoding: 'utf8',
	});
	return { output: `${stdout}${stderr}`, status };
}

describe('npm test', () => {
	it('runs the files that name a feature', () => {
		const files = filesNaming(['tryFirst']);
		expect(files).toContain('test/engine/tryFirst.test.ts');
		expect(files).toContain('test/engine/corrections.test.ts');
		expect(files).not.toContain('test/engine/nativeCode.test.ts');
	});

	it('runs one file that is named by its path, and the files of a folder', () => {
		const [file = '', folder = ''] = ['test/engine/nativeCode.test.ts', 'unit/transport/'];
		expect(filesNaming([file])).toEqual([file]);
		expect(filesNaming([folder])).toContain('test/unit/transport/rateLimiter.test.ts');
	});

	it('says so if no test has the name', () => {
		const name = ['no', 'Feature'].join('');
		expect(() => filesNaming([name])).toThrow(`No test is called "${name}", and none names it.`);
	});

	it('gives jest what follows its first option', () => {
		const args = ['tryFirst', '--seed', '7', '-t', 'rows', '--changed'];
		const jest = ['-t', 'rows', '--changed'];
		expect(readArguments(args)).toEqual({ named: ['tryFirst'], isChanged: false, seed: '7', jest });
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

	it('loads our modules anew for each file, and dependencies once', () => {
		const counter = 'let count = 0; exports.next = () => ++count;';
		const test = `
			import { appendFileSync } from 'node:fs';
			import * as dependency from 'dependency';
			import * as ours from './ours';
			test('counts', () => {
				const seen = [ours.next(), dependency.next(), process.env.LEFT ?? 'none'];
				appendFileSync('${join(folder, 'seen.txt')}', seen.join() + ';');
				process.env.LEFT = 'some';
			});`;
		const { output, status } = runFiles({
			'node_modules/dependency/index.js': counter,
			'ours.ts': counter,
			'one.test.ts': test,
			'other.test.ts': test,
		});
		expect([status, output]).toEqual([0, 'Running 2 files of tests …\n']);
		expect(readFileSync(join(folder, 'seen.txt'), 'utf8')).toBe('1,1,none;1,2,none;');
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

	it('says at once which test fails', () => {
		const { output, status } = runFiles({
			'one.test.ts': "test('breaks', () => expect(1).toBe(2));",
		});
		expect([status, output.includes('FAILED one.test.ts: breaks\n')]).toEqual([1, true]);
	});
});
