/**
 * `npm run build`: makes `dist/`, which is what is published. n8n's own tool compiles the nodes and
 * credentials, one readable file for each source, without comments, and copies icons and output schemas. The
 * tasks beside it add what the tool does not know, and check the result. Nothing is made anew when neither the sources nor `dist/` changed since the last time.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} = require('node:fs');
const { dirname, join } = require('node:path');

const { series } = require('gulp');

const DIST = join(__dirname, 'dist');
const PUBLISHED = ['nodes', 'credentials', 'icons'];
/** What `dist/` is made of. */
const SOURCES = [...PUBLISHED, 'gulpfile.js', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** Holds what the sources and `dist/` were after the last build. */
const BUILT = join(__dirname, 'build', 'built.txt');
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

/** A hash of the sources and of `dist/`. */
function stateOfBuild() {
	const hash = createHash('sha256');
	/** @param {string} name of a file or folder */
	const add = (name) => {
		const path = join(__dirname, name);
		if (!existsSync(path)) return;
		if (!statSync(path).isDirectory()) hash.update(`${name}\n`).update(readFileSync(path));
		else
			readdirSync(path)
				.sort()
				.forEach((entry) => add(join(name, entry)));
	};
	[...SOURCES, 'dist'].forEach(add);
	return hash.digest('hex');
}

async function recordBuild() {
	mkdirSync(dirname(BUILT), { recursive: true });
	writeFileSync(BUILT, stateOfBuild());
}

const build = series(compileCode, removeOtherPictures, checkImports, recordBuild);
const isBuilt = existsSync(BUILT) && readFileSync(BUILT, 'utf8') === stateOfBuild();

exports.default = isBuilt ? async () => {} : build;
