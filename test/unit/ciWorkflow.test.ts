import { execFile } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdtempSync,
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

const isLinux = existsSync('/usr/bin/flock');
(isLinux ? test : test.skip)('two starts install programs one after the other', async () => {
	const [install = ''] = /^install_programs\(\) \{\n.*?^\}/ms.exec(read('.ci/run')) ?? [];
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
		const script = `set -e\n${install}\ninstall_programs`;
		const start = async () =>
			await promisify(execFile)('/bin/bash', ['-c', script], { env: { PATH: folder } });
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
