/**
 * `npm run check`: everything that can be checked without running a workflow. The last line counts.
 *
 *   npm run check                    all of it
 *   npm run check -- types lint      these only
 */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { root } from '../dependencies.mjs';

const bin = (name: string) => join(root, 'node_modules', '.bin', name);

const SOURCES = ['nodes', 'credentials', 'sandbox', 'test', 'e2e', 'bench', 'hosts', 'scripts'];

type Command = [program: string, ...args: string[]];

/** Keyed by name: the parts of a check, each with commands that run in sequence. The longest begin first. */
const CHECKS: Record<string, Command[][]> = {
	lint: [
		[[bin('eslint'), '--config', 'eslint.dev.config.mjs', '.']],
		// n8n's own rules; the others are those of everything that is not published.
		[[bin('eslint'), 'nodes', 'credentials', 'package.json']],
		[[bin('prettier'), '--check', '--cache', '.']],
	],
	// The compiler of TypeScript 7, which needs a third of the time; what reads its types as a library needs 5.
	types: [[[bin('tsgo'), '-p', 'tsconfig.check.json']]],
	// Goes through n8n's list for verified packages.
	verification: [
		[
			[bin('gulp'), '--silent'],
			[bin('tsx'), 'scripts/check/verification.ts'],
		],
	],
	generated: [[[bin('tsx'), 'scripts/generate.ts', '--check']]],
	unused: [[[bin('knip')]]],
	// The rules of single files are in lint.
	structure: [[[bin('depcruise'), '--config', '.dependency-cruiser.cjs', ...SOURCES]]],
	tools: [[[bin('tsx'), 'scripts/check/toolTexts.ts']]],
	features: [[[bin('tsx'), 'scripts/check/features.ts']]],
};

/** All read the whole project: with the usual room for young objects, a quarter of their processor time goes into garbage. */
const { NODE_OPTIONS = '' } = process.env;
const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --max-semi-space-size=128`.trim() };

/** @returns whether it succeeded. What it prints is shown at its end, because others run at the same time. */
async function runCommand(name: string, [program, ...args]: Command): Promise<boolean> {
	return await new Promise((resolve) => {
		const options = { cwd: root, env, maxBuffer: Infinity };
		execFile(program, args, options, (error, stdout, stderr) => {
			console.log(`\n--- ${name}: ${error ? 'failed' : 'passed'}\n${stdout}${stderr}`.trimEnd());
			resolve(!error);
		});
	});
}

async function main(): Promise<number> {
	const named = process.argv.slice(2);
	const unknown = named.find((name) => !CHECKS[name]);
	if (unknown !== undefined) {
		console.error(`There is no check "${unknown}": ${Object.keys(CHECKS).join(', ')}.`);
		return 1;
	}
	const names = named.length > 0 ? named : Object.keys(CHECKS);
	console.log(`Checking ${names.join(', ')} …`);
	const failed = new Set<string>();
	const parts = names.flatMap((name) => (CHECKS[name] ?? []).map((part) => ({ name, part })));
	const left = parts.values();
	const work = async (): Promise<void> => {
		for (const { name, part } of left) {
			for (const command of part) {
				if (await runCommand(name, command)) continue;
				failed.add(name);
				break;
			}
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	if (failed.size > 0) console.log(`\nThese failed: ${[...failed].join(', ')}`);
	console.log(`\n${names.length - failed.size} passed, ${failed.size} failed`);
	return failed.size === 0 ? 0 : 1;
}

void main().then((code) => (process.exitCode = code));
