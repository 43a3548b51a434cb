import { InvalidRow } from '../../../nodes/shared/importFile/delimitedRows';
import { RowChecksums } from '../../../nodes/NativeBulkImport/rows/importRows';
import { RowIdentity } from '../../../nodes/NativeBulkImport/importItems/start/rowIdentity';

type Plan = ConstructorParameters<typeof RowIdentity>[0];

/** A column that fills fields of a mapping type; its name is that of the first, or of the record's ID. */
const column = (source: string, ...fields: string[]) => ({
	name: source,
	source,
	expression: `={{ $json.${source} }}`,
	fields: fields.map((field) => ({ mappingType: { key: 'contact' }, field })),
});

const identityOf = (...columns: Array<ReturnType<typeof column>>) =>
	new RowIdentity({
		resourceType: 'Contacts',
		mapping: { columns, mappingTypes: [{ name: 'CreateOrUpdateContact' }], fixed: [] },
		settings: {
			format: { columnDelimiter: 'CSV', hasQuotes: true, lineBreaks: 'replace' },
		},
	} as unknown as Plan);
const email = column('Email', 'Email');

test('what is imported is the same whatever the order of its columns and of the fields of one', () => {
	const one = identityOf(column('FirstName', 'FirstName', 'Nickname'), email);
	const other = identityOf(email, column('Nickname', 'Nickname', 'FirstName'));
	expect(other.mapping).toBe(one.mapping);
	expect(other.textsOf(['a@example.org', 'Ada'])).toEqual(one.textsOf(['Ada', 'a@example.org']));
});

test.each([
	['another field', email, column('OtherEmail', 'OtherEmail')],
	['a field more', email, column('Email', 'Email', 'OtherEmail')],
	['the ID of the record instead', email, column('NativeId')],
	['the ID of the record, too', email, column('NativeId', 'Email')],
	[
		'the ID of the record, too, besides two fields',
		column('Email', 'Email', 'OtherEmail'),
		column('NativeId', 'Email', 'OtherEmail'),
	],
])('something else is imported if a column fills %s', (_, one, other) => {
	expect(identityOf(other).mapping).not.toBe(identityOf(one).mapping);
});

test.each([
	['as they were read', { Email: 'ada@example.org', FirstName: 'Ada' }],
	['in another order', { FirstName: 'Ada', Id: 7, Email: 'ada@example.org' }],
	['cleaned', { Email: ' ADA@example.org', FirstName: '' }],
	['of other columns', { Mail: 'ada@example.org' }],
])('a row has one identity, whether its values or its cells are added: %s', (_, read) => {
	const [byValues, byCells] = [0, 1].map(() => identityOf(column('FirstName', 'FirstName'), email));
	const given = new RowChecksums();
	for (const first of ['Ada', '', 'Bo']) {
		byValues?.add([first, 'ada@example.org']);
		given.addValues(read);
		byCells?.addCells([first, 'ada@example.org'], given);
	}
	byValues?.add(new InvalidRow('Row', 'is wrong.'));
	byCells?.addCells(undefined, given);
	const rows = [0, 1, 2, 3].map((row) => byCells?.at(row));
	expect(rows).toEqual([0, 1, 2, 3].map((row) => byValues?.at(row)));
	expect(new Set(rows).size).toBe(4);
});
