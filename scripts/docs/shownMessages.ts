import ts from 'typescript';

/** A source file, with its path relative to the repository. */
export interface Source {
	path: string;
	text: string;
}

/** A text that the code may show, with `…` for what is filled in. */
export interface ShownMessage {
	path: string;
	text: string;
	/** Whether it is the message of an error by itself, and not advice or a part of one. */
	isMessage: boolean;
}

/** Properties that describe parameters, which the pages of the nodes show. */
const PARAMETER_TEXTS = new Set([
	'action',
	'description',
	'displayName',
	'hint',
	'name',
	'placeholder',
	'subtitle',
]);

/** Functions that make parameters out of texts. */
const PARAMETER_MAKERS = /(Field|Filter)$/;

/** Fewer words are a name or a part of a sentence. */
const FEWEST_WORDS = 3;

/** Functions that make errors, and which of their arguments is the message. */
const ERROR_MAKERS: Record<string, number | undefined> = { make: 0, refuse: 0, resultFileError: 1 };

/** What only maintainers read: n8n's log, and errors of the code itself. */
const FOR_MAINTAINERS = /\.logger\.|^(Error|InvalidPathValue)$/;

function isErrorDetails(object: ts.Node): boolean {
	if (!ts.isObjectLiteralExpression(object)) return false;
	const hasMessage = object.properties.some(({ name }) => name?.getText() === 'message');
	const { parent } = object;
	return hasMessage || (ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText()));
}

/** Whether a text describes a parameter, or is for maintainers. */
function isNotShown(node: ts.Node): boolean {
	for (let at = node; !ts.isSourceFile(at); at = at.parent) {
		const { parent } = at;
		if (ts.isPropertyAssignment(parent) && parent.initializer === at) {
			const isText = PARAMETER_TEXTS.has(parent.name.getText());
			if (isText && !isErrorDetails(parent.parent)) return true;
		}
		if (
			ts.isCallExpression(parent) &&
			parent.expression !== at &&
			PARAMETER_MAKERS.test(parent.expression.getText())
		)
			return true;
		if (
			(ts.isCallExpression(parent) || ts.isNewExpression(parent)) &&
			parent.expression !== at &&
			FOR_MAINTAINERS.test(parent.expression.getText())
		)
			return true;
		if (ts.isTypeNode(parent) || ts.isImportDeclaration(parent)) return true;
	}
	return false;
}

function pattern(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function isMessage(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isPropertyAssignment(parent)) {
		// Without advice beside it, it is a warning or the text of a rule.
		const hasAdvice = parent.parent.properties.some(
			({ name }) => name?.getText() === 'description',
		);
		return parent.name.getText() === 'message' && hasAdvice;
	}
	return (
		ts.isCallExpression(parent) &&
		parent.arguments.findIndex((argument) => argument === node) ===
			ERROR_MAKERS[parent.expression.getText()]
	);
}

function hasWords(text: string): boolean {
	const words = text.split(/\s+/).filter((word) => /^[\p{L}"'“(][\p{L}\p{P}]*$/u.test(word));
	return words.length >= FEWEST_WORDS;
}

/** Labels of fields are in Title Case; names in brackets stand where a path would. */
function isSentence(text: string): boolean {
	if (/^\(.*\)$/.test(text)) return false;
	const isLabel =
		!/[.?]$/.test(text) && text.split(' ').every((word) => /^(\W|[A-Z0-9]|\w{1,3}$)/.test(word));
	if (isLabel) return false;
	return hasWords(text);
}

/**
 * Every text in the sources that reads like a sentence and is no description of a parameter: whatever
 * a user may be told.
 */
export function shownMessages(sources: readonly Source[]): ShownMessage[] {
	return sources.flatMap(({ path, text: source }) => {
		const found = new Map<string, boolean>();
		const look = (node: ts.Node): void => {
			const text = pattern(node)?.replace(/\s+/g, ' ').trim();
			if (text !== undefined && !isNotShown(node)) {
				const isWhole = isMessage(node) && /^[A-Z…]/.test(text) && hasWords(text);
				if (isWhole || isSentence(text)) found.set(text, isWhole || (found.get(text) ?? false));
			}
			node.forEachChild(look);
		};
		look(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
		return [...found].map(([text, isWhole]) => ({ path, text, isMessage: isWhole }));
	});
}
