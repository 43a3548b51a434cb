/**
 * n8n's list for verified packages (its page "Verification guidelines"), and what this package promises beyond
 * it: the sources, the built `dist/`, and the package as npm would publish it. Works offline.
 *
 * Prints a line per check. Those that begin with "owner" are not for the code: docs/publishing.md.
 */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { packPackage } from '../../hosts/packPackage';
import { inTemporaryFolder } from '../../hosts/temporaryFolder';
import { packageNodes } from '../../test/engine/support/packageNodes';
import { root } from '../dependencies.mjs';
import { placeholders } from '../placeholders.mjs';
import { repositoryFiles } from '../repositoryFiles.mjs';

/** What the scanner of n8n looks at in a published tarball. */
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];
const MAX_TARBALL_BYTES = 400_000;
/** The same files take between 0.28 and 0.35, depending on the machine. */
const MAX_LOAD_SHARE = 0.6;
const LOAD_RUNS = 9;

/** Every file that may be in the tarball. npm adds the first line itself. */
const PUBLISHED_FILES = [
	/^(package\.json|README\.md|LICENSE(\.md)?|CHANGELOG\.md)$/,
	/^dist\/(nodes|credentials)\/.+\.js$/,
	/^dist\/nodes\/[^/]+\/[^/]+\.node\.json$/,
	/^dist\/nodes\/[^/]+\/__schema__\/.+\.json$/,
	/^dist\/icons\/[^/]+\.svg$/,
];

/** The headings of the README that n8n's tool writes for a new package. */
const README_HEADINGS = [
	'Installation',
	'Operations',
	'Credentials',
	'Compatibility',
	'Usage',
	'Resources',
	'Version history',
];

const manifestSchema = z.object({
	name: z.string(),
	version: z.string(),
	homepage: z.string(),
	repository: z.object({ url: z.string() }),
	bugs: z.object({ url: z.string() }),
	author: z.object({ name: z.string(), email: z.string() }),
	dependencies: z.record(z.string()).default({}),
	optionalDependencies: z.record(z.string()).default({}),
	n8n: z.object({
		n8nNodesApiVersion: z.number(),
		strict: z.boolean().optional(),
		nodes: z.array(z.string()),
		credentials: z.array(z.string()),
	}),
});

const codexSchema = z.object({
	categories: z.array(z.string()),
	alias: z.array(z.string()),
	resources: z.object({
		primaryDocumentation: z.array(z.object({ url: z.string().url() })).min(1),
		credentialDocumentation: z.array(z.object({ url: z.string().url() })).min(1),
	}),
});

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = manifestSchema.parse(JSON.parse(read('package.json')));

let passed = 0;
let failed = 0;

/**
 * @param check what is expected
 * @param problems nothing if the check passed
 * @param measured shown after the check
 */
function report(check: string, problems: readonly string[] | boolean, measured = ''): void {
	const holds = typeof problems === 'boolean' ? problems : problems.length === 0;
	console.log(`${holds ? 'ok    ' : 'FAILED'} ${check}${measured && ` (${measured})`}`);
	if (Array.isArray(problems)) for (const problem of problems) console.log(`       ${problem}`);
	if (holds) passed++;
	else failed++;
}

function leaveToOwner(what: string): void {
	console.log(`owner  ${what}`);
}

function heading(text: string): void {
	console.log(`\n${text}`);
}

function checkSource(): void {
	heading('Package and source');
	// n8n's lint rules look at the other properties of package.json, and at the icons.
	const { homepage, repository, bugs, n8n } = manifest;
	report('its licence is MIT', /^#? ?(The )?MIT License/.test(read('LICENSE.md')));
	report(
		'repository, issues and home page are one place, on npm and in all pages',
		repository.url === `git+${homepage}.git` && bugs.url === `${homepage}/issues`,
		homepage,
	);
	report(
		'strict checks of n8n are on, and its lint rules are the unchanged template',
		n8n.strict === true &&
			read('eslint.config.mjs') ===
				read('node_modules/@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs'),
	);
	report('n8n 2 and 3 load its node API version', n8n.n8nNodesApiVersion === 1);
	const { dependencies, optionalDependencies } = manifest;
	report('it has no dependencies', Object.keys({ ...dependencies, ...optionalDependencies }));
	const workflow = read('.github/workflows/publish.yml');
	report(
		'GitHub publishes it, with a provenance statement and after an approval',
		/npm publish .*--provenance/.test(workflow) &&
			/id-token: write/.test(workflow) &&
			/^ +environment: npm$/m.test(workflow),
	);
	const unnamed = placeholders(manifest);
	if (unnamed.length === 0) report('author and repository are named', true);
	else leaveToOwner(`name author and repository in package.json: ${unnamed.join(', ')}`);
	leaveToOwner('make the repository public; protect main, tags and the environment "npm"');
	leaveToOwner('let npm trust the workflow "Publish"; publish; ask n8n to verify');
}

/** Texts of a description that users read. */
function textsOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, child]) =>
		typeof child === 'string' &&
		/^(displayName|name|description|placeholder|action|hint)$/.test(key)
			? [child]
			: textsOf(child),
	);
}

