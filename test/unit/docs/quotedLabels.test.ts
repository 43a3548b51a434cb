import { shownNames, unknownLabels } from '../../../scripts/docs/quotedLabels';

const description = {
	displayName: 'Native Bulk Import',
	properties: [
		{ displayName: 'Max Wait (Minutes)', name: 'maxWait', default: 60 },
		{
			displayName: 'Columns',
			name: 'columns',
			options: [{ name: 'Chosen Here', value: 'chosen', action: 'Import rows or a CSV file' }],
		},
	],
};

const found = (page: string, source = '') =>
	unknownLabels(new Map([['docs/a.md', page]]), new Set(shownNames(description)), source);

test.each([
	['a field and its choice', 'With **Columns: Chosen Here**, you fill each field.'],
	['a field without its unit', 'Raise _Max Wait_.'],
	['the action of an operation', 'Choose _Import rows or a CSV file_.'],
	['a label of n8n', 'In _Settings → Community nodes_.'],
	[
		'the beginning of a paragraph',
		'- _Certain:_ it is. **A row counts once.** **Waiting executions**: none.',
	],
	['a text in code', 'The name is `_Old Name_`.'],
	['a block of code', '```\n_Old Name_\n```'],
])('%s may be quoted', (_, page) => {
	expect(found(page)).toEqual([]);
});

test('a button of a page may be quoted', () => {
	expect(found('Press **Import Changed Rows**.', '<button>Import Changed Rows</button>')).toEqual(
		[],
	);
	expect(found('Press **Import Changed Rows**.')).toHaveLength(1);
});

test.each([
	['Choose _Old Name_.', 'Old Name'],
	['Choose **Old Name**.', 'Old Name'],
	['With _Columns: Guessed_.', 'Guessed'],
	['Open _Settings → Old Name → Install_.', 'Old Name'],
	['_Old Name_ and _Old Name_ again.', 'Old Name'],
])('what no screen has is named once: %s', (page, label) => {
	expect(found(page)).toEqual([`docs/a.md quotes "${label}", which is on no screen.`]);
});
