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
