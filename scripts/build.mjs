/**
 * Builds `dist/`: the compiled nodes and credentials, their icons and codex files, with the few
 * libraries that are not there at run time bundled in, and the code shortened.
 *
 * `n8n-node build` does nearly the same, but copies every picture of the whole work tree (those of
 * the documentation, and of an n8n installed under `build/` for the end-to-end tests).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { bundleLibraries } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], {
	cwd: root,
	stdio: 'inherit',
});
cpSync(join(root, 'icons'), join(dist, 'icons'), { recursive: true });

for (const line of await bundleLibraries(dist)) console.log(line);

// n8n reads every file of a package when it starts, and users download it: names of parameters and
// texts alone are half of it, so at least the rest is short.
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.js'))
	.map((file) => join(dist, file));
await build({
	entryPoints: files,
	outdir: dist,
	outbase: dist,
	allowOverwrite: true,
	minify: true,
	format: 'cjs',
	platform: 'node',
	target: 'node20',
	logLevel: 'warning',
});
console.log(`shortened ${files.length} files`);
