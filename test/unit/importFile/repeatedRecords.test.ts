import fc from 'fast-check';

import { TimeSlice } from '../../../nodes/shared/execution/timeSlice';
import { RecordIds } from '../../../nodes/shared/importFile/repeatedRecords';
import type { ResultRow } from '../../../nodes/shared/importFile/resultFile';
import { longestTurnOf } from '../../support/eventLoop';

type Id = Pick<ResultRow, 'primaryKey' | 'primaryKeyType'>;
const ids = fc.record({
	primaryKey: fc.option(
		fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('A1', 'B2', '-3')),
	),
	primaryKeyType: fc.constantFrom('NativeID', 'CodeID'),
});

function collect(rows: readonly Id[]): RecordIds {
	const found = new RecordIds(rows.length);
	rows.forEach((row, position) => found.add(position, row as ResultRow));
	return found;
}

test('rows with one ID of one kind are one record, and no others', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(ids, { maxLength: 40 }), async (rows) => {
			const keys = rows.flatMap(({ primaryKey, primaryKeyType }) =>
				primaryKey === null ? [] : [`${primaryKeyType} ${primaryKey}`],
			);
			const { rows: repeated, records } = await collect(rows).find(new TimeSlice(undefined));
			expect(repeated).toBe(keys.length - new Set(keys).size);
			for (const { id, positions } of records) {
				expect(new Set(positions.map((at) => rows[at]?.primaryKeyType)).size).toBe(1);
				expect(positions.every((at) => rows[at]?.primaryKey === id)).toBe(true);
			}
		}),
	);
});

test('an ID of another kind than the first stays a number', async () => {
	const [one, other] = [
		{ primaryKey: 7, primaryKeyType: 'CodeID' },
		{ primaryKey: 1, primaryKeyType: 'NativeID' },
	];
	const found = collect([one, other, other]);
	expect(await found.find(new TimeSlice(undefined))).toEqual({
		rows: 1,
		records: [{ id: 1, positions: [1, 2], rows: 2 }],
	});
	expect(found.of(2)).toEqual(other);
});

test('a million rows are compared without a long turn', async () => {
	const rows = 1_000_000;
	const found = new RecordIds(rows);
	for (let at = 0; at < rows; at++)
		found.add(at, { primaryKey: (at % 999_998) * 4096, primaryKeyType: 'NativeID' } as ResultRow);
	const find = async () => await found.find(new TimeSlice(undefined));
	expect(await find()).toMatchObject({
		rows: 2,
		records: [{ id: 0, positions: [0, 999_998] }, { rows: 2 }],
	});
	expect(await longestTurnOf(find, 50)).toBeLessThanOrEqual(50);
});
