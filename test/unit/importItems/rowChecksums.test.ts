import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { RowChecksums } from '../../../nodes/NativeBulkImport/rows/importRows';
import { repetitions } from '../../support/randomCases';

/** Counts how often a loop would let the rest of n8n run, if each look at the clock said so. */
class CountingSlice {
	readonly isOver = true;
	pauses = 0;

	async yield(): Promise<void> {
		this.pauses++;
		await Promise.resolve();
	}
}

const checksum = async (...rows: object[]): Promise<string> => {
	const checksums = new RowChecksums();
	for (const row of rows) checksums.addRow(Object.keys(row), Object.values(row));
	return await checksums.of(0, rows.length, new CountingSlice());
};

test('two switches that change together change the checksum', async () => {
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
				expect(await checksum({ [first]: off, [second]: on })).not.toBe(
					await checksum({ [first]: on, [second]: off }),
				);
});

test('a value that moves to another column or row changes the checksum', async () => {
	expect(await checksum({ a: 'x', b: 'y' })).not.toBe(await checksum({ a: 'y', b: 'x' }));
	expect(await checksum({ a: 'x' }, { a: 'y' })).not.toBe(await checksum({ a: 'y' }, { a: 'x' }));
	expect(await checksum({ a: '' }, { a: 'x' })).not.toBe(await checksum({ a: 'x' }, { a: '' }));
});

test('a row has the same checksum after n8n has stored it', async () => {
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
	await fc.assert(
		fc.asyncProperty(fc.dictionary(fc.string(), values), async (row) => {
			const stored = JSON.parse(JSON.stringify(row)) as IDataObject;
			expect(await checksum(row)).toBe(await checksum(stored));
		}),
		{ numRuns: repetitions(1000) },
	);
});

test('the checksum of a million rows lets the rest of n8n run', async () => {
	const checksums = new RowChecksums();
	const rows = 1_000_000;
	for (let row = 0; row < rows; row++) checksums.addRow(['a'], ['x']);
	const slice = new CountingSlice();
	await checksums.of(0, rows, slice);
	// A hundred thousand rows take a few milliseconds.
	expect(slice.pauses).toBeGreaterThanOrEqual(rows / 100_000);
});
