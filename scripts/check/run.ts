/**
 * `npm run check`: everything that can be checked without running a workflow. The last line counts.
 *
 *   npm run check                    all of it
 *   npm run check -- types lint      these only
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { root } from '../dependencies.mjs';

const bin = (name: string) => join(root, 'node_modules', '.bin', name);

const SOURCES = ['nodes', 'credentials', 'sandbox', 'test', 'e2e', 'bench', 'hosts', 'scripts'];

const CHECKS: Record<string, Array<[string, ...string[]]>> = {
	types: [[bin('tsc'), '-p', 'tsconfig.check.json']],
	lint: [
		// n8n's own rules, then those of everything that is not published.
		[bin('eslint'), 'nodes', 'credentials', 'package.json'],
		[bin('eslint'), '--config', 'eslint.dev.config.mjs', '.'],
		[bin('prettier'), '--check', '.'],
	],
	unused: [[bin('knip')]],
	// The rules of single files are in lint.
	structure: [[bin('depcruise'), '--config', '.dependency-cruiser.cjs', ...SOURCES]],
	features: [[bin('tsx'), 'scripts/check/features.ts']],
	generated: [[bin('tsx'), 'scripts/generate.ts', '--check']],
	// Goes through n8n's list for verified packages.
	verification: [
		[bin('gulp'), '--silent'],
		[bin('tsx'), 'scripts/check/verification.ts'],
	],
};

function main(): number {
	const named = process.argv.slice(2);
	const unknown = named.find((name) => !CHECKS[name]);
	if (unknown !== undefined) {
		console.error(`There is no check "${unknown}": ${Object.keys(CHECKS).join(', ')}.`);
		return 1;
	}
	const failed: string[] = [];
	const names = named.length > 0 ? named : Object.keys(CHECKS);
	for (const name of names) {
		console.log(`\n--- ${name}`);
		const holds = (CHECKS[name] ?? []).every(
			([program, ...args]) =>
				spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0,
		);
		if (!holds) failed.push(name);
	}
	if (failed.length > 0) console.log(`\nThese failed: ${failed.join(', ')}`);
	console.log(`\n${names.length - failed.length} passed, ${failed.length} failed`);
	return failed.length === 0 ? 0 : 1;
}

process.exitCode = main();
