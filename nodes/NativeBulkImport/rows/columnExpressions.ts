const STEP = String.raw`\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[(?:("(?:[^"\\]|\\.)*")|'([^'\\]*)'|(\d+))\]`;
const PATH = new RegExp(
	String.raw`^=\{\{\s*\$json((?:${STEP.replaceAll(/\((?!\?)/g, '(?:')})+)\s*\}\}$`,
);

function stepName([, dotted, doubleQuoted, singleQuoted, index]: RegExpMatchArray): string {
	const name = dotted ?? singleQuoted ?? index;
	return name ?? (doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string));
}

/** The path of an expression such as `={{ $json.address["city"] }}`; undefined for all others. */
export function expressionPath(expression: string): string[] | undefined {
	const path = PATH.exec(expression)?.[1];
	return path === undefined ? undefined : [...path.matchAll(new RegExp(STEP, 'g'))].map(stepName);
}

export function pathExpression(path: readonly string[]): string {
	return `={{ $json${path.map((step) => `[${JSON.stringify(step)}]`).join('')} }}`;
}

/** Whether an expression reads nothing of a row, such as `={{ $('Settings').first().json.typeId }}`. */
export function isSameForAllRows(expression: string): boolean {
	return !/\$(json|binary|data|input|item|itemIndex|position)\b|\.(item|itemMatching)\b/.test(
		expression,
	);
}

/** The property, if the expression only names one. */
export function plainProperty(expression: string): string | undefined {
	const path = expressionPath(expression);
	return path?.length === 1 ? path[0] : undefined;
}

/** The properties that an expression reads, as far as its text shows. */
export function namedProperties(expression: string): string[] {
	return [...expression.matchAll(new RegExp(String.raw`\$json(?:${STEP})`, 'g'))].map(stepName);
}

// n8n does not evaluate these two: braces in the name of a property would end the expression.
const valueOf = (name: string): string => `$json[${JSON.stringify(name)}]`;

/** Stands for the values of some properties one after the other. */
export function joinedExpression(properties: readonly string[]): string {
	return `={{ [${properties.map(valueOf).join(', ')}].join(" ") /* as one line */ }}`;
}

/** Stands for the value of the first property that a row has: rows may spell a header differently. */
export function spelledExpression(properties: readonly string[]): string {
	return `={{ ${properties.map(valueOf).join(' ?? ')} }}`;
}

/** The properties, if an expression only puts them together. */
export function joinedProperties(expression: string): string[] | undefined {
	const names = namedProperties(expression);
	return expression === joinedExpression(names) ? names : undefined;
}

/** What people call the column or columns of an expression: `House Number + Street Name`. */
export function columnTitle(expression: string): string | undefined {
	return plainProperty(expression) ?? joinedProperties(expression)?.join(' + ');
}
