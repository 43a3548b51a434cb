import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { RowChecksums } from '../../../nodes/NativeBulkImport/rows/importRows';
import { repetitions } from '../../support/randomCases';

const checksum = (...rows: object[]): string => {
	const checksums = new RowChecksums();
	for (const row of rows) checksums.addRow(Object.keys(row), Object.values(row));
	return checksums.of(0, rows.length);
};

test('two switches that change together change the checksum', () => {
	const names = ['isMember', 'isDonor', 'isVolunteer', 'optIn', 'a', 'b', 'Email', 'Phone'];
	for (const first of names)
		for (const second of names.filter((name) => name !== first))
			for (const [off, on] of [
				['0', '1'],
				['N', 'Y'],
				['false', 'true'],
				[0, 1],
				[false, true],
			])
				expect(checksum({ [first]: off, [second]: on })).not.toBe(
					checksum({ [first]: on, [second]: off }),
				);
});

test('a value that moves to another column or row changes the checksum', () => {
	expect(checksum({ a: 'x', b: 'y' })).not.toBe(checksum({ a: 'y', b: 'x' }));
	expect(checksum({ a: 'x' }, { a: 'y' })).not.toBe(checksum({ a: 'y' }, { a: 'x' }));
	expect(checksum({ a: '' }, { a: 'x' })).not.toBe(checksum({ a: 'x' }, { a: '' }));
});

test('a row has the same checksum after n8n has stored it', () => {
	const decimal = { toJSON: () => ({ $numberDecimal: '1.50' }) };
	const values = fc.oneof(
		fc.anything({ withDate: true, withBigInt: false }),
		fc.constantFrom(
			Buffer.from('bytes'),
			new Uint8Array([1, 2]),
			Number.NaN,
			Number.POSITIVE_INFINITY,
			-0,
			decimal,
			{ nested: decimal, not: undefined },
			new Date(Number.NaN),
			new Date(0),
			{ toJSON: () => 'a "text"' },
			{ toJSON: () => 7 },
			{ toJSON: () => undefined },
			Symbol('s'),
			() => 1,
			[Number.NaN, undefined],
		),
	);
	fc.assert(
		fc.property(fc.dictionary(fc.string(), values), (row) => {
			const stored = JSON.parse(JSON.stringify(row)) as IDataObject;
			expect(checksum(row)).toBe(checksum(stored));
		}),
		{ numRuns: repetitions(1000) },
	);
});
