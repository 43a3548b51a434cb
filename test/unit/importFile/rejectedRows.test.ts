import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';

import { RejectedRows, withoutReason } from '../../../nodes/shared/importFile/rejectedRows';
import { CountingSlice } from '../../support/countingSlice';

const noSlice = { isOver: false, yield: async () => await Promise.resolve() };
const NONE = { id: null, idName: null };

/** The file's records without the header, after one row was added. */
async function recordOf(
	columns: string[],
	values: Record<string, unknown>,
	reason: string,
	existing: { id: string | number | null; idName: string | null } = NONE,
): Promise<Record<string, string>> {
	const rejected = new RejectedRows(columns);
	rejected.add(values, reason, existing);
	const [record] = parse<Record<string, string>>((await rejected.content(noSlice)) ?? '', {
		bom: true,
		columns: true,
	});
	return record ?? {};
}

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
	'a text of the service is no formula: %j',
	async (text) => {
		const record = await recordOf(['Name'], { Name: text }, text, { id: text, idName: 'NativeID' });
		// The user's own values stay as they are.
		expect(record).toEqual({ Name: text, NativeID: `'${text}`, 'Import Result': `'${text}` });
	},
);

test('a date of a database or an expression stays the day that it is', async () => {
	const born = new Date('1945-09-18T00:00:00Z');
	const joined = DateTime.fromISO('2026-03-01', { zone: 'America/New_York' });
	expect(await recordOf(['born', 'joined'], { born, joined }, 'no')).toMatchObject({
		born: '1945-09-18',
		joined: '2026-03-01',
	});
});

test('the ID of a record that exists fills a blank ID column', async () => {
	const existing = { id: 7, idName: 'NativeID' };
	expect((await recordOf(['nativeId'], { nativeId: '' }, 'no', existing)).nativeId).toBe('7');
	expect((await recordOf(['nativeId'], { nativeId: '8' }, 'no', existing)).nativeId).toBe('8');
});

test('the reason replaces that of an earlier file, not a column of the row', async () => {
	const columns = [...withoutReason(['A', 'Import Result'])];
	expect(await recordOf(columns, { A: '1', 'Import Result': 'old' }, 'new')).toEqual({
		A: '1',
		'Import Result': 'new',
	});
	expect(
		await recordOf(['Import Result', 'A'], { A: '1', 'Import Result': 'mine' }, 'new'),
	).toEqual({
		'Import Result (row)': 'mine',
		A: '1',
		'Import Result': 'new',
	});
});

test('names that every object has are columns like others', async () => {
	const rejected = new RejectedRows(['constructor', '__proto__']);
	rejected.add({}, 'no', NONE);
	rejected.add(JSON.parse('{"__proto__":"x"}') as Record<string, unknown>, 'no', NONE);
	expect(parse((await rejected.content(noSlice)) ?? '', { bom: true }).slice(1)).toEqual([
		['', '', 'no'],
		['', 'x', 'no'],
	]);
});

test('the file of many rejected rows is made in pieces', async () => {
	const rejected = new RejectedRows(['A']);
	const count = 1000;
	const values = { A: 'a'.repeat(1000) };
	for (let row = 0; row < count; row++) rejected.add(values, `no ${row}`, NONE);
	const slice = new CountingSlice();
	const records = parse((await rejected.content(slice)) ?? '', { bom: true }) as string[][];
	expect(records.slice(1).map(([, reason]) => reason)).toEqual(
		Array.from({ length: count }, (_, row) => `no ${row}`),
	);
	expect(slice.pauses).toBeGreaterThanOrEqual(count);
});
