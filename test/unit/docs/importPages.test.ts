import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { features } from '../../../nodes/NativeBulkImport/importItems/features/features';

const docs = join(__dirname, '..', '..', '..', 'docs');
const read = (...path: string[]): string => readFileSync(join(docs, ...path), 'utf8');
const withoutTables = (page: string): string =>
	page.replace(/<!-- begin [^]*?<!-- end .*?-->/g, '');

/** A reference that nobody reads from its beginning to its end. */
const REFERENCES = ['headers.md'];
const pages = readdirSync(join(docs, 'import')).filter((name) => !REFERENCES.includes(name));

test.each(pages)('the page of a feature is read in a minute: %s', (name) => {
	expect(Buffer.byteLength(withoutTables(read('import', name)))).toBeLessThanOrEqual(3000);
});

test('the page of an import is short', () => {
	expect(Buffer.byteLength(read('import-a-list.md'))).toBeLessThanOrEqual(10_000);
});

test('a newcomer reads the README in three minutes', () => {
	expect(Buffer.byteLength(read('..', 'README.md'))).toBeLessThanOrEqual(8000);
});

test('the page of corrections names every option that they cannot be combined with', () => {
	const page = read('import', 'page-for-a-colleague.md');
	const [, sentence = ''] = /Corrections cannot be combined with (.*?)\.\s/.exec(page) ?? [];
	const labels = features
		.filter(({ refusesOtherValues }) => refusesOtherValues !== undefined)
		.map(({ options }) => options?.fields[0]?.displayName ?? 'an option without a field');
	expect(labels).not.toEqual([]);
	expect(labels.filter((label) => !sentence.includes(label))).toEqual([]);
});

test('a table of a page has its head once', () => {
	const folders = ['', 'import', 'nodes'];
	const all = folders.flatMap((folder) =>
		readdirSync(join(docs, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => join(folder, name)),
	);
	expect(all.length).toBeGreaterThan(30);
	// Below the line of hyphens under the head, a table has none.
	const repeated = all.filter((name) =>
		/\n\|[^\n]*\n\|[ -|]*-{3}[^\n]*\n(\|[^\n]*\n)*\|[ |-]*-{3}[ |-]*\n/.test(read(name)),
	);
	expect(repeated).toEqual([]);
});
