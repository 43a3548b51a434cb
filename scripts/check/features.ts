/**
 * One feature of Import Items, one room: deletes each in memory (its module and its lines in the list) and
 * type-checks the rest; then counts where features are named outside their rooms, and functions that know
 * several of them. With names of features, it deletes only these.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

import { features } from '../../nodes/NativeBulkImport/importItems/features/features';
import { root } from '../dependencies.mjs';

const NODE = join(root, 'nodes/NativeBulkImport');
const ROOMS = join(NODE, 'importItems/features');
const LIST = join(ROOMS, 'features.ts');

/** A function that knows this many features weaves them together. */
const WOVEN = 3;

interface Room {
	/** The name in the list. */
	name: string;
	/** Its file, or the folder that is its own. */
	path: string;
	/** What it is called elsewhere: by its options on the screen and in a workflow. */
	names: Set<string>;
}

function listedRooms(): Room[] {
	const { statements } = ts.createSourceFile(
		LIST,
		readFileSync(LIST, 'utf8'),
		ts.ScriptTarget.Latest,
	);
	const modules = new Map<string, string>();
	const listed: string[] = [];
	const look = (node: ts.Node): void => {
		if (ts.isArrayLiteralExpression(node))
			for (const element of node.elements) if (ts.isIdentifier(element)) listed.push(element.text);
		node.forEachChild(look);
	};
	for (const statement of statements) {
		look(statement);
		if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
			continue;
		const bindings = statement.importClause?.namedBindings;
		if (!bindings || !ts.isNamedImports(bindings)) continue;
		const file = resolve(ROOMS, `${statement.moduleSpecifier.text}.ts`);
		for (const { name } of bindings.elements) modules.set(name.text, file);
	}
	return listed.map((name, index) => {
		const file = modules.get(name) ?? '';
		const { options, outcomeOptions = [] } = features[index] ?? {};
		const own = [...(options?.fields ?? []), ...outcomeOptions].flatMap((option) => [
			option.name,
			option.displayName,
		]);
		return {
			name,
			path: dirname(file) === ROOMS ? file : dirname(file),
			names: new Set([name, ...own]),
		};
	});
}

const isIn = (path: string, file: string): boolean => file === path || file.startsWith(`${path}/`);

/** TypeScript checks again only what depends on a file of another version. */
interface VersionedFile extends ts.SourceFile {
	version: string;
}

/** What does not compile once a room and its lines in the list are gone. */
class Deletion {
	private readonly config = ts.parseJsonConfigFileContent(
		ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
		ts.sys,
		root,
	);
	private readonly parsed = new Map<string, ts.SourceFile | undefined>();
	/** With nothing deleted. */
	private readonly whole = this.build(undefined);
	/** Asked for before any deletion, which then checks only what it changes. */
	private readonly wholeProblems = this.problemsOf(this.whole);

	problemsWithout(room: Room | undefined): string[] {
		return room ? this.problemsOf(this.build(room, this.whole)) : this.wholeProblems;
	}

	private build(
		room: Room | undefined,
		before?: ts.SemanticDiagnosticsBuilderProgram,
	): ts.SemanticDiagnosticsBuilderProgram {
		const isGone = (file: string): boolean => room !== undefined && isIn(room.path, file);
		const host = ts.createCompilerHost(this.config.options);
		const { fileExists, getSourceFile } = host;
		host.fileExists = (file) => !isGone(file) && fileExists(file);
		host.getSourceFile = (file, options) => {
			if (isGone(file)) return undefined;
			if (file === LIST) {
				const version = room?.name ?? '';
				return Object.assign(ts.createSourceFile(file, listWithout(room), options, true), {
					version,
				});
			}
			if (!this.parsed.has(file)) {
				const source = getSourceFile(file, options) as VersionedFile | undefined;
				if (source) source.version = '';
				this.parsed.set(file, source);
			}
			return this.parsed.get(file);
		};
		const files = this.config.fileNames.filter((file) => !isGone(file));
		return ts.createSemanticDiagnosticsBuilderProgram(files, this.config.options, host, before);
	}

	private problemsOf(built: ts.SemanticDiagnosticsBuilderProgram): string[] {
		// Nothing else may import a room: the rules of the import graph say so.
		const sources = built.getSourceFiles().filter(({ fileName }) => isIn(NODE, fileName));
		return sources
			.flatMap((source) => [
				...built.getSyntacticDiagnostics(source),
				...built.getSemanticDiagnostics(source),
			])
			.map(({ file, messageText }) => {
				const where = file ? relative(root, file.fileName) : '';
				return `${where}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
			});
	}
}

function listWithout(room: Room | undefined): string {
	const lines = readFileSync(LIST, 'utf8').split('\n');
	return lines.filter((line) => !room || !new RegExp(`\\b${room.name}\\b`).test(line)).join('\n');
}

/** The texts of a node that can be names: identifiers and texts. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) return node.text;
	return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
		? node.text
		: undefined;
}

/** Whether a text is one of the names, or a sentence with one of those that have several words. */
function isNamedIn(text: string, { names }: Room): boolean {
	return [...names].some((name) => text === name || (name.includes(' ') && text.includes(name)));
}

/** Where a file names rooms that are not its own, and how many each of its functions knows. */
function look(file: string, rooms: readonly Room[]) {
	const source = ts.createSourceFile(
		file,
		readFileSync(file, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const others = rooms.filter(({ path }) => !isIn(path, file));
	const named: string[] = [];
	const woven: string[] = [];
	const place = (node: ts.Node): string =>
		`${relative(root, file)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
	const visit = (node: ts.Node): Set<string> => {
		const known = new Set<string>();
		const text = textOf(node);
		for (const room of text === undefined ? [] : others)
			if (isNamedIn(text ?? '', room)) {
				known.add(room.name);
				named.push(`${place(node)} names ${room.name}`);
			}
		node.forEachChild((child) => visit(child).forEach((name) => known.add(name)));
		if (ts.isFunctionLike(node) && known.size >= WOVEN)
			woven.push(`${place(node)} knows ${[...known].join(', ')}`);
		return known;
	};
	visit(source);
	return { named, woven };
}

function main(): number {
	const rooms = listedRooms();
	const deletion = new Deletion();
	let failed = 0;
	const chosen = process.argv.slice(2);
	const deleted = chosen.length > 0 ? rooms.filter(({ name }) => chosen.includes(name)) : rooms;
	for (const room of [undefined, ...deleted]) {
		const problems = deletion.problemsWithout(room);
		console.log(
			`${problems.length === 0 ? 'ok    ' : 'FAILED'} without ${room?.name ?? 'nothing'}`,
		);
		for (const problem of problems.slice(0, 5)) console.log(`       ${problem}`);
		if (problems.length > 0) failed++;
	}
	const files = readdirSync(join(NODE, 'importItems'), { recursive: true, encoding: 'utf8' })
		.map((file) => join(NODE, 'importItems', file))
		.filter((file) => file.endsWith('.ts') && file !== LIST);
	const found = files.map((file) => ({ file, ...look(file, rooms) }));
	const named = found.filter(({ file }) => !isIn(ROOMS, file)).flatMap((each) => each.named);
	const woven = found.flatMap((each) => each.woven);
	for (const [what, places] of [
		['no feature is named outside its room', named],
		[`no function knows ${WOVEN} features`, woven],
	] as const) {
		console.log(`${places.length === 0 ? 'ok    ' : 'FAILED'} ${what}`);
		for (const place of places) console.log(`       ${place}`);
		if (places.length > 0) failed++;
	}
	return failed === 0 ? 0 : 1;
}

process.exitCode = main();
