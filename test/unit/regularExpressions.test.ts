import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

import { analyse } from 'scslre';
import ts from 'typescript';

import {
	expressionPath,
	namedProperties,
} from '../../nodes/NativeBulkImport/rows/columnExpressions';
import { lineWriter } from '../../nodes/shared/importFile/delimitedRows';

/**
 * No regular expression takes more than a time proportional to the length of its text, whatever the text and
 * whoever calls it: a text of 100,000 characters stops n8n for minutes where the time grows with the square.
 */

const root = join(__dirname, '../..');
const load = createRequire(__filename);
const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

interface Pattern {
	place: string;
	source: string;
	flags: string;
}

/** Patterns for a header of at most 500 characters: `readHeader` cuts it. */
const BOUNDED = /^nodes\/shared\/importFile\/headerSynonyms\.ts:/;

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const buildsPatterns = (file: string): boolean => textOf(file).includes('new RegExp(');

function literalsIn(file: string): Pattern[] {
	const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
	const found: Pattern[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
			found.push({ place: `${file}:${line + 1}`, source: pattern, flags });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Those that the package builds from texts while it is loaded, and when these functions are called. */
function builtPatterns(): Pattern[] {
	const found: Pattern[] = [];
	const original = RegExp;
	globalThis.RegExp = new Proxy(original, {
		construct(target, given: [string | RegExp, string?], newTarget) {
			const built = Reflect.construct(target, given, newTarget) as RegExp;
			const caller = new Error().stack?.split('\n')[2] ?? '';
			const [place] = /nodes\/[\w/.]+:\d+/.exec(relative(root, caller)) ?? [];
			if (place) found.push({ place, source: built.source, flags: built.flags });
			return built;
		},
	});
	try {
		const sources = files.filter(buildsPatterns).map((file) => join(root, file));
		for (const source of sources) delete load.cache[source];
		for (const source of sources) load(source);
		expressionPath('={{ $json.a }}');
		namedProperties('={{ $json.a }}');
		lineWriter({ columnDelimiter: 'CSV', hasQuotes: true, lineBreaks: 'keep' }, ['A']);
	} finally {
		globalThis.RegExp = original;
	}
	return found;
}

test('the time of every regular expression grows with its text only', () => {
	const literals = files.flatMap(literalsIn);
	const built = builtPatterns();
	expect(literals.length).toBeGreaterThan(200);
	expect(built.length).toBeGreaterThan(3);
	const slow = [...literals, ...built].filter(
		({ place, source, flags }) =>
			!BOUNDED.test(place) && analyse({ source, flags }).reports.length > 0,
	);
	expect(slow.map(({ place, source }) => `${place} /${source}/`)).toEqual([]);
});

test.each([String.raw`^\D*\+(?!\D*1)`, String.raw`\blast\b[\s,]*(name)?[\s,]*\bfirst\b`])(
	'a slow one is found: %s',
	(source) => {
		expect(analyse({ source, flags: '' }).reports).not.toEqual([]);
	},
);
