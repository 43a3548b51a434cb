import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { readWorkflowFile } from '../../../hosts/n8nClient';

const { nodes } = readWorkflowFile(
	join(__dirname, '..', '..', '..', 'examples', 'import-form.json'),
);
const page = nodes.find(({ name }) => name === 'Cannot Be Imported');

/** What the page says if the dry run returns one item. */
function shownFor(json: object): string[] {
	const $ = () => ({ all: () => [{ json }] });
	const { completionTitle, completionMessage } = page?.parameters ?? {};
	return [completionTitle, completionMessage].map((text) =>
		String(text)
			.slice(1)
			.replace(/\{\{(.+?)\}\}/g, (_, expression: string) =>
				String(runInNewContext(expression, { $json: json, $ })),
			),
	);
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