/** Letters that English does not have. */
const foreign = (texts: readonly string[]) =>
	texts.filter((text) => /(?![A-Za-z])\p{L}/u.test(text));

const isFlowControl = ({ outputs, group }: INodeTypeDescription) =>
	!Array.isArray(outputs) ||
	outputs.some((output) => output !== 'main') ||
	!group.every((name) => ['input', 'output', 'transform', 'trigger'].includes(name));

/** The parts of a compose file that ours uses. */
const composeSchema = z
	.object({
		services: z.object({
			n8n: z
				.object({
					image: z.string(),
					restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
					ports: z.array(z.string().regex(/^[\d.]+:\d+:\d+$/)),
					environment: z.record(z.string()),
					volumes: z.array(z.string().regex(/^[\w./]+:\/[\w./-]+$/)),
				})
				.strict(),
		}),
		volumes: z.record(z.object({ name: z.string() }).strict()),
	})
	.strict();

const installedSchema = z.array(z.object({ name: z.string(), version: z.string() })).length(1);

/** Reads a file as Docker does; undefined where there is no Docker. */
function readWithDocker(file: string): string | undefined {
	for (const program of [['docker', 'compose'], ['docker-compose']] as const) {
		const [command, ...args] = program;
		const known = spawnSync(command, [...args, 'version'], { encoding: 'utf8' });
		if (known.status !== 0) continue;
		return execFileSync(command, [...args, '--file', join(root, file), 'config'], {
			encoding: 'utf8',
		});
	}
	return undefined;
}

function checkComposeFile(): void {
	const file = 'examples/docker/compose.yaml';
	const problems: string[] = [];
	let isReadByDocker = false;
	try {
		isReadByDocker = readWithDocker(file) !== undefined;
		const { services } = composeSchema.parse(parseYaml(read(file)));
		const { environment } = services.n8n;
		const [installed] = installedSchema.parse(JSON.parse(environment.N8N_COMMUNITY_PACKAGES ?? ''));
		if (installed?.name !== manifest.name || installed.version !== manifest.version)
			problems.push(`it installs ${installed?.name} ${installed?.version}`);
	} catch (error) {
		problems.push(error instanceof Error ? error.message : String(error));
	}
	report(
		'the compose file is valid and installs this version',
		problems,
		isReadByDocker ? 'read by Docker' : 'by its schema',
	);
}

function checkNodes(): void {
	heading('Nodes, credential, documentation');
	const nodes = [...packageNodes()].map(([name, { node, folder }]) => ({
		name,
		folder,
		description: node.description,
	}));
	const credential = new NativeApi();
	report(
		'no node controls the flow of a workflow',
		nodes.filter(({ description }) => isFlowControl(description)).map(({ name }) => name),
	);
	report(
		'all nodes are for one service, with one credential, whose test is its own',
		manifest.n8n.credentials.length === 1 &&
			nodes.every(({ description }) =>
				(description.credentials ?? []).every(
					({ name, testedBy }) => name === credential.name && testedBy !== undefined,
				),
			),
		`${nodes.length} nodes`,
	);
	report(
		'every node has a codex file with category, search words and documentation',
		nodes.flatMap(({ name, folder }) => {
			const { success, error } = codexSchema.safeParse(
				JSON.parse(readFileSync(join(folder, `${name}.node.json`), 'utf8')),
			);
			return success ? [] : [`${name}: ${error.message}`];
		}),
	);
	const readme = read('README.md');
	report(
		"the README has the headings of n8n's template",
		README_HEADINGS.filter((name) => !readme.includes(`\n## ${name}\n`)),
	);
	report('everything that users read is English', [
		...foreign(textsOf(credential)),
		...nodes.flatMap(({ description }) => foreign(textsOf(description))),
		...foreign([readme]),
	]);
	const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));
	report(
		'there are example workflows, and the README leads to them',
		examples.length > 0 && readme.includes('(examples/README.md)'),
		`${examples.length} examples`,
	);
	checkComposeFile();
}

