/** `npm test`: installs what is missing, then runs the tests. Arguments go to jest. */
import { ensureDependencies } from './dependencies.mjs';
import { execNode } from './execNode.mjs';

try {
	await ensureDependencies();
	execNode(['node_modules/jest/bin/jest.js', ...process.argv.slice(2)]);
} catch (error) {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
