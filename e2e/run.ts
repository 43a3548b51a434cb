/**
 * `npm run e2e`: the tests of this folder in the real n8n, with their number in the last line.
 *
 *   npm run e2e                        in every n8n of hosts/, the oldest first; writes docs/compatibility.md
 *   npm run e2e -- --host n8n-2.8.4    in one
 *   npm run e2e -- --only import       those of this file; several are separated by commas
 *   npm run e2e -- queue               those of the folder `queue`, in the oldest
 *   npm run e2e -- faults              every call with every fault, in the engine; --write writes docs/faults.md
 *   npm run e2e -- lives               2,500 imports on a virtual clock, in the engine; --seed 17 replays one
 *   npm run e2e -- pairs               all pairs of the choices of Import Items, in the engine; --seed 17 replays one
 *   N8N_URL=… npm run e2e              in an n8n that was started elsewhere, see `prepare.ts`
 *   npm run e2e -- images              writes the pictures of the documentation; `images editor` those of a file
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { partition, sortBy } from 'lodash';
import { format } from 'prettier';
import { connectN8n, givenN8n } from '../hosts/givenN8n';
import {
	HOST_VARIABLE,
	N8N_HOSTS,
	installN8nHost,
	n8nHostName,
	versionsOfHost,
	type N8nHostName,
} from '../hosts/n8nHost';
import { packPackage, TARBALL_VARIABLE } from '../hosts/packPackage';
import { runProgram, say } from '../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { insertGenerated, table } from '../scripts/docs/markdown';

interface HostResult {
	n8n: string;
	node: string;
	passed: number;
	failed: number;
	/** The files of examples/ that passed. */
	examples: string[];
}

/** The results of the tests of a file. */
interface FileResult {
	passed: string[];
	failed: string[];
}

const root = join(__dirname, '..');
const compatibilityFile = join(root, 'docs', 'compatibility.md');
const exampleFiles = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json'));

/** The tests of examples are named so: `example one.json: what it does`. */
const exampleOf = (testName: string) => /^example (\S+): /.exec(testName)?.[1];

/** Each has an n8n and a service of its own, and waits for them most of the time. */
const FILES_AT_ONCE = 4;

/** The files that take longest: what begins first does not end last. */
const LONGEST = [
	'imports',
	'killedImports',
	'importForm',
	'slowCalls',
	'editor',
	'askFirstKilled',
	'connectedImports',
	'askFirst',
	'databaseWaitKilled',
	'databaseWaitUpdated',
	'firstImport',
	'trigger',
	'databaseWait',
	'examples',
];

const nameOf = (file: string) => basename(file, '.e2e.ts');

/** Tests that start n8n with settings of their own. */
const OWN_SETTINGS = ['ssrfProtection.e2e.ts'];

/** The longest first. */
function inOrder(files: string[]): string[] {
	const [long, short] = partition(files, (file) => LONGEST.includes(nameOf(file)));
	return [...sortBy(long, (file) => LONGEST.indexOf(nameOf(file))), ...short];
}

/** The tests that can run in an n8n that was started elsewhere, and its version. */
async function readGiven(host: N8nHostName) {
	const given = givenN8n();
	if (!given) return undefined;
	// The processes of the tests call n8n by themselves, too.
	process.env.NODE_EXTRA_CA_CERTS = given.certificateFile;
	const n8n = await connectN8n(given, await installN8nHost(host));
	await n8n.stop();
	return { n8n: n8n.version, node: 'as started' };
}

/** Runs a file in a process of its own, and shows its report once it has ended: others run at the same time. */
async function runTestsOf(file: string): Promise<FileResult> {
	const begun = Date.now();
	const result: FileResult = { passed: [], failed: [] };
	const tests = run({ files: [file] });
	tests.on('test:pass', ({ name }) => result.passed.push(name));
	tests.on('test:fail', ({ name }) => result.failed.push(name));
	const report = await text(tests.compose(new spec()));
	const seconds = Math.round((Date.now() - begun) / 1000);
	say(`\n--- ${basename(file)}, after ${seconds} s\n${report}`);
	return result;
}

