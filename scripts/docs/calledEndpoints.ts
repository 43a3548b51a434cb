import { join } from 'node:path';

import ts from 'typescript';

/** Names in the endpoint table that an operation may call, by `resource.operation`; for triggers by ''. */
export type CalledEndpoints = ReadonlyMap<string, ReadonlySet<string>>;

const TABLE = 'endpoints';

/** Finds in the code of a node which entries of the endpoint table each operation leads to. */
export class EndpointFinder {
	private readonly program: ts.Program;
	private readonly checker: ts.TypeChecker;

	/** @param files absolute paths of the node sources */
	constructor(
		private readonly root: string,
		files: string[],
	) {
		const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) =>
			ts.sys.readFile(path),
		) as { config: unknown };
		const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
		this.program = ts.createProgram(files, { ...options, types: [], noEmit: true });
		this.checker = this.program.getTypeChecker();
	}

	/**
	 * Follows every name an operation mentions to where it is declared, and collects the entries of the
	 * endpoint table on the way. A node without the list `resources` has one entry, under ''.
	 */
	of(file: string): CalledEndpoints {
		const source = this.program.getSourceFile(file);
		if (!source) throw new Error(`${file} is not part of the program.`);
		const resources = source.statements
			.filter(ts.isVariableStatement)
			.flatMap(({ declarationList }) => [...declarationList.declarations])
			.find(({ name }) => name.getText() === 'resources');
		if (!resources?.initializer) return new Map([['', this.reachedFrom(source)]]);
		return new Map(
			this.elements(resources.initializer).flatMap((resource) => {
				const operations = this.property(resource, 'operations');
				return (operations ? this.elements(operations) : []).map(
					(operation): [string, Set<string>] => [
						`${this.text(resource, 'value')}.${this.text(operation, 'value')}`,
						this.reachedFrom(operation),
					],
				);
			}),
		);
	}

	/** The entries of a list, those of spread lists included. */
	private elements(expression: ts.Expression): ts.Expression[] {
		const list = this.declared(expression);
		if (!ts.isArrayLiteralExpression(list))
			throw new Error(`${list.getText().slice(0, 60)} is not a list in brackets.`);
		return list.elements.flatMap((element) =>
			ts.isSpreadElement(element) ? this.elements(element.expression) : [element],
		);
	}

	/** What a name stands for; any other expression stands for itself. */
	private declared(expression: ts.Expression): ts.Expression {
		if (!ts.isIdentifier(expression)) return expression;
		const declaration = this.declarationOf(expression);
		return declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
			? declaration.initializer
			: expression;
	}

	private property(expression: ts.Expression, name: string): ts.Expression | undefined {
		const object = this.declared(expression);
		if (!ts.isObjectLiteralExpression(object)) return undefined;
		const property = object.properties.find((candidate) => candidate.name?.getText() === name);
		return property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
	}

	/** The text of a property: of an object in braces, or of what a call builds or is given. */
	private text(expression: ts.Expression, name: string): string {
		const value = this.property(expression, name);
		if (value && ts.isStringLiteralLike(value)) return value.text;
		const maker = this.declared(expression);
		if (ts.isCallExpression(maker)) {
			for (const argument of maker.arguments) {
				const given = this.property(argument, name);
				if (given && ts.isStringLiteralLike(given)) return given.text;
			}
			const built = this.declarationOf(maker.expression);
			const found = built && firstText(built, name);
			if (found !== undefined) return found;
		}
		throw new Error(`${expression.getText().slice(0, 60)} has no ${name} that can be read.`);
	}

	private declarationOf(name: ts.Node): ts.Declaration | undefined {
		let symbol = ts.isShorthandPropertyAssignment(name.parent)
			? this.checker.getShorthandAssignmentValueSymbol(name.parent)
			: this.checker.getSymbolAtLocation(name);
		if (symbol && symbol.flags & ts.SymbolFlags.Alias)
			symbol = this.checker.getAliasedSymbol(symbol);
		return symbol?.declarations?.[0];
	}

	private reachedFrom(start: ts.Node): Set<string> {
		const found = new Set<string>();
		const seen = new Set<ts.Node>();
		const look = (node: ts.Node): void => {
			if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
			if (ts.isPropertyAccessExpression(node) && node.expression.getText() === TABLE)
				found.add(node.name.text);
			if (ts.isIdentifier(node)) {
				const declaration = this.declarationOf(node);
				const file = declaration?.getSourceFile().fileName ?? '';
				const isOurs = file.startsWith(join(this.root, 'nodes'));
				if (declaration && isOurs && !file.endsWith('/endpoints.ts') && !seen.has(declaration)) {
					seen.add(declaration);
					look(declaration);
				}
			}
			node.forEachChild(look);
		};
		look(start);
		return found;
	}
}

/** The first text that is given to a property of this name anywhere in a piece of code. */
function firstText(node: ts.Node, name: string): string | undefined {
	if (
		ts.isPropertyAssignment(node) &&
		node.name.getText() === name &&
		ts.isStringLiteralLike(node.initializer)
	)
		return node.initializer.text;
	return ts.forEachChild(node, (child) => firstText(child, name));
}
