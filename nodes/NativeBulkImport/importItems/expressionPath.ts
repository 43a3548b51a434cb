const STEP = String.raw`\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[(?:("(?:[^"\\]|\\.)*")|'([^'\\]*)'|(\d+))\]`;
const PATH = new RegExp(
	String.raw`^=\{\{\s*\$json((?:${STEP.replaceAll(/\((?!\?)/g, '(?:')})+)\s*\}\}$`,
);

/**
 * The path of an expression such as `={{ $json.address["city"] }}`, which needs no expression engine.
 * Undefined for all other expressions.
 */
export function expressionPath(expression: string): string[] | undefined {
	const path = PATH.exec(expression)?.[1];
	if (path === undefined) return undefined;
	return [...path.matchAll(new RegExp(STEP, 'g'))].map(
		([, dotted, doubleQuoted, singleQuoted, index]) =>
			dotted ??
			singleQuoted ??
			index ??
			(doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string)),
	);
}

/** The property, if the expression only names one. */
export function plainProperty(expression: string): string | undefined {
	const path = expressionPath(expression);
	return path?.length === 1 ? path[0] : undefined;
}

/** The properties that an expression reads, as far as its text shows. */
export function namedProperties(expression: string): string[] {
	const names = [...expression.matchAll(new RegExp(String.raw`\$json(?:${STEP})`, 'g'))].map(
		([, dotted, doubleQuoted, singleQuoted]) =>
			dotted ??
			singleQuoted ??
			(doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string)),
	);
	return [...new Set(names.filter((name) => name !== ''))];
}
