/**
 * `npm start`: from a fresh clone to an n8n with these nodes and a thousand contacts imported.
 * HELP says how it is called.
 */
import { parseArgs } from 'node:util';

import { ensureDependencies, root } from './dependencies.mjs';
import { isFree } from '../hosts/freePort.mjs';
import { execNode } from './execNode.mjs';
import { npm, runProgram, runWithProgress, say } from '../hosts/runWithProgress.mjs';

const HELP = `Starts the real n8n with these nodes and a local service, and imports a thousand invented contacts.

  npm start                  leaves the editor open until Ctrl-C
  npm start -- --once        ends after the import; fails if the outcome is not the expected one
  npm start -- --port <n>    the port of the editor (default: 5678, or any free one if that is taken)
  npm start -- --empty       without the nodes, the credential and the examples: to install them as a new user
  npm start -- --help        shows this

No account and no key are needed. The first time, n8n is installed: 2 GB, about 5 minutes.`;

function readOptions() {
	try {
		const { values } = parseArgs({
			options: {
				help: { type: 'boolean', short: 'h' },
				once: { type: 'boolean' },
				empty: { type: 'boolean' },
				port: { type: 'string' },
			},
		});
		return values;
	} catch (error) {
		const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
		throw new Error(`${reason}. To see all options, run npm start -- --help`);
	}
}

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
	const values = readOptions();
	if (values.help) return say(HELP);
	if (values.port !== undefined) await checkPort(values.port);
	await ensureDependencies();
	await runWithProgress('Building the package', npm('run', 'build'), { cwd: root });
	const demo = ['--import', 'tsx', 'scripts/importDemo.ts', ...process.argv.slice(2)];
	process.exitCode = await execNode(demo);
});
