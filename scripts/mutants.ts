/**
 * `npm run mutants`: puts changes into a copy of the nodes' code at random places, switches on one at a time,
 * and looks whether a test fails: the tests that reach the place, the fastest files first. Fails when fewer
 * than 95 % of the changes are noticed. The places are the same each time. The tests that noticed the changes
 * are kept in mutants.json and run first the next time: without them, it takes an hour.
 *
 *   npm run mutants                              100 places anywhere, and 30 in what Import Items can do more
 *   npm run mutants -- transport/pace --count 9  so many places in files with this in their path
 *   npm run mutants -- faults                    faults that people fear, found by stories of imports
 *   npm run mutants -- faults date               one of them
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { copyRepository } from './copyRepository';
import { judgeFaults } from './judgeFaults';
import { chosenFile, lastFile, reachedFile, type TestsByFile } from './mutantEnvironment';
import { type Change, plant } from './plant';

/** Where changes are made, and how many. */
interface Area {
	/** In the path of a file. */
	paths: string[];
	count: number;
}
/** The first has places anywhere; the second those that are newest and know each other least. */
const AREAS: Area[] = [
	{ paths: ['nodes/'], count: 100 },
	{ paths: ['NativeBulkImport/importItems/features/', 'NativeBulkImport/wait/'], count: 30 },
];
/** Another one chooses other places. */
const SEED = 1;
const KILLERS = join(__dirname, 'mutants.json');
/** A change may make a test endless. */
const LONGEST_MS = 300_000;

interface Mutant extends Change {
	place: string;
}
type Replacement = Pick<Change, 'start' | 'end' | 'text'>;