/** Paths of all files below a folder, with forward slashes. */
const filesBelow = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => statSync(join(folder, file)).isFile())
		.map((file) => file.replaceAll('\\', '/'));

async function analysisProblems(folder: string, patterns: string[]): Promise<string[]> {
	const { passed: isFine, message, details } = await analyzePackage(folder, patterns);
	return isFine ? [] : [details ?? message ?? 'failed without saying why'];
}

interface LoadTime {
	/** Share of the time that the libraries of n8n take. */
	share: number;
	milliseconds: number;
}

/**
 * The CPU time that a fresh process takes to load and construct all nodes and credentials, beside that of
 * the libraries of n8n that are loaded before: other work on the machine slows down both. The run with the
 * lowest share counts.
 */
function measureLoad(packageFolder: string): LoadTime {
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
	const runs = Array.from({ length: LOAD_RUNS }, () => {
		const printed = execFileSync(process.execPath, ['-e', program], {
			cwd: packageFolder,
			encoding: 'utf8',
			env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
		});
		return JSON.parse(printed) as LoadTime;
	});
	return runs.reduce((least, run) => (run.share < least.share ? run : least));
}

async function checkTarball(): Promise<void> {
	heading("n8n's scan, and the tarball");
	report("n8n's scan of the sources", await analysisProblems(root, SOURCE_FILE_PATTERNS));
	await inTemporaryFolder(async (folder) => {
		const tarball = await packPackage(folder);
		const tarballBytes = statSync(tarball).size;
		execFileSync('tar', ['-xzf', tarball, '-C', folder]);
		const packageFolder = join(folder, 'package');
		const published = filesBelow(packageFolder);
		report(
			"n8n's scan of the tarball",
			await analysisProblems(packageFolder, TARBALL_FILE_PATTERNS),
		);
		const { nodes, credentials } = manifest.n8n;
		const codexes = nodes.map((node) => node.replace(/\.js$/, '.json'));
		report(
			'the tarball holds every node with its codex file, and the credential',
			[...credentials, ...nodes, ...codexes].filter((entry) => !published.includes(entry)),
		);
		report(
			'the tarball holds nothing else',
			published.filter((file) => !PUBLISHED_FILES.some((pattern) => pattern.test(file))),
			`${published.length} files`,
		);
		report(
			`the tarball is smaller than ${MAX_TARBALL_BYTES / 1000} kB`,
			tarballBytes < MAX_TARBALL_BYTES,
			`${Math.round(tarballBytes / 1000)} kB`,
		);
		const { share, milliseconds } = measureLoad(packageFolder);
		report(
			`nodes and credential load in ${MAX_LOAD_SHARE} of the time of n8n's libraries`,
			share < MAX_LOAD_SHARE,
			`${share.toFixed(2)}; ${milliseconds.toFixed(0)} ms here`,
		);
	});
}

function checkRepository(): void {
	heading('Repository');
	const files = repositoryFiles();
	report(
		'lock files name no registry',
		files.filter(
			(file) =>
				/(^|\/)(package-lock|npm-shrinkwrap)\.json$/.test(file) &&
				read(file).includes('"resolved"'),
		),
	);
	const machineFolders = [homedir(), root, dirname(root)].filter(
		(path) => path !== '/' && path !== tmpdir(),
	);
	report(
		'no file names a folder of this machine',
		files.filter((file) => machineFolders.some((path) => read(file).includes(`${path}/`))),
		machineFolders.join(', '),
	);
}

async function main(): Promise<void> {
	if (!existsSync(join(root, 'dist'))) throw new Error('There is no dist/ yet: npm run build.');
	checkSource();
	checkNodes();
	await checkTarball();
	checkRepository();
	console.log(`\n${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
