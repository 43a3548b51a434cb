import { execFile, spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('the job that runs everything installs the servers of queue mode first', () => {
	const [, job = ''] = read('.github/workflows/ci.yml').split(/^ {2}n8n:$/m);
	const [before = '', ...after] = job.split('.ci/run full');
	expect(after).toHaveLength(1);
	expect(before).toMatch(/- run: sudo apt-get update && .*redis-server postgresql/);
});

describe('.ci/run', () => {
	/** Runs it where each of its three commands does this; returns its last line. */
	function lastLine(command: string): string {
		const folder = mkdtempSync(join(tmpdir(), 'ci-'));
		const script = (name: string, text: string) =>
			writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
		try {
			mkdirSync(join(folder, '.ci'));
			cpSync(join(root, '.ci/run'), join(folder, '.ci/run'));
			script('.ci/find-secrets', 'true');
			script('.ci/install-dependencies', 'true');
			script('npm', command);
			const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
			const { stdout } = spawnSync('.ci/run', ['quick'], { cwd: folder, env, encoding: 'utf8' });
			return stdout.trim().split('\n').at(-1) ?? '';
		} finally {
			rmSync(folder, { recursive: true });
		}
	}

	test.each([
		['adds what its commands count', 'echo "3 passed, 0 failed"', '11 passed, 0 failed'],
		['counts what failed', 'echo "2 passed, 1 failed"; exit 1', '8 passed, 3 failed'],
		['trusts no status alone', 'echo "2 passed, 1 failed"', '8 passed, 3 failed'],
		['trusts no count alone', 'echo "3 passed, 0 failed"; exit 1', '11 passed, 3 failed'],
		['takes nothing passed for a failure', 'echo "0 passed, 0 failed"', '2 passed, 3 failed'],
		['counts a command without numbers once', 'true', '5 passed, 0 failed'],
		['counts one that fails without numbers', 'exit 1', '2 passed, 3 failed'],
		['counts one that is ended from outside', 'kill -9 $PPID', '2 passed, 3 failed'],
		[
			'runs the tests beside the checks',
			// Each waits for the other.
			'touch "$*"; case "$*" in test) until [ -e "run check" ]; do sleep 0.01; done;; *check) until [ -e test ]; do sleep 0.01; done;; esac',
			'5 passed, 0 failed',
		],
	])('%s', (_, command, expected) => expect(lastLine(command)).toBe(expected));
});

const isLinux = existsSync('/usr/bin/flock');
(isLinux ? test : test.skip)('two starts install programs one after the other', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ci-'));
	const log = join(folder, 'log');
	const stub = (name: string, script: string) => {
		writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(folder, name), 0o755);
	};
	try {
		for (const tool of ['flock', 'mkdir', 'rmdir', 'sleep'])
			symlinkSync(`/usr/bin/${tool}`, join(folder, tool));
		stub('id', 'echo 0');
		stub(
			'apt-get',
			`mkdir ${folder}/busy || exit 1; sleep 0.2; rmdir ${folder}/busy; echo "$1" >>${log}`,
		);
		const script = join(root, '.ci/install-programs');
		const start = async () =>
			await promisify(execFile)('/bin/bash', [script], { env: { PATH: folder } });
		await Promise.all([start(), start()]);
		expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
			'update',
			'install',
			'update',
			'install',
		]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

(isLinux ? test : test.skip)('npm installs the dependencies of a lock file once', () => {
	const folder = mkdtempSync(join(tmpdir(), 'ci-'));
	const npm = join(folder, 'npm');
	writeFileSync(
		npm,
		`#!/bin/sh\necho "$1" >>${folder}/log\nmkdir node_modules\necho a >node_modules/a.js\ntouch node_modules/.package-lock.json\n`,
		{ mode: 0o755 },
	);
	const env = {
		PATH: `${folder}:${process.env.PATH}`,
		XDG_CACHE_HOME: join(folder, 'cache'),
		TMPDIR: folder,
	};
	/** @returns how often npm was called so far */
	function installIn(name: string, lock: string): number {
		const clone = join(folder, name);
		for (const file of [
			'.ci/install-dependencies',
			'scripts/dependencies.mjs',
			'hosts/runWithProgress.mjs',
		])
			cpSync(join(root, file), join(clone, file));
		writeFileSync(join(clone, 'package-lock.json'), lock);
		const { status, stderr } = spawnSync('.ci/install-dependencies', {
			cwd: clone,
			env,
			encoding: 'utf8',
		});
		expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
		expect(readFileSync(join(clone, 'node_modules/a.js'), 'utf8')).toBe('a\n');
		return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').length;
	}
	try {
		expect(installIn('first', 'lock 1')).toBe(1);
		expect(installIn('second', 'lock 1')).toBe(1);
		expect(installIn('third', 'lock 2')).toBe(2);
		expect(readdirSync(join(folder, 'cache/n8n-nodes-native'))).toHaveLength(1);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
