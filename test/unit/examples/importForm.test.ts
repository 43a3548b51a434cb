import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { readWorkflowFile } from '../../../hosts/n8nClient';

const folder = join(__dirname, '..', '..', '..', 'examples');
const { nodes } = readWorkflowFile(join(folder, 'import-form.json'));
const page = nodes.find(({ name }) => name === 'Cannot Be Imported');

/** A text of the workflow if the dry run returns one item. @param others what further nodes return, by name */
function evaluate(text: unknown, json: object, others: Record<string, object> = {}): string {
	const given: Record<string, object> = { Settings: { showsAll: true }, ...others };
	const $ = (name: string) => ({
		all: () => [{ json: given[name] ?? json }],
		first: () => ({ json: given[name] ?? json }),
	});
	const $execution = { resumeFormUrl: 'https://n8n.example.org/form-waiting/7' };
	return String(text)
		.slice(1)
		.replace(/\{\{(.+?)\}\}/g, (_, expression: string) =>
			String(runInNewContext(expression, { $json: json, $, $execution })),
		);
}

function shownFor(json: object): string[] {
	const { completionTitle, completionMessage } = page?.parameters ?? {};
	return [completionTitle, completionMessage].map((text) => evaluate(text, json));
}

const HEADERS =
	'\nA list is a CSV file whose first line has headers such as First Name, E-mail or Zip.';

test.each([
	['an unusable file', { error: { message: 'It is empty.', request: null } }, 'It is empty.'],
	['no rows', { dryRun: true, rows: 0 }, 'It has headers but no rows.'],
])('the page of the import form says what a list needs: %s', (_, json, reason) => {
	expect(shownFor(json)).toEqual(['This list cannot be imported', reason + HEADERS]);
});

test('the page of the import form blames no list for an error of the service', () => {
	const request = { method: 'GET', path: '/bulkImportMappingTypes' };
	const error = { message: 'The key was rejected', description: 'Check the key.', request };
	expect(shownFor({ error })).toEqual(['The check failed', 'The key was rejected. Check the key.']);
});

test.each([
	[1, 'Import 1 row'],
	[2, 'Import 2 rows'],
])('the button of the import form counts %d', (rows, label) => {
	const { options } = nodes.find(({ name }) => name === 'Go On?')?.parameters ?? {};
	const { buttonLabel } = options as { buttonLabel: string };
	expect(evaluate(buttonLabel, { rows })).toBe(label);
});

test('where n8n does not sign its links, no page behind the form shows more than counts', () => {
	const SECRET = 'a value of the list';
	const error = { message: SECRET, description: SECRET };
	const dryRun = {
		...{ rows: 3, dryRun: true, error, target: SECRET, notImported: [SECRET] },
		...{ column: SECRET, field: SECRET, firstValues: [SECRET], status: 'invalid', reason: SECRET },
	};
	const pages = nodes.filter(({ type }) => type === 'n8n-nodes-base.form');
	expect(pages).toHaveLength(4);
	const texts = pages.flatMap(({ parameters }) =>
		[...JSON.stringify(parameters).matchAll(/"(={{(?:[^"\\]|\\.)*)"/g)].map(
			([, text]) => JSON.parse(`"${text}"`) as string,
		),
	);
	expect(texts.length).toBeGreaterThan(5);
	const shown = (showsAll: boolean) =>
		texts
			.map((text) =>
				evaluate(text, dryRun, {
					Settings: { showsAll },
					'Link Secret': { pageSecret: SECRET },
					'Report Page': { data: `${SECRET}</main>` },
					'Rejected Rows': { rejected: SECRET },
					Import: { importSummary: { rows: 3, imported: 2, jobs: [SECRET] } },
				}),
			)
			.join(' ');
	expect(shown(false)).not.toContain(SECRET);
	expect(shown(false)).toContain('3 rows would be imported.');
	expect(shown(false)).toContain('2 of 3 rows imported');
	expect(shown(true)).toContain(SECRET);
});

test('only whoever knows the word of the first page starts the import', () => {
	const { conditions } = nodes.find(({ name }) => name === 'Confirmed?')?.parameters ?? {};
	const [{ leftValue }] = (conditions as { conditions: [{ leftValue: string }] }).conditions;
	const first = { 'Import Form': { 'Word to confirm': 'heron' } };
	const confirmed = (json: object) => evaluate(leftValue, json, first);
	expect(confirmed({ submittedAt: 'now', 'Word to confirm': 'heron' })).toBe('true');
	expect(confirmed({ submittedAt: 'now', 'Word to confirm': 'Heron' })).toBe('false');
	expect(confirmed({ submittedAt: 'now' })).toBe('false');
	expect(confirmed({ 'Word to confirm': 'heron' })).toBe('false');
});

test('no other example has a page behind its form', () => {
	const others = readdirSync(folder).filter(
		(name) => name.endsWith('.json') && name !== 'import-form.json',
	);
	expect(others.length).toBeGreaterThan(10);
	const pages = others.flatMap((name) =>
		readWorkflowFile(join(folder, name)).nodes.filter(
			({ type, parameters }) =>
				type === 'n8n-nodes-base.form' || (type.endsWith('.wait') && parameters.resume === 'form'),
		),
	);
	expect(pages).toEqual([]);
});
