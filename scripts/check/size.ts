/**
 * Counts what grows unnoticed: lines, files, casts, and what Import Items, the largest operation, pulls in.
 * Fails when it pulls in how calls are sent: that is behind an interface, and its features do not need it.
 * Fails for a file of the product that has become too long to be about one thing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

import { root } from '../dependencies.mjs';

const IMPORT_ITEMS = 'nodes/NativeBulkImport/importItems';
const ENTRY = `${IMPORT_ITEMS}/createFromItems.operation.ts`;

/** What an operation needs only a little of, and the files of it that one may load. */
const BELOW = /^nodes\/shared\/(execution|service|transport)\//;
const MOST_BELOW = 37;

const LONGEST_FILE = 350;

function sourcesIn(folders: string[], endings: RegExp): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => endings.test(file) && !file.includes('node_modules'))
			.map((file) => join(folder, file)),
	);
}

function parse(file: string): ts.SourceFile {
	const code = readFileSync(join(root, file), 'utf8');
	return ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
}

function linesOf(files: string[]): number {
	return files.reduce(
		(sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1,
		0,
	);
}

/** Whether an import is for types only, and so loads nothing. */
function isForTypes({ importClause }: ts.ImportDeclaration): boolean {
	const named = importClause?.namedBindings;
	return (
		importClause?.isTypeOnly === true ||
		(named !== undefined &&
			ts.isNamedImports(named) &&
			named.elements.every(({ isTypeOnly }) => isTypeOnly))
	);
}

function importsOf(file: string, withTypes: boolean): string[] {
	return parse(file).statements.flatMap((statement) => {
		const isImport = ts.isImportDeclaration(statement);
		if (!isImport && !ts.isExportDeclaration(statement)) return [];
		const { moduleSpecifier } = statement;
		if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
		if (!withTypes && (isImport ? isForTypes(statement) : statement.isTypeOnly)) return [];
		const target = normalize(join(dirname(file), `${moduleSpecifier.text}.ts`));
		return moduleSpecifier.text.startsWith('.') && existsSync(join(root, target)) ? [target] : [];
	});
}

/** The files that a file needs, directly or not, itself not counted. */
function neededFiles(entry: string, withTypes: boolean): string[] {
	const needed = new Set([entry]);
	for (const file of needed) for (const each of importsOf(file, withTypes)) needed.add(each);
	return [...needed].slice(1);
}

/** `as` other than `as const`: in all, and of what n8n gives as a node's parameters. */
function castsIn(files: string[]): { all: number; ofParameters: number } {
	const casts = { all: 0, ofParameters: 0 };
	for (const file of files) {
		const source = parse(file);
		const look = (node: ts.Node): void => {
			if (ts.isAsExpression(node) && node.type.getText(source) !== 'const') {
				casts.all++;
				if (/parameters?\b|NodeParameter/i.test(node.expression.getText(source)))
					casts.ofParameters++;
			}
			node.forEachChild(look);
		};
		look(source);
	}
	return casts;
}

function main(): number {
	const product = sourcesIn(['nodes', 'credentials'], /\.ts$/);
	const importItems = product.filter((file) => file.startsWith(IMPORT_ITEMS));
	const workshop = sourcesIn(
		['test', 'sandbox', 'e2e', 'bench', 'scripts', 'hosts'],
		/\.(ts|mjs|cjs|js)$/,
	);
	const casts = castsIn(product);
	const loaded = neededFiles(ENTRY, false);
	console.log(`product: ${linesOf(product)} lines in ${product.length} files`);
	console.log(`tests, sandbox and tools: ${linesOf(workshop)} lines`);
	console.log(`casts: ${casts.all}, of parameters ${casts.ofParameters}`);
	const below = loaded.filter((file) => BELOW.test(file)).length;
	const needed = neededFiles(ENTRY, true).length;
	console.log(
		`Import Items: ${importItems.length} files; loads ${loaded.length}, needs ${needed} with those that give types only`,
	);
	console.log(`of execution, service and transport it loads ${below} (at most ${MOST_BELOW})`);
	const tooLong = product.filter((file) => linesOf([file]) > LONGEST_FILE);
	for (const file of tooLong)
		console.log(`${file} has ${linesOf([file])} lines (at most ${LONGEST_FILE})`);
	return below <= MOST_BELOW && tooLong.length === 0 ? 0 : 1;
}

process.exitCode = main();
