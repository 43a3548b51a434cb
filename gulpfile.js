/**
 * `npm run build`: makes `dist/`, which is what is published. n8n's own tool compiles the nodes and
 * credentials, one readable file for each source, and copies icons and output schemas. The tasks beside it
 * add what the tool does not know, and check the result.
 */
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { build } = require('esbuild');
const { series } = require('gulp');

const DIST = join(__dirname, 'dist');
const PUBLISHED = ['nodes', 'credentials', 'icons'];
/** Sources that only name a library: a verified n8n package has no dependencies, so it holds the library. */
const BUNDLED = ['nodes/shared/importFile/csvParse'];
/** What n8n allows a verified node to load besides its own files. */
const LOADABLE = ['n8n-workflow', 'zod', 'lodash', 'luxon', 'crypto', 'node:crypto'];

async function compileCode() {
	const tool = join('node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
	try {
		execFileSync(process.execPath, [tool, 'build'], { cwd: __dirname, encoding: 'utf8' });
	} catch (error) {
		process.stdout.write(error.stdout ?? '');
		throw error;
	}
}

/** n8n's tool copies every picture of the repository. */
async function removeOtherPictures() {
	const others = readdirSync(DIST).filter((name) => !PUBLISHED.includes(name));
	for (const name of others) rmSync(join(DIST, name), { recursive: true });
}

async function bundleLibraries() {
	const { metafile } = await build({
		absWorkingDir: __dirname,
		entryPoints: BUNDLED.map((file) => `${file}.ts`),
		outbase: '.',
		outdir: DIST,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		// A library's browser build does without the Node modules that n8n forbids.
		mainFields: ['browser', 'module', 'main'],
		conditions: ['browser'],
		metafile: true,
		logLevel: 'warning',
	});
	const folders = Object.keys(metafile.inputs).flatMap(
		(file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
	);
	const licences = [...new Set(folders)].sort().map(licenceOf);
	writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences.join('\n---\n\n'));
}

/** The licence of a bundled library, which it asks to be published with it. */
function licenceOf(folder) {
	const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
	if (!file) throw new Error(`${name} has no licence file, so it must not be bundled.`);
	return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

async function checkImports() {
	const code = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.js'),
	);
	for (const file of code) {
		for (const [, name] of readFileSync(join(DIST, file), 'utf8').matchAll(
			/\brequire\("([^."][^"]*)"\)/g,
		)) {
			if (!LOADABLE.includes(name))
				throw new Error(`dist/${file} loads ${name}, which n8n forbids.`);
		}
	}
}

exports.default = series(compileCode, removeOtherPictures, bundleLibraries, checkImports);
