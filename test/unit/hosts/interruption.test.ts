import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = resolve(__dirname, '../../..');

/** Plays npm: writes a file into the folder, says who it is, and would run for ever. */
const NPM = `
	require('node:fs').writeFileSync('half', '');
	require('node:fs').writeFileSync(process.env.STARTED, String(process.pid));
	setInterval(() => {}, 1000);`;

const isRunning = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await wait(20);
}

describe('one Ctrl-C while n8n is installed', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-interruption-'));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	it('ends npm, says so and leaves nothing', async () => {
		const cache = join(folder, 'cache');
		const started = join(folder, 'started');
		const npm = join(folder, 'npm.js');
		writeFileSync(npm, NPM);
		writeFileSync(started, '');
		const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/importDemo.ts'], {
			cwd: root,
			env: { ...process.env, XDG_CACHE_HOME: cache, npm_execpath: npm, STARTED: started },
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		let errors = '';
		child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
		const ended = once(child, 'close');
		await until(() => readFileSync(started, 'utf8') !== '');
		child.kill('SIGINT');
		const [code] = (await ended) as [number];
		expect({ code, errors }).toEqual({ code: 1, errors: '\nInterrupted.\n' });
		const pid = Number(readFileSync(started, 'utf8'));
		await until(() => !isRunning(pid));
		await until(() => readdirSync(join(cache, 'n8n-nodes-native')).length === 0);
	});
});
