import { brokenCitations } from '../../../scripts/docs/citations';

const page = '# The service\n\n## 2 Jobs\n\n### 2.1 Job\n\n### 2.6 Mapping\n\n## 10 Differences\n';
const problems = (text: string) =>
	brokenCitations(
		new Map([
			['docs/service.md', page],
			['nodes/a.ts', text],
		]),
	);

describe('the check of citations', () => {
	test.each([
		['a section', '/** Rules of service.md 2.6. */'],
		['several sections', '/** service.md 2.1 to 2.6, 2 and 10: see there. */'],
		['a section after a line break', '/**\n * Lenient (service.md\n * 2.1).\n */'],
		['a page without a section', '// Described in service.md. 5 of them'],
	])('accepts %s', (_, text) => {
		expect(problems(text)).toEqual([]);
	});

	test.each([
		['a section that does not exist', `/** ${'service'}.md 2.7 */`, '2.7'],
		['one of several', `/** ${'service'}.md 2.1, 3 and 2.6 */`, 'service.md 3,'],
		['one after a line break', `/**\n * (${'service'}.md\n * 9)\n */`, 'service.md 9'],
		['a page that does not exist', `// ${'nowhere'}.md 2.1`, 'nowhere.md'],
		['a document outside the repository', `// ${'interface'}.md 2.6`, 'not in the repository'],
		[
			'a test that does not exist',
			`[a](a.test${'.ts'}), "hides keys"`,
			'cites "hides keys" in a.test.ts',
		],
		['a section of the design', `// ${'DESIGN'} 5`, 'not in the repository'],
	])('reports %s', (_, text, named) => {
		expect(problems(text).join()).toContain(named);
	});
});
