/**
 * `npm start`: from a fresh clone to an n8n with these nodes and a thousand contacts imported.
 *
 *   npm start                    leaves the editor open until Ctrl-C
 *   npm start -- --once          ends after the import; fails if the outcome is not the expected one
 *   npm start -- --port <n>      the port of the editor (default: 5678, or any free one when that is taken)
 */
import { parseArgs } from 'node:util';

import { ensureDependencies, root } from './dependencies.mjs';
import { isFree } from '../hosts/freePort.mjs';
import { execNode } from './execNode.mjs';
import { npm, runProgram, runWithProgress } from '../hosts/runWithProgress.mjs';

/**
 * @param {string} text
 * @throws {Error} when the editor cannot have this port
 */
async function checkPort(text) {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > 65_535)
		throw new Error(`--port ${text}: a port is a number from 1 to 65535.`);
	if (await isFree(port)) return;
	throw new Error(
		`Port ${port} is in use by another program. Choose another port, or leave out --port for a free one.`,
	);
}

runProgram(async () => {
	const { values } = parseArgs({
		options: { once: { type: 'boolean' }, port: { type: 'string' } },
	});
	if (values.port !== undefined) await checkPort(values.port);
	await ensureDependencies();
	await runWithProgress('Building the package', npm('run', 'build'), { cwd: root });
	const demo = ['--import', 'tsx', 'scripts/importDemo.ts', ...process.argv.slice(2)];
	process.exitCode = await execNode(demo);
});
