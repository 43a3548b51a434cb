/**
 * Checks what n8n's reviewers and users get: the sources, and the package as npm would publish it.
 * Works offline, on the built `dist/`. Prints one line per check; exits 1 if one fails.
 */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../dependencies.mjs';
import { repositoryFiles } from '../repositoryFiles.mjs';

/** What the scanner of n8n looks at in a published tarball. */
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];
const MAX_TARBALL_BYTES = 300_000;
const MAX_LOAD_SHARE = 0.33;
const LOAD_RUNS = 9;

/** Every file that may be in the tarball. npm adds the first line by itself. */
const PUBLISHED_FILES = [
	/^(package\.json|README\.md|LICENSE(\.md)?|CHANGELOG\.md)$/,
	/^dist\/(nodes|credentials)\/.+\.js$/,
	/^dist\/nodes\/[^/]+\/[^/]+\.node\.json$/,
	/^dist\/nodes\/[^/]+\/__schema__\/.+\.json$/,
	/^dist\/icons\/[^/]+\.svg$/,
];

let failures = 0;

/**
 * @param {string} check what is expected
 * @param {string | string[]} problems nothing if the check passed
 * @param {string} [measured] shown behind the check
 */
function report(check, problems, measured = '') {
	const list = [problems].flat().filter((problem) => problem !== '');
	console.log(`${list.length === 0 ? 'ok    ' : 'FAILED'} ${check}${measured && ` (${measured})`}`);
	for (const problem of list) console.log(`       ${problem}`);
	if (list.length > 0) failures++;
}

/**
 * @param {string} folder
 * @returns {string[]} paths of all files below it, with forward slashes
 */
const filesBelow = (folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => statSync(join(folder, file)).isFile())
		.map((file) => file.replaceAll('\\', '/'));

/** @param {string} folder @param {string[]} patterns */
async function analysisProblems(folder, patterns) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	return passed ? '' : (details ?? message ?? 'failed without saying why');
}

/** @param {string} folder receives the package as npm would publish it */
function packInto(folder) {
	const options = { cwd: root, encoding: /** @type {const} */ ('utf8') };
	const [packed] = JSON.parse(
		execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
			...options,
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	);
	const packageFolder = join(folder, 'package');
	execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder], options);
	return { packageFolder, tarballBytes: packed.size };
}

/**
 * The CPU time that a fresh process takes to load and construct all nodes and credentials, beside that of
 * the libraries of n8n that are loaded before: other work on the machine slows down both. The run with the
 * lowest share counts.
 *
 * @param {string} packageFolder
 * @returns {{ share: number, milliseconds: number }}
 */
function measureLoad(packageFolder) {
	const program = `
		const before = process.cpuUsage();
		for (const name of ['n8n-workflow', 'zod', 'luxon']) require(name);
		const libraries = process.cpuUsage(before);
		const { n8n } = require('./package.json');
		const start = process.cpuUsage();
		for (const file of [...n8n.credentials, ...n8n.nodes]) {
			for (const Class of Object.values(require('./' + file)))
				if (typeof Class === 'function') new Class();
		}
		const { user, system } = process.cpuUsage(start);
		const share = (user + system) / (libraries.user + libraries.system);
		console.log(JSON.stringify({ share, milliseconds: (user + system) / 1000 }));`;
	const runs = Array.from({ length: LOAD_RUNS }, () =>
		JSON.parse(
			execFileSync(process.execPath, ['-e', program], {
				cwd: packageFolder,
				encoding: 'utf8',
				env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
			}),
		),
	);
	return runs.reduce((least, run) => (run.share < least.share ? run : least));
}

if (!existsSync(join(root, 'dist'))) throw new Error('There is no dist/ yet: npm run build.');

const template = join(
	root,
	'node_modules/@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs',
);
report(
	"eslint.config.mjs is n8n's template",
	readFileSync(join(root, 'eslint.config.mjs'), 'utf8') === readFileSync(template, 'utf8')
		? ''
		: 'strict mode asks for the unchanged file',
);

report("n8n's analysis of the sources", await analysisProblems(root, SOURCE_FILE_PATTERNS));

const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-scan-'));
try {
	const { packageFolder, tarballBytes } = packInto(folder);
	const published = filesBelow(packageFolder);

	report(
		"n8n's analysis of the tarball",
		await analysisProblems(packageFolder, TARBALL_FILE_PATTERNS),
	);

	const { n8n, dependencies } = JSON.parse(
		readFileSync(join(packageFolder, 'package.json'), 'utf8'),
	);
	/** @type {string[]} */
	const entries = [...n8n.credentials, ...n8n.nodes];
	report(
		'the tarball holds every entry of package.json',
		entries.filter((entry) => !published.includes(entry)),
		`${entries.length} entries`,
	);
	report(
		'every node has its codex file',
		n8n.nodes
			.map((/** @type {string} */ node) => node.replace(/\.js$/, '.json'))
			.filter((/** @type {string} */ codex) => !published.includes(codex)),
	);
	report(
		'the tarball holds nothing else than the package',
		published.filter((file) => !PUBLISHED_FILES.some((pattern) => pattern.test(file))),
		`${published.length} files`,
	);
	report('no dependencies', Object.keys(dependencies ?? {}));

	report(
		`the tarball is smaller than ${MAX_TARBALL_BYTES / 1000} kB`,
		tarballBytes < MAX_TARBALL_BYTES ? '' : 'too large',
		`${Math.round(tarballBytes / 1000)} kB`,
	);

	const { share, milliseconds } = measureLoad(packageFolder);
	report(
		`all nodes and credentials load in ${MAX_LOAD_SHARE} of the time of n8n's libraries`,
		share < MAX_LOAD_SHARE ? '' : 'too slow',
		`${share.toFixed(2)}; ${milliseconds.toFixed(0)} ms here`,
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

const files = repositoryFiles();
report(
	'lock files name no registry',
	files.filter(
		(file) =>
			/(^|\/)(package-lock|npm-shrinkwrap)\.json$/.test(file) &&
			readFileSync(join(root, file), 'utf8').includes('"resolved"'),
	),
);

const machineFolders = [homedir(), root, dirname(root)].filter(
	(path) => path !== '/' && path !== tmpdir(),
);
report(
	'no file names a folder of this machine',
	files.filter((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		return machineFolders.some((path) => text.includes(`${path}/`));
	}),
	machineFolders.join(', '),
);

process.exitCode = failures === 0 ? 0 : 1;
