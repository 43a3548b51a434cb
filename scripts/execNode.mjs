import { spawn } from 'node:child_process';

import { root } from './dependencies.mjs';

/**
 * Runs Node in the foreground of the terminal, in this repository, and ends this process as it ended. A
 * Ctrl-C reaches both processes; the other one cleans up and this one waits for it.
 *
 * @param {string[]} args
 */
export function execNode(args) {
	const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	child.once('error', (error) => {
		process.stderr.write(`${error.message}\n`);
		process.exitCode = 1;
	});
	child.once('exit', (code) => {
		process.exitCode = code ?? 1;
	});
}
