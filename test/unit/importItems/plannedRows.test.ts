import {
	comparePlan,
	plannedRows,
} from '../../../nodes/NativeBulkImport/importItems/features/askFirst/plannedRows';
import type { OutcomeView } from '../../../nodes/NativeBulkImport/importItems/feature';
import type { RowResult } from '../../../nodes/NativeBulkImport/importItems/model';
import { TimeSlice } from '../../../nodes/shared/execution/timeSlice';

type Result = Pick<RowResult, 'status' | 'primaryKey'> & { reason?: string };

const compare = async (items: object[], results: Result[]): Promise<string> => {
	const outcome = {
		started: { totalRows: results.length },
		resultAt: (position: number) => results[position],
		nameOf: (position: number) => `line ${position + 2}`,
	} as unknown as OutcomeView;
	return await comparePlan(plannedRows(items), outcome, new TimeSlice(undefined));
};
const imported = (primaryKey: number | null): Result => ({ status: 'imported', primaryKey });
const row = (number: number, match: string, personId: number | null = null) => ({
	lookup: { row: number, match, personId },
});

test.each<[string, object, Result, boolean]>([
	['a new person', row(1, 'new'), imported(7), true],
	['a new person who is always stored', row(1, 'notEnough'), imported(7), true],
	[
		'a new person whom the service rejects',
		row(1, 'new'),
		{ status: 'failed', primaryKey: null },
		false,
	],
	['the update', row(1, 'update', 7), imported(7), true],
	['an update of somebody else', row(1, 'update', 7), imported(8), false],
	['an update of nobody who was there', row(1, 'update'), imported(8), false],
	['a rejected row', row(1, 'rejected'), { status: 'failed', primaryKey: null }, true],
	['a rejected row that was imported', row(1, 'rejected'), imported(7), false],
	['a record without ID', row(1, 'update', 7), imported(null), true],
])('compares a row with its plan: %s', async (_, planned, result, isAsPlanned) => {
	const text = await compare([planned], [result]);
	expect(text.startsWith(`As planned: ${isAsPlanned ? 1 : 0} of 1 row that was looked up`)).toBe(
		true,
	);
});

test('an update of an earlier row of the list is one', async () => {
	const items = [row(1, 'new'), row(2, 'update')];
	expect(await compare(items, [imported(7), imported(7)])).toMatch(/^As planned: 2 of 2/);
});

test('a person whom a later row was to update is not new', async () => {
	const items = [row(1, 'new'), row(2, 'update', 7)];
	expect(await compare(items, [imported(7), imported(7)])).toBe(
		'As planned: 1 of 2 rows that were looked up. Different: 1: line 2 (planned: new; imported as 7).',
	);
});

test('names 20 rows that went otherwise, and counts the others', async () => {
	const items = Array.from({ length: 22 }, (_, index) => row(index + 1, 'update', 1));
	const text = await compare(
		items,
		items.map((_, index) => imported(100 + index)),
	);
	expect(text.match(/\(planned: an update of 1; imported as \d+\)/g)).toHaveLength(20);
	expect(text).toMatch(/^As planned: 0 of 22 .*Different: 22: .*; and 2 more\.$/);
});

test('says once what several rows have in common', async () => {
	const items = [1, 2, 3].map((position) => row(position, 'update', 1));
	expect(await compare(items, [imported(5), imported(5), imported(6)])).toMatch(
		/Different: 3: line 2, line 3 \(planned: an update of 1; imported as 5\); line 4 \(planned: an update of 1; imported as 6\)\.$/,
	);
});

test('takes nothing for a plan that is none', () => {
	expect(
		plannedRows([
			{},
			{ lookup: { match: 'new' } },
			{ lookup: { item: 1, match: 'unknown', personId: null } },
			{ lookup: { row: 0, match: 'new', personId: null } },
			{ lookup: { match: 'new', personId: null } },
		]),
	).toEqual([]);
});
