/**
 * `npm run mutants`: puts changes into a copy of the nodes' code at random places, switches on one at a time,
 * and looks whether a test fails: of the test files that reach the place, the fastest first. Fails when fewer
 * than 95 % of the changes are noticed. The places are the same each time. The test that noticed a change is
 * kept in node_modules/.cache and runs first the next time.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

import { copyRepository } from './copyRepository';
import { root } from './dependencies.mjs';

const COUNT = 100;
/** Another one chooses other places. */
const SEED = 1;
const KILLERS = join(root, 'node_modules', '.cache', 'mutants.json');
const REACHED = 'reached.txt';
/** A change may make a test endless. */
const LONGEST_MS = 300_000;

interface Mutant {
	id: string;
	file: string;
	start: number;
	end: number;
	/** What the code from start to end becomes. */
	text: string;
	/** For the reader. */
	place: string;
}
type Change = Pick<Mutant, 'start' | 'end' | 'text'>;

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
function changeOf(node: ts.Node): Change | undefined {
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
function sampleOf(folder: string): Mutant[] {
	const sample: Mutant[] = [];
	const places = readdirSync(join(folder, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => mutantsOf(folder, join('nodes', name)))
		.sort((one, other) => (one.id < other.id ? -1 : 1));
	for (const mutant of places) {
		if (sample.length === COUNT) break;
		const isApart = ({ file, start, end }: Mutant): boolean =>
			file !== mutant.file || end <= mutant.start || mutant.end <= start;
		if (sample.every(isApart)) sample.push(mutant);
	}
	return sample;
}

/** All changes are in the code at once, so that it is translated once; `MUTANT` names the one that counts. */
function plant(sample: Mutant[], folder: string): void {
	const fromTheEnd = sample.toSorted((one, other) => other.start - one.start);
	for (const { file, start, end, text, id } of fromTheEnd) {
		const path = join(folder, file);
		const code = readFileSync(path, 'utf8');
		const planted = `(globalThis.reachMutant?.('${id}') ? (${text}) : (${code.slice(start, end)}))`;
		writeFileSync(path, code.slice(0, start) + planted + code.slice(end));
	}
	// What a test file leaves running may reach a place after its end, when it can load nothing any more.
	const setUp = `
const { appendFileSync } = require('node:fs');
const active = process.env.MUTANT;
const reached = new Set();
globalThis.reachMutant = (id) => {
	if (!active && !reached.has(id)) {
		reached.add(id);
		const line = id + ' ' + expect.getState().testPath + '\\n';
		appendFileSync(${JSON.stringify(join(folder, REACHED))}, line);
	}
	return active === id;
};
`;
	writeFileSync(join(folder, 'test', 'propertySeed.ts'), setUp, { flag: 'a' });
}

interface Report {
	testResults: Array<{ name: string; status: string; startTime: number; endTime: number }>;
}

/** Runs jest in the copy. */
async function runTests(folder: string, args: string[], mutant = ''): Promise<boolean> {
	const jest = ['node_modules/jest/bin/jest.js', '--silent', ...args];
	const env = { ...process.env, TMPDIR: folder, MUTANT: mutant };
	const timeout = mutant === '' ? undefined : LONGEST_MS;
	const child = spawn(process.execPath, jest, { cwd: folder, stdio: 'ignore', timeout, env });
	const [code] = (await once(child, 'exit')) as [number | null];
	return code === 0;
}

/** The test files of a project that reach each place, the fastest first. */
async function findTests(folder: string, project: string): Promise<(mutant: Mutant) => string[]> {
	await runTests(folder, ['--selectProjects', project, '--json', '--outputFile', 'report.json']);
	const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
	const files = report.testResults
		.filter(({ name, status }) => {
			if (status !== 'passed') console.log(`Left out, because it fails unchanged: ${name}`);
			return status === 'passed';
		})
		.sort((one, other) => one.endTime - one.startTime - (other.endTime - other.startTime));
	const reached = new Set(readFileSync(join(folder, REACHED), 'utf8').split('\n'));
	return ({ id }) => files.flatMap(({ name }) => (reached.has(`${id} ${name}`) ? name : []));
}

async function main(): Promise<void> {
	const stored = existsSync(KILLERS) ? readFileSync(KILLERS, 'utf8') : '{}';
	const killers = JSON.parse(stored) as Record<string, string>;
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-mutants-'));
	try {
		copyRepository(folder);
		const sample = sampleOf(folder);
		plant(sample, folder);
		/** The first of the test files that notices a change. */
		const findKiller = async ({ id }: Mutant, files: string[]): Promise<string | undefined> => {
			for (const file of files)
				if (!(await runTests(folder, ['--bail', '--runInBand', '--runTestsByPath', file], id)))
					return file;
			return undefined;
		};
		let alive = sample;
		/** Goes on with those that no test of the round notices. */
		const judge = async (round: string, testsOf: (mutant: Mutant) => string[]): Promise<void> => {
			const survivors = new Set<Mutant>();
			const left = alive.values();
			const work = async (): Promise<void> => {
				for (const mutant of left) {
					const found = await findKiller(mutant, testsOf(mutant));
					const killer = found && relative(folder, found);
					if (killer === undefined) survivors.add(mutant);
					else killers[mutant.id] = killer;
					mkdirSync(dirname(KILLERS), { recursive: true });
					writeFileSync(KILLERS, JSON.stringify(killers, null, '\t'));
					console.log(`${killer ?? `not by ${round}`}: ${mutant.place}`);
				}
			};
			await Promise.all(Array.from({ length: availableParallelism() }, work));
			alive = alive.filter((mutant) => survivors.has(mutant));
		};
		await judge('the test that noticed it before', ({ id }) => {
			const file = join(folder, killers[id] ?? 'none');
			return existsSync(file) ? [file] : [];
		});
		for (const project of ['unit', 'engine'])
			if (alive.length > 0) await judge(`${project} tests`, await findTests(folder, project));
		const killed = sample.length - alive.length;
		console.log(`\n${killed} of ${sample.length} killed. Survivors:`);
		for (const { place } of alive) console.log(`  ${place}`);
		if (killed < 0.95 * sample.length) process.exitCode = 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

void main();