const OPERATORS = new Map([
	[ts.SyntaxKind.AmpersandAmpersandToken, '||'],
	[ts.SyntaxKind.BarBarToken, '&&'],
	[ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
	[ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
	[ts.SyntaxKind.LessThanToken, '<='],
	[ts.SyntaxKind.LessThanEqualsToken, '<'],
	[ts.SyntaxKind.GreaterThanToken, '>='],
	[ts.SyntaxKind.GreaterThanEqualsToken, '>'],
	[ts.SyntaxKind.MinusToken, '+'],
	[ts.SyntaxKind.AsteriskToken, '/'],
]);

/** What could be in the place of a node; undefined if it is left alone. */
function changeOf(node: ts.Node): Replacement | undefined {
	const [start, end] = [node.getStart(), node.getEnd()];
	if (ts.isBinaryExpression(node)) {
		const operator = OPERATORS.get(node.operatorToken.kind);
		const text = `${node.left.getText()} ${operator} ${node.right.getText()}`;
		return operator === undefined ? undefined : { start, end, text };
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword) return { start, end, text: 'false' };
	if (node.kind === ts.SyntaxKind.FalseKeyword) return { start, end, text: 'true' };
	if (ts.isNumericLiteral(node)) return { start, end, text: `${node.text} + 1` };
	if (!ts.isIfStatement(node)) return undefined;
	const { pos, end: last } = node.expression;
	return { start: pos, end: last, text: `!(${node.expression.getText()})` };
}

/** Types, names, and the descriptions of parameters, which other tests hold to n8n's guidelines. */
function isLeftAlone(node: ts.Node): boolean {
	return (
		ts.isTypeNode(node) ||
		ts.isImportDeclaration(node) ||
		(ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
		(ts.isObjectLiteralExpression(node) &&
			node.properties.some(({ name }) => name?.getText() === 'displayName'))
	);
}

function mutantsOf(folder: string, file: string): Mutant[] {
	const code = readFileSync(join(folder, file), 'utf8');
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const found: Mutant[] = [];
	const lines = code.split('\n');
	const seen = new Map<string, number>();
	const look = (node: ts.Node): void => {
		if (isLeftAlone(node)) return;
		const change = changeOf(node);
		if (change) {
			const line = source.getLineAndCharacterOfPosition(change.start).line;
			const before = code.slice(change.start, change.end).replace(/\s+/g, ' ');
			const context = `${file} ${lines[line]} ${before} ${change.text}`;
			const nth = (seen.get(context) ?? 0) + 1;
			seen.set(context, nth);
			const id = createHash('sha256').update(`${SEED} ${context} ${nth}`).digest('hex');
			const place = `${file}:${line + 1} ${before} → ${change.text.replace(/\s+/g, ' ')}`;
			found.push({ ...change, id: id.slice(0, 12), file, place });
		}
		node.forEachChild(look);
	};
	source.forEachChild(look);
	return found;
}

/** Chosen by the hash of each place, so that a change elsewhere leaves the others chosen. */
function sampleOf(folder: string, areas: readonly Area[]): Mutant[] {
	const sample: Mutant[] = [];
	const places = readdirSync(join(folder, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => mutantsOf(folder, join('nodes', name)))
		.sort((one, other) => (one.id < other.id ? -1 : 1));
	const isApart = (mutant: Mutant): boolean =>
		sample.every(
			({ file, start, end }) => file !== mutant.file || end <= mutant.start || mutant.end <= start,
		);
	for (const { paths, count } of areas) {
		const most = sample.length + count;
		for (const mutant of places) {
			if (sample.length === most) break;
			if (paths.some((path) => mutant.file.includes(path)) && isApart(mutant)) sample.push(mutant);
		}
	}
	return sample;
}

interface Report {
	testResults: Array<{
		name: string;
		status: string;
		startTime: number;
		endTime: number;
		assertionResults: Array<{ fullName: string; duration?: number | null }>;
	}>;
}

async function runJest(
	folder: string,
	args: string[],
	id = '',
	timeout?: number,
): Promise<boolean> {
	const common = ['--silent', '--env', './scripts/mutantEnvironment.ts'];
	const jest = ['node_modules/jest/bin/jest.js', ...common, ...args];
	const env = { ...process.env, TMPDIR: folder, MUTANT_FOLDER: folder, MUTANT: id };
	const child = spawn(process.execPath, jest, { cwd: folder, stdio: 'ignore', timeout, env });
	const [code] = (await once(child, 'exit')) as [number | null];
	return code === 0;
}

/** Tests that reach a place, and how long they take without a change. */
interface Reaching {
	tests: TestsByFile;
	ms: number;
}

/** The tests that reach each place, the fastest files first. */
async function findTests(folder: string): Promise<(mutant: Mutant) => Reaching> {
	const reportFile = join(folder, 'report.json');
	await runJest(folder, ['--ignoreProjects', 'size', '--json', '--outputFile', reportFile]);
	if (!existsSync(reportFile)) throw new Error('jest did not start or end: run `npm test` first.');
	const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
	const places = new Map<string, Map<string, Set<string>>>();
	for (const line of readFileSync(reachedFile(folder), 'utf8').trim().split('\n')) {
		const [id, path, name] = JSON.parse(line) as [string, string, string];
		const byFile = places.get(id) ?? new Map<string, Set<string>>();
		places.set(id, byFile.set(path, (byFile.get(path) ?? new Set()).add(name)));
	}
	for (const { name, status } of report.testResults)
		if (status !== 'passed') console.log(`Left out, because it fails unchanged: ${name}`);
	return ({ id }) => {
		const files = report.testResults.flatMap((file) => {
			const reached = places.get(id)?.get(file.name);
			if (!reached || file.status !== 'passed') return [];
			// What is reached while a file loads counts for all of its tests.
			const names = reached.has('') ? null : [...reached];
			let ms = file.endTime - file.startTime;
			for (const { fullName, duration } of file.assertionResults)
				if (names?.includes(fullName) === false) ms -= duration ?? 0;
			return [{ name: file.name, names, ms }];
		});
		files.sort((one, other) => one.ms - other.ms);
		return {
			tests: Object.fromEntries(files.map(({ name, names }) => [name, names])),
			ms: files.reduce((sum, { ms }) => sum + ms, 0),
		};
	};
}

/** Runs tests with a change. Returns the first one that fails: its file alone if it failed outside of a test. */
async function findKiller(
	folder: string,
	id: string,
	{ tests, ms }: Reaching,
): Promise<TestsByFile | undefined> {
	if (Object.keys(tests).length === 0) return undefined;
	writeFileSync(chosenFile(folder, id), JSON.stringify(tests));
	const sequencer = ['--testSequencer', './scripts/mutantSequencer.mjs', '--runInBand', '--bail'];
	const args = [...sequencer, '--runTestsByPath', ...Object.keys(tests)];
	if (await runJest(folder, args, id, LONGEST_MS + 3 * ms)) return undefined;
	const [path, name] = JSON.parse(readFileSync(lastFile(folder, id), 'utf8')) as [string, string];
	return { [path]: name === '' ? null : [name] };
}

/** In a fixed order. */
function writeKillers(ids: readonly string[], killers: Record<string, TestsByFile>): void {
	const kept = ids.toSorted().flatMap((id) => (killers[id] ? [[id, killers[id]]] : []));
	writeFileSync(KILLERS, `${JSON.stringify(Object.fromEntries(kept), null, '\t')}\n`);
}

/** @param chosen the areas that the command names; undefined for the usual ones */
async function judgeMutants(chosen: Area[] | undefined): Promise<void> {
	const stored = existsSync(KILLERS) ? readFileSync(KILLERS, 'utf8') : '{}';
	/** By the paths of files in the repository. */
	const killers = JSON.parse(stored) as Record<string, TestsByFile>;
	await inTemporaryFolder(async (folder) => {
		copyRepository(folder);
		const sample = sampleOf(folder, chosen ?? AREAS);
		// Of the usual places alone, and of all that are known while others are tried.
		const kept = () => (chosen ? Object.keys(killers) : sample.map(({ id }) => id));
		plant(folder, sample);
		let alive = sample;
		/** Goes on with those that no test of the round notices. */
		const judge = async (round: string, testsOf: (mutant: Mutant) => Reaching): Promise<void> => {
			const survivors = new Set<Mutant>();
			const left = alive.values();
			const work = async (): Promise<void> => {
				for (const mutant of left) {
					const killer = await findKiller(folder, mutant.id, testsOf(mutant));
					// Tests that need others of their file fail without them, whatever the code.
					const isSure =
						killer && !(await findKiller(folder, `${mutant.id}-not`, { tests: killer, ms: 0 }));
					if (!isSure) survivors.add(mutant);
					else {
						const [[path, names]] = Object.entries(killer) as [[string, string[] | null]];
						killers[mutant.id] = { [relative(folder, path)]: names };
					}
					writeKillers(kept(), killers);
					const found = isSure ? Object.keys(killers[mutant.id] ?? {}).join() : `not by ${round}`;
					console.log(`${found}: ${mutant.place}`);
				}
			};
			await Promise.all(Array.from({ length: availableParallelism() }, work));
			alive = alive.filter((mutant) => survivors.has(mutant));
		};
		await judge('the test that noticed it before', ({ id }) => {
			const files = Object.entries(killers[id] ?? {}).map(
				([file, names]) => [join(folder, file), names] as const,
			);
			return { tests: Object.fromEntries(files.filter(([path]) => existsSync(path))), ms: 0 };
		});
		if (alive.length > 0) await judge('any test', await findTests(folder));
		const killed = sample.length - alive.length;
		console.log(`\n${killed} of ${sample.length} killed. Survivors:`);
		for (const { place } of alive) console.log(`  ${place}`);
		if (killed < 0.95 * sample.length) process.exitCode = 1;
	});
}

async function main(): Promise<void> {
	const { values, positionals: paths } = parseArgs({
		options: { count: { type: 'string' } },
		allowPositionals: true,
	});
	if (paths[0] === 'faults') return await judgeFaults(paths.slice(1));
	const count = Number(values.count ?? 30);
	await judgeMutants(paths.length > 0 ? [{ paths, count }] : undefined);
}

void main();
