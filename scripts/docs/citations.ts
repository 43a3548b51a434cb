import { basename, dirname, join } from 'node:path';

const NUMBER = String.raw`\d+(?:\.\d+)*`;

/** `service.md 2.6`, `service.md 2.1 to 2.6`, `service.md 4.4, 4.5 and 10`, also over a line break. */
const CITATION = new RegExp(
	String.raw`\b([\w-]+\.md)((?:,| to| and| or|)(?:\s+(?:\*\s+|//\s+)?)${NUMBER}\b(?:(?:,| to| and| or)\s+(?:\*\s+|//\s+)?${NUMBER}\b)*)`,
	'g',
);

/** The name of a test, or its beginning with `…`, after a link to its file. */
const CITED_TEST = /\]\(([\w./-]+\.test\.ts)\), "([^"]+?)(?: …)?"/g;

/** Documents that readers of the repository do not have. */
const OUTSIDE = /\b(?:interface\.md|service-fact[s]|DESIGN(?:\.md| \d)|STYLE\.md)/gi;

/** The numbers of a page's headings: `## 2 Bulk import jobs`, `### 2.6 Field value mapping`. */
function sectionsOf(page: string): Set<string> {
	return new Set(
		[...page.matchAll(/^#{2,}\s+(\d+(?:\.\d+)*)\s/gm)].flatMap(([, number]) => number ?? []),
	);
}

/**
 * Citations of sections and tests that do not exist, and of documents outside the repository, a sentence
 * each.
 * @param files paths with their texts; cited pages are among them
 */
export function brokenCitations(files: ReadonlyMap<string, string>): string[] {
	const sections = new Map(
		[...files]
			.filter(([path]) => path.endsWith('.md'))
			.map(([path, text]) => [basename(path), sectionsOf(text)]),
	);
	return [...files].flatMap(([path, text]) => [
		...[...text.matchAll(OUTSIDE)].map(
			([name]) => `${path} cites ${name}, which is not in the repository.`,
		),
		...[...text.matchAll(CITED_TEST)]
			.filter(([, file = '', name = '']) => !files.get(join(dirname(path), file))?.includes(name))
			.map(([, file, name]) => `${path} cites "${name}" in ${file}, which does not exist.`),
		...[...text.matchAll(CITATION)].flatMap(([, page = '', numbers = '']) =>
			[...numbers.matchAll(new RegExp(NUMBER, 'g'))]
				.filter(([number]) => !sections.get(page)?.has(number))
				.map(([number]) => `${path} cites ${page} ${number}, which does not exist.`),
		),
	]);
}
