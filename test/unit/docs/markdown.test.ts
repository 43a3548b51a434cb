import { brokenLinks, withOwnAddress } from '../../../scripts/docs/brokenLinks';
import { anchorOf, code, generated, prose, insertGenerated } from '../../../scripts/docs/markdown';

const problems = (files: Record<string, string>, page = 'docs/page.md') =>
	brokenLinks([page], {
		has: (path) => path in files || Object.keys(files).some((file) => file.startsWith(`${path}/`)),
		read: (path) => files[path] ?? '',
	});

describe('the check of links', () => {
	const other =
		'# Other\n\n## What it does (and not)\n\n## Twice\n\n## Twice\n\n```\n## no heading\n```\n';

	test.each([
		['a file that is there', '[a](other.md)'],
		['a heading', '[a](other.md#what-it-does-and-not)'],
		['the second of two equal headings', '[a](other.md#twice-1)'],
		['a heading of the page itself', '## Here\n\n[a](#here)'],
		['a folder', '[a](../docs)'],
		['another site', '[a](https://example.org/nothing)'],
		['an address in code', '`[a](nowhere.md)`\n\n```\n[a](nowhere.md)\n```'],
		[
			'its own address on the web',
			'[a](https://github.com/example-org/n8n-nodes-native/blob/main/docs/other.md#other)',
		],
	])('lets %s pass', (_, text) => {
		expect(problems({ 'docs/page.md': text, 'docs/other.md': other })).toEqual([]);
	});

	test.each([
		['a file that is not there', '[a](nowhere.md)', 'docs/nowhere.md'],
		['a heading that is not there', '[a](other.md#nothing)', '"nothing"'],
		['a heading inside a block of code', '[a](other.md#no-heading)', '"no-heading"'],
		['a picture', '<img src="images/none.png">', 'docs/images/none.png'],
		[
			'its own address on the web',
			'[a](https://github.com/example-org/n8n-nodes-native#none)',
			'"none"',
		],
	])('rejects %s', (_, text, named) => {
		const found = problems({ 'docs/page.md': text, 'docs/other.md': other, 'README.md': '# A' });
		expect(found).toEqual([expect.stringContaining(named)]);
	});
});

test('a generated part is replaced as often as one likes, and nothing around it changes', () => {
	const page = `before\n\n${generated('list', 'old')}\n\nafter`;
	const once = insertGenerated(page, 'list', 'new');
	expect(once).toBe(page.replace('old', 'new'));
	expect(insertGenerated(once, 'list', 'new')).toBe(once);
	expect(() => insertGenerated(page, 'other', 'new')).toThrow('begin other');
});

test('texts of parameters mean nothing in Markdown, except for their links and code', () => {
	expect(prose('a * b <c> {file} <a href="https://example.org/">d</a>')).toBe(
		'a \\* b &lt;c> \\{file\\} [d](https://example.org/)',
	);
	expect(prose('a_b: <code>{{ $json.a_b }}</code>')).toBe('a\\_b: `{{ $json.a_b }}`');
	expect(code('a`b')).toBe('``a`b``');
	expect(anchorOf('Job: Import Items (`x`)')).toBe('job-import-items-x');
});

test('the address of the repository is that of package.json', () => {
	const text =
		'https://github.com/example-org/n8n-nodes-native/issues https://github.com/n8n-io/n8n @example-org/maintainers';
	expect(withOwnAddress(text, 'https://github.com/acme/n8n-nodes-native')).toBe(
		'https://github.com/acme/n8n-nodes-native/issues https://github.com/n8n-io/n8n @acme/maintainers',
	);
});
