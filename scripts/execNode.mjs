import { spawn } from 'node:child_process';

import { root } from './dependencies.mjs';

/**
 * Runs Node in the foreground of the terminal, in this repository. A Ctrl-C reaches both processes; the other
 * one cleans up and this one waits for it.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export function execNode(args, env = process.env) {
	const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => resolve(code ?? 1));
	});
}
