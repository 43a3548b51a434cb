/**
 * `npm run mutants`: puts changes into a copy of the nodes' code at random places, switches on one at a time,
 * and looks whether a test fails: of the test files that reach the place, the fastest first. Fails when fewer
 * than 95 % of the changes are noticed. The places are the same each time. The test that noticed a change is
 * kept in node_modules/.cache and runs first the next time.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
function runTests(folder: string, args: string[], mutant = ''): boolean {
	const jest = ['node_modules/jest/bin/jest.js', '--silent', '--runInBand', ...args];
	const env = { ...process.env, TMPDIR: folder, MUTANT: mutant };
	const timeout = mutant === '' ? undefined : LONGEST_MS;
	return (
		spawnSync(process.execPath, jest, { cwd: folder, stdio: 'ignore', timeout, env }).status === 0
	);
}

/** The test files of a project that reach each place, the fastest first. */
function findTests(folder: string, project: string): (mutant: Mutant) => string[] {
	runTests(folder, ['--selectProjects', project, '--json', '--outputFile', 'report.json']);
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

function main(): void {
	const stored = existsSync(KILLERS) ? readFileSync(KILLERS, 'utf8') : '{}';
	const killers = JSON.parse(stored) as Record<string, string>;
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-mutants-'));
	try {
		copyRepository(folder);
		const sample = sampleOf(folder);
		plant(sample, folder);
		const isKilledBy = ({ id }: Mutant, file: string): boolean =>
			!runTests(folder, ['--bail', '--runTestsByPath', file], id);
		let alive = sample;
		/** Goes on with those that no test of the round notices. */
		const judge = (round: string, findKiller: (mutant: Mutant) => string | undefined): void => {
			alive = alive.filter((mutant) => {
				const killer = findKiller(mutant);
				if (killer !== undefined) killers[mutant.id] = killer;
				mkdirSync(dirname(KILLERS), { recursive: true });
				writeFileSync(KILLERS, JSON.stringify(killers, null, '\t'));
				console.log(`${killer ?? `not by ${round}`}: ${mutant.place}`);
				return killer === undefined;
			});
		};
		judge('the test that noticed it before', (mutant) => {
			const file = killers[mutant.id];
			const isThere = file !== undefined && existsSync(join(folder, file));
			return isThere && isKilledBy(mutant, file) ? file : undefined;
		});
		for (const project of ['unit', 'engine']) {
			if (alive.length === 0) break;
			const testsOf = findTests(folder, project);
			judge(`${project} tests`, (mutant) => {
				const killer = testsOf(mutant).find((file) => isKilledBy(mutant, file));
				return killer && relative(folder, killer);
			});
		}
		const killed = sample.length - alive.length;
		console.log(`\n${killed} of ${sample.length} killed. Survivors:`);
		for (const { place } of alive) console.log(`  ${place}`);
		if (killed < 0.95 * sample.length) process.exitCode = 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main();