async function runTestsIn(host: N8nHostName, files: string[]): Promise<HostResult> {
	const { n8n, node } =
		(await readGiven(host)) ?? (await versionsOfHost(await installN8nHost(host)));
	say(`\n=== n8n ${n8n} on Node ${node}\n`);
	process.env[HOST_VARIABLE] = host;
	const results: FileResult[] = [];
	const left = files.values();
	const work = async () => {
		for (const file of left) results.push(await runTestsOf(file));
	};
	// An n8n that was started elsewhere is one for all of them.
	await Promise.all(Array.from({ length: givenN8n() ? 1 : FILES_AT_ONCE }, work));
	const passed = results.flatMap((result) => result.passed);
	const failed = results.flatMap((result) => result.failed);
	const examples = exampleFiles.filter((file) => passed.some((name) => exampleOf(name) === file));
	return { n8n, node, passed: passed.length, failed: failed.length, examples };
}

const tableOf = async (rows: string[][]) => await format(table(rows), { parser: 'markdown' });

const ranExamples = ({ examples }: HostResult) => `${examples.length} of ${exampleFiles.length}`;

/** The page with its table as it is now: nothing in it changes from run to run. */
async function compatibility(page: string, results: HostResult[]): Promise<string> {
	const rows = results.map((result) => [result.n8n, result.node, ranExamples(result)]);
	const hosts = await tableOf([['n8n', 'Node', 'examples run'], ...rows]);
	return insertGenerated(page, 'hosts', hosts, 'e2e');
}

/** Parts that are programs of their own. */
const PROGRAMS: Record<string, string[][]> = {
	faults: [['faults/run.ts']],
	lives: [['lives/run.ts']],
	pairs: [['pairs/run.ts']],
	prepare: [['prepare.ts']],
	images: ['firstImport', 'importForm', 'editor'].map((name) => [
		`${name}.e2e.ts`,
		'--write-images',
	]),
};

/** @returns whether all of them succeeded; the first that fails is the last one */
function runPrograms(programs: string[][], args: readonly string[]): boolean {
	return programs.every(([file = '', ...own]) => {
		const program = [...process.execArgv, join(__dirname, file), ...own, ...args];
		return spawnSync(process.execPath, program, { stdio: 'inherit' }).status === 0;
	});
}

async function main(): Promise<void> {
	const [part = '', ...rest] = process.argv.slice(2);
	const programs = PROGRAMS[part];
	if (programs) {
		const isNamed = ([file = '']: string[]) => rest.includes(basename(file, '.e2e.ts'));
		const named = programs.filter(isNamed);
		const isDone = named.length > 0 ? runPrograms(named, []) : runPrograms(programs, rest);
		process.exitCode = isDone ? 0 : 1;
		return;
	}
	const { values, positionals } = parseArgs({
		options: { host: { type: 'string' }, only: { type: 'string' } },
		allowPositionals: true,
	});
	const folder = join(__dirname, positionals[0] ?? '.');
	const isGiven = givenN8n() !== undefined;
	const isQueue = folder === join(__dirname, 'queue');
	const only = values.only?.split(',').map((name) => `${name}.e2e.ts`);
	const files = readdirSync(folder)
		.filter((name) => name.endsWith('.e2e.ts') && (only?.includes(name) ?? true))
		.filter((name) => !(isGiven && OWN_SETTINGS.includes(name)));
	const paths = inOrder(files).map((name) => join(folder, name));
	const [oldest] = N8N_HOSTS;
	const usual = isQueue || isGiven ? [oldest] : N8N_HOSTS;
	const hosts = values.host === undefined ? usual : [n8nHostName(values.host)];
	const results: HostResult[] = [];
	await inTemporaryFolder(async (folder) => {
		if (!isGiven) process.env[TARBALL_VARIABLE] = await packPackage(folder);
		for (const host of hosts) results.push(await runTestsIn(host, paths));
	});

	const passed = results.reduce((sum, result) => sum + result.passed, 0);
	const failed = results.reduce((sum, result) => sum + result.failed, 0);
	const allPassed = failed === 0 && results.every((result) => result.passed > 0);
	if (allPassed && !only && !isQueue && !isGiven && hosts.length === N8N_HOSTS.length) {
		const page = readFileSync(compatibilityFile, 'utf8');
		writeFileSync(compatibilityFile, await compatibility(page, results));
	}
	const rows = results.map((result) => [
		result.n8n,
		result.node,
		String(result.passed),
		String(result.failed),
		ranExamples(result),
	]);
	const head = ['n8n', 'Node', 'passed', 'failed', 'examples run'];
	say(`\n${await tableOf([head, ...rows])}`);
	say(`${passed} passed, ${failed} failed`);
	process.exitCode = allPassed ? 0 : 1;
}

runProgram(main);
