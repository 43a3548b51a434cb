/**
 * Builds `dist/`: the compiled nodes and credentials, their icons and codex files, with the few
 * libraries that are not there at run time bundled in.
 *
 * `n8n-node build` does nearly the same, but copies every picture of the whole work tree (those of
 * the documentation, and of an n8n installed under `build/` for the end-to-end tests).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
