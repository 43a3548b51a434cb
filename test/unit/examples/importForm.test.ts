import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { readWorkflowFile } from '../../../hosts/n8nClient';

const { nodes } = readWorkflowFile(
	join(__dirname, '..', '..', '..', 'examples', 'import-form.json'),
);
const page = nodes.find(({ name }) => name === 'Cannot Be Imported');

/** A text of the workflow if the dry run returns one item. */
function evaluate(text: unknown, json: object): string {
	const $ = () => ({ all: () => [{ json }] });
	return String(text)
		.slice(1)
		.replace(/\{\{(.+?)\}\}/g, (_, expression: string) =>
			String(runInNewContext(expression, { $json: json, $ })),
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
