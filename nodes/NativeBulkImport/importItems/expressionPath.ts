const STEP = String.raw`\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[(?:("(?:[^"\\]|\\.)*")|'([^'\\]*)'|(\d+))\]`;
const PATH = new RegExp(
	String.raw`^=\{\{\s*\$json((?:${STEP.replaceAll(/\((?!\?)/g, '(?:')})+)\s*\}\}$`,
);

/**
 * The names that an expression such as `={{ $json.address["city"] }}` goes through, if it does nothing
 * else: it needs no expression engine then. Undefined for all other expressions.
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

/** The property that an expression names and does nothing else with. */
export function plainProperty(expression: string): string | undefined {
	const path = expressionPath(expression);
	return path?.length === 1 ? path[0] : undefined;
}

/** The properties that an expression reads, as far as they can be told from its text. */
export function namedProperties(expression: string): string[] {
	const names = [...expression.matchAll(new RegExp(String.raw`\$json(?:${STEP})`, 'g'))].map(
		([, dotted, doubleQuoted, singleQuoted]) =>
			dotted ??
			singleQuoted ??
			(doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string)),
	);
	return [...new Set(names.filter((name) => name !== ''))];
}
