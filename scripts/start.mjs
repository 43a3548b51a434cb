/**
 * `npm start`: from a fresh clone to an n8n with these nodes and a thousand contacts imported.
 *
 *   npm start                    leaves the editor open until Ctrl-C
 *   npm start -- --once          ends after the import; fails if the outcome is not the expected one
 *   npm start -- --port <n>      the port of the editor (default 5678, or the next free one)
 */
import { parseArgs } from 'node:util';

import { ensureDependencies, root } from './dependencies.mjs';
import { becomeNode } from './foreground.mjs';
import { npm, runShown } from './shownCommand.mjs';

try {
	parseArgs({ options: { once: { type: 'boolean' }, port: { type: 'string' } } });
	await ensureDependencies();
	await runShown('Building the package', npm('run', 'build'), { cwd: root });
	becomeNode(['--import', 'tsx', 'scripts/importDemo.ts', ...process.argv.slice(2)]);
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
