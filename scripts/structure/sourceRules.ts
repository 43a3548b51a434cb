import ts from 'typescript';

/** A TypeScript file of the repository. */
export interface SourceFile {
	/** Relative to the repository, with forward slashes. */
	path: string;
	text: string;
}

/** A place where a file breaks a rule. */
interface Violation {
	rule: 'http-in-transport-only' | 'paths-in-endpoint-table-only';
	path: string;
	/** From 1. */
	line: number;
	/** The offending code. */
	found: string;
}

const TRANSPORT = 'nodes/shared/transport/';
/** The only file that spells paths of the service. */
export const ENDPOINT_TABLE = 'nodes/shared/service/endpoints.ts';

/** n8n's functions that send a request, whatever object they are taken from. */
const SENDING_HELPERS = new Set([
	'httpRequest',
	'httpRequestWithAuthentication',
	'requestWithAuthentication',
	'requestWithAuthenticationPaginated',
	'requestOAuth1',
	'requestOAuth2',
]);

const parse = ({ path, text }: SourceFile) =>
	ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

function visit(node: ts.Node, look: (node: ts.Node) => void) {
	look(node);
	node.forEachChild((child) => visit(child, look));
}

/** The constant texts of a file, without module names: `a/${b}/c` gives `a/` and `/c`. */
function constantTexts(source: ts.SourceFile): Array<{ node: ts.Node; text: string }> {
	const texts: Array<{ node: ts.Node; text: string }> = [];
	visit(source, (node) => {
		const isText =
			ts.isStringLiteral(node) ||
			ts.isNoSubstitutionTemplateLiteral(node) ||
			node.kind === ts.SyntaxKind.TemplateHead ||
			node.kind === ts.SyntaxKind.TemplateMiddle ||
			node.kind === ts.SyntaxKind.TemplateTail;
		if (!isText) return;
		const { parent } = node;
		const isModuleName =
			ts.isImportDeclaration(parent) ||
			ts.isExportDeclaration(parent) ||
			ts.isExternalModuleReference(parent) ||
			(ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) ||
			(ts.isCallExpression(parent) &&
				(parent.expression.kind === ts.SyntaxKind.ImportKeyword ||
					parent.expression.getText() === 'require'));
		if (!isModuleName) texts.push({ node, text: (node as ts.LiteralLikeNode).text });
	});
	return texts;
}

/** A sentence may name an endpoint to its reader; a path to call has no spaces. */
const isProse = (text: string) => /\s/.test(text);

/**
 * The words that paths of the service consist of, such as `bulkImportJobs`, taken from the table of
 * endpoints itself: every constant segment of a text with a slash.
 */
export function pathSegments(endpointTable: SourceFile): Set<string> {
	const segments = constantTexts(parse(endpointTable))
		.filter(({ text }) => text.includes('/') && !isProse(text))
		.flatMap(({ text }) => text.split('/'))
		.filter((segment) => /^[A-Za-z]\w+$/.test(segment));
	return new Set(segments);
}

function violation(rule: Violation['rule'], source: ts.SourceFile, node: ts.Node): Violation {
	const { line } = source.getLineAndCharacterOfPosition(node.getStart());
	return { rule, path: source.fileName, line: line + 1, found: node.getText() };
}

function sendsRequest(node: ts.Node): boolean {
	// const { httpRequest } = helpers, const { httpRequest: send } = helpers
	if (ts.isBindingElement(node)) {
		return SENDING_HELPERS.has((node.propertyName ?? node.name).getText());
	}
	if (ts.isPropertyAccessExpression(node) && SENDING_HELPERS.has(node.name.text)) return true;
	// helpers['httpRequest']
	if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
		return SENDING_HELPERS.has(node.argumentExpression.text);
	}
	if (ts.isPropertyAccessExpression(node) && node.name.text === 'request') {
		return /(^|\.)helpers$/.test(node.expression.getText());
	}
	return (
		(ts.isCallExpression(node) && /^(globalThis\.)?fetch$/.test(node.expression.getText())) ||
		(ts.isNewExpression(node) && /^(XMLHttpRequest|WebSocket)$/.test(node.expression.getText()))
	);
}

/**
 * Finds what no import graph shows, in the sources of the nodes and credentials: requests sent from
 * anywhere but the transport, and paths of the service spelled anywhere but in the endpoint table.
 */
export function findViolations(files: SourceFile[]): Violation[] {
	const table = files.find(({ path }) => path === ENDPOINT_TABLE);
	const segments = table ? pathSegments(table) : new Set<string>();
	const violations: Violation[] = [];

	for (const file of files) {
		const source = parse(file);
		if (!file.path.startsWith(TRANSPORT)) {
			visit(source, (node) => {
				if (sendsRequest(node)) violations.push(violation('http-in-transport-only', source, node));
			});
		}
		if (file.path !== ENDPOINT_TABLE) {
			for (const { node, text } of constantTexts(source)) {
				// Without a slash, `codes` is a word like any other.
				const spellsPath =
					text.includes('/') &&
					!isProse(text) &&
					text.split(/[/?]/).some((segment) => segments.has(segment));
				if (spellsPath) violations.push(violation('paths-in-endpoint-table-only', source, node));
			}
		}
	}
	return violations;
}
