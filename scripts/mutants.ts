/**
 * `npm run mutants`: changes the code of the nodes at random places, one at a time and in a copy, and looks
 * whether a test fails: first the unit tests of the file, then the engine tests of it. Fails when fewer than
 * 95 % do. The places are the same each time; results are kept in build/mutants.json for as long as the code
 * of a place does not change, so that an interrupted run goes on.
 *
 *   npm run mutants -- --count 20    that many of the places
 *   npm run mutants -- --seed 7      other places
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
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

import { copyRepository, root } from './copyRepository';

const LEAST_KILLED = 0.95;
const RESULTS = join(root, 'build', 'mutants.json');

interface Mutant {
	file: string;
	line: number;
	start: number;
	end: number;
	replacement: string;
}

type Verdict = 'unit' | 'engine' | 'survived';

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

/** What another piece of code would be in the place of a node; undefined if it is left alone. */
function replacementOf(node: ts.Node): { node: ts.Node; text: string } | undefined {
	if (ts.isBinaryExpression(node)) {
		const text = OPERATORS.get(node.operatorToken.kind);
		return text === undefined ? undefined : { node: node.operatorToken, text };
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword) return { node, text: 'false' };
	if (node.kind === ts.SyntaxKind.FalseKeyword) return { node, text: 'true' };
	if (ts.isNumericLiteral(node)) return { node, text: `(${node.text} + 1)` };
	if (ts.isIfStatement(node)) {
		return { node: node.expression, text: `!(${node.expression.getText()})` };
	}
	return undefined;
}

/** Types, and the descriptions of parameters, which other tests hold to n8n's guidelines. */
function isLeftAlone(node: ts.Node): boolean {
	return (
		ts.isTypeNode(node) ||
		ts.isImportDeclaration(node) ||
		(ts.isObjectLiteralExpression(node) &&
			node.properties.some(({ name }) => name?.getText() === 'displayName'))
	);
}

function mutantsOf(folder: string, file: string): Mutant[] {
	const text = readFileSync(join(folder, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: Mutant[] = [];
	const look = (node: ts.Node): void => {
		if (isLeftAlone(node)) return;
		const replacement = replacementOf(node);
		if (replacement) {
			const start = replacement.node.getStart();
			const line = source.getLineAndCharacterOfPosition(start).line + 1;
			const end = replacement.node.getEnd();
			found.push({ file, line, start, end, replacement: replacement.text });
		}
		node.forEachChild(look);
	};
	look(source);
	return found;
}

/** The same numbers for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function sampleOf(folder: string, count: number, seed: number): Mutant[] {
	const files = readdirSync(join(folder, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join('nodes', file).replaceAll('\\', '/'))
		.sort();
	const all = files.flatMap((file) => mutantsOf(folder, file));
	const random = randomNumbers(seed);
	return Array.from({ length: Math.min(count, all.length) }, () =>
		all.splice(Math.floor(random() * all.length), 1),
	).flat();
}

/** Whether a test of the project that concerns the file fails. */
function isKilled(project: string, folder: string, file: string): boolean {
	const { status } = spawnSync(
		process.execPath,
		[
			...['node_modules/jest/bin/jest.js', '--silent', '--bail', '--passWithNoTests'],
			...['--selectProjects', project, '--findRelatedTests', file],
		],
		{ cwd: folder, stdio: 'ignore', timeout: 900_000, env: { ...process.env, TMPDIR: folder } },
	);
	return status !== 0;
}

function judge({ file, start, end, replacement }: Mutant, folder: string): Verdict {
	const path = join(folder, file);
	const text = readFileSync(path, 'utf8');
	writeFileSync(path, text.slice(0, start) + replacement + text.slice(end));
	try {
		if (isKilled('unit', folder, file)) return 'unit';
		return isKilled('engine', folder, file) ? 'engine' : 'survived';
	} finally {
		writeFileSync(path, text);
	}
}

function showPlace({ file, line, start, end, replacement }: Mutant, folder: string): string {
	const text = readFileSync(join(folder, file), 'utf8').slice(start, end);
	return `${file}:${line} ${text} → ${replacement}`;
}

/** Names a mutant by the content of its file, as a result holds for that only. */
function keyOf(mutant: Mutant, folder: string): string {
	const hash = createHash('sha256').update(readFileSync(join(folder, mutant.file)));
	return `${hash.digest('hex').slice(0, 12)} ${showPlace(mutant, folder)}`;
}

function main(): void {
	const { values } = parseArgs({
		options: {
			count: { type: 'string', default: '100' },
			seed: { type: 'string', default: '1' },
		},
	});
	const known = existsSync(RESULTS)
		? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, Verdict>)
		: {};
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-mutants-'));
	const survivors: string[] = [];
	let count = 0;
	try {
		copyRepository(folder);
		mkdirSync(join(root, 'build'), { recursive: true });
		const sample = sampleOf(folder, Number(values.count), Number(values.seed));
		for (const mutant of sample) {
			const key = keyOf(mutant, folder);
			const place = showPlace(mutant, folder);
			const verdict = (known[key] ??= judge(mutant, folder));
			writeFileSync(RESULTS, JSON.stringify(known, null, '\t'));
			if (verdict === 'survived') survivors.push(place);
			console.log(`${++count}/${sample.length} ${verdict.padEnd(8)} ${place}`);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	const killed = count - survivors.length;
	console.log(`\n${killed} of ${count} killed. Survivors:`);
	for (const survivor of survivors) console.log(`  ${survivor}`);
	if (killed < LEAST_KILLED * count) process.exitCode = 1;
}

main();
