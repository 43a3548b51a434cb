/**
 * Bundles libraries into the built files that import them, because a verified n8n package has no
 * `dependencies`. Run on its own: `node scripts/bundle.mjs` works on `dist/`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** What n8n allows a verified node to load besides its own files. */
const LOADABLE = new Set(['n8n-workflow', 'zod', 'lodash', 'luxon', 'crypto', 'node:crypto']);

/** @param {string} specifier */
const isRelative = (specifier) => /^\.\.?(\/|$)/.test(specifier);

/**
 * The modules that a built file loads and n8n does not provide.
 * @param {string} file
 * @returns {string[]}
 */
export function foreignImports(file) {
	const source = readFileSync(file, 'utf8');
	// Compiled TypeScript and esbuild's output spell every import as `require("literal")`.
	const specifiers = [...source.matchAll(/\brequire\(\s*(["'])([^"']+)\1\s*\)/g)].flatMap(
		(match) => match[2] ?? [],
	);
	return [...new Set(specifiers)].filter(
		(specifier) => !isRelative(specifier) && !LOADABLE.has(specifier),
	);
}

/**
 * The licence of every bundled library, as MIT and its like ask for.
 * @param {Iterable<string>} inputs paths of bundled source files
 */
function licencesOf(inputs) {
	const packages = new Set();
	for (const input of inputs) {
		const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1];
		if (name)
			packages.add(
				input.slice(0, input.lastIndexOf(`node_modules/${name}/`)) + `node_modules/${name}`,
			);
	}
	return [...packages].sort().map((folder) => {
		const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
		if (!licence) throw new Error(`${name} has no licence file, so it must not be bundled.`);
		return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
	});
}

/**
 * Replaces, in place, each built file that imports a foreign library by one that contains it.
 * Imports of the package's own files stay imports.
 *
 * @param {string} dist folder with the compiled package
 * @returns {Promise<string[]>} one line per bundled file
 * @throws {Error} if a file would still load something that n8n does not provide
 */
export async function bundleLibraries(dist) {
	const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.js'))
		.map((file) => join(dist, file));

	const lines = [];
	const inputs = new Set();
	for (const file of files) {
		const libraries = foreignImports(file);
		if (libraries.length === 0) continue;

		const { metafile } = await build({
			entryPoints: [file],
			outfile: file,
			allowOverwrite: true,
			bundle: true,
			format: 'cjs',
			platform: 'node',
			// A library's browser build does without the Node modules that n8n forbids.
			mainFields: ['browser', 'module', 'main'],
			conditions: ['browser'],
			target: 'node20',
			legalComments: 'inline',
			metafile: true,
			logLevel: 'error',
			plugins: [
				{
					name: 'keep-own-and-provided-imports',
					setup({ onResolve }) {
						onResolve({ filter: /.*/ }, ({ path, importer }) =>
							LOADABLE.has(path) || (importer === file && isRelative(path))
								? { path, external: true }
								: undefined,
						);
					},
				},
			],
		});
		for (const input of Object.keys(metafile.inputs)) inputs.add(input);
		lines.push(`bundled ${libraries.join(', ')} into ${relative(dist, file)}`);
	}

	for (const file of files) {
		const foreign = foreignImports(file);
		if (foreign.length > 0) {
			throw new Error(
				`${relative(dist, file)} would load ${foreign.join(', ')}, which n8n forbids.`,
			);
		}
	}
	if (inputs.size > 0) {
		writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(inputs).join('\n---\n\n'));
	}
	return lines;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
	if (!existsSync(dist)) throw new Error('There is no dist/ yet: npm run build.');
	for (const line of await bundleLibraries(dist)) console.log(line);
}
