import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');

function start(...args: string[]) {
	const program = join(root, 'scripts', 'start.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
		encoding: 'utf8',
	});
	return { status, stdout, stderr };
}

describe('npm start', () => {
	it.each(['--help', '-h'])('%s shows every option and starts nothing', (option) => {
		const { status, stdout, stderr } = start(option);
		expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
		for (const name of ['--once', '--port <n>', '--empty', '--help'])
			expect(stdout).toContain(name);
	});

	it.each([[['--onec']], [['now']], [['--port']]])('says for %p where the options are', (args) => {
		const { status, stdout, stderr } = start(...args);
		expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
		expect(stderr).toContain('npm start -- --help');
	});
});
