import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import type { Change } from './plant';

/** Where changes are made, and how many. */
export interface Area {
	/** In the path of a file. */
	paths: string[];
	count: number;
}

/** Another one chooses other places. */
const SEED = 1;

export interface Mutant extends Change {
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
export function drawMutants(folder: string, areas: readonly Area[]): Mutant[] {
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
