/**
 * Builds `dist/`: each node and credential as one file, what several of them use in shared files, beside
 * them their icons, codex files and output schemas. The few libraries that are not there at run time are
 * bundled in, because a verified n8n package has no `dependencies`.
 *
 * `n8n-node build` makes a file of every source: a seventh of the code would be about importing each other.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, transform } from 'esbuild';

/** What n8n allows a verified node to load besides its own files. */
const LOADABLE = ['n8n-workflow', 'zod', 'lodash', 'luxon', 'crypto', 'node:crypto'];

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const shortened = /** @type {const} */ ({
	minify: true,
	charset: 'utf8',
	sourcesContent: false,
	legalComments: 'none',
	platform: 'node',
	target: 'node20',
});

/** @returns {string[]} sources of what n8n loads */
function entryPoints() {
	const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	return [...n8n.credentials, ...n8n.nodes].map((/** @type {string} */ file) =>
		file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
	);
}

/**
 * The licence of every bundled library, as MIT and its like ask for.
 * @param {string[]} inputs paths of bundled source files
 */
function licencesOf(inputs) {
	const packages = new Set(
		inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
	);
	return [...packages].sort().map((path) => {
		const folder = join(root, path);
		const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
		if (!licence) throw new Error(`${name} has no licence file, so it must not be bundled.`);
		return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
	});
}

execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit'], {
	cwd: root,
	stdio: 'inherit',
});

const { outputFiles, metafile } = await build({
	...shortened,
	absWorkingDir: root,
	entryPoints: entryPoints(),
	outbase: root,
	outdir: dist,
	chunkNames: 'nodes/shared/[name]-[hash]',
	bundle: true,
	sourcemap: 'inline',
	// Shared files exist for ES modules only, so these are translated afterwards. All nodes must see the
	// same rate limiter, which a copy in each of them would not be.
	splitting: true,
	format: 'esm',
	external: LOADABLE,
	// A library's browser build does without the Node modules that n8n forbids.
	mainFields: ['browser', 'module', 'main'],
	conditions: ['browser'],
	metafile: true,
	write: false,
	logLevel: 'warning',
});

const outputs = Object.values(metafile.outputs);
const forbidden = outputs
	.flatMap(({ imports }) => imports)
	.filter(({ path, external }) => external && !LOADABLE.includes(path))
	.map(({ path }) => path);
if (forbidden.length > 0) {
	throw new Error(`The nodes would load ${forbidden.join(', ')}, which n8n forbids.`);
}

rmSync(dist, { recursive: true, force: true });
for (const { path, text } of outputFiles) {
	// n8n reads source maps: a stack trace names the sources, however short the code.
	const { code, map } = await transform(text, {
		...shortened,
		format: 'cjs',
		sourcemap: 'external',
		sourcefile: basename(path),
	});
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
	writeFileSync(`${path}.map`, map);
}

cpSync(join(root, 'icons'), join(dist, 'icons'), { recursive: true });
for (const file of readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' })) {
	if (file.endsWith('.json')) cpSync(join(root, 'nodes', file), join(dist, 'nodes', file));
}
const bundled = outputs.flatMap(({ inputs }) => Object.keys(inputs));
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundled).join('\n---\n\n'));
console.log(`built ${outputFiles.length} files of code`);
