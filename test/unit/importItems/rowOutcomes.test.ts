import {
	failureText,
	RowOutcomes,
} from '../../../nodes/NativeBulkImport/importItems/outcome/jobResults';
import { isSuccessOutcome } from '../../../nodes/shared/importFile/resultFile';

/** What one result file says of the first row. */
const mention = (outcomes: Record<string, string>, primaryKey: number | null = null) => ({
	row: 1,
	primaryKey,
	primaryKeyType: primaryKey === null ? null : 'NativeID',
	columns: { n8nitem: 'k3f9x2-1' },
	outcomes,
	succeeded: Object.values(outcomes).every(isSuccessOutcome),
});

const job = { jobId: 7, run: 'k3f9x2', first: 0, end: Number.POSITIVE_INFINITY };

type Outcomes = Record<string, string>;

describe('a row that several result files mention', () => {
	test.each<[string, Outcomes[], Outcomes, string]>([
		[
			'keeps what each says',
			[{ Phones: 'Processed' }, { Email: 'Processed' }],
			{ Phones: 'Processed', Email: 'Processed' },
			'imported',
		],
		[
			'keeps what did not go in beside what did',
			[{ Phones: 'Invalid' }, { Email: 'Processed' }],
			{ Phones: 'Invalid', Email: 'Processed' },
			'failed',
		],
		[
			'keeps every complaint, whichever file has it',
			[
				{ Phones: 'Invalid', Email: 'Processed' },
				{ Phones: 'Processed', Email: 'Too long' },
			],
			{ Phones: 'Invalid', Email: 'Too long' },
			'failed',
		],
	])('%s', (_, mentions, outcomes, status) => {
		const rows = new RowOutcomes('N8nItem', 1, true);
		for (const said of mentions) rows.add(job, mention(said));
		expect(rows.of(0, 7)).toMatchObject({ status, jobId: 7, outcomes });
	});

	test.each([true, false])('does not count as rejected without an outcome, %s', (keeps) => {
		const rows = new RowOutcomes('N8nItem', 1, keeps);
		rows.add(job, { ...mention({ Phones: '' }, 1001), succeeded: false });
		expect(rows.of(0, 7)).toMatchObject({ status: 'missing', primaryKey: 1001 });
		expect(failureText(rows.of(0, 7), 'row')).toMatch(/lists this row without an outcome/);
		rows.add(job, mention({ Email: 'Processed' }));
		expect(rows.of(0, 7).status).toBe('imported');
		expect(rows.statusOf(0)).toBe('imported');
	});

	test.each([true, false])('keeps the record that one of them names, %s', (keeps) => {
		const rows = new RowOutcomes('N8nItem', 1, keeps);
		rows.add(job, mention({ Phones: 'Processed' }, 1001));
		rows.add(job, mention({ Email: 'Invalid' }));
		expect(rows.of(0, 7)).toMatchObject({ primaryKey: 1001, primaryKeyType: 'NativeID' });
	});

	test('lists every rejection where imported rows are not remembered', () => {
		const rows = new RowOutcomes('N8nItem', 1, false);
		const mentions: Outcomes[] = [
			{ A: 'Processed' },
			{ B: 'Invalid' },
			{ C: 'Processed' },
			{ D: 'Too long' },
		];
		for (const said of mentions) rows.add(job, mention(said));
		expect(rows.statusOf(0)).toBe('failed');
		expect(failureText(rows.of(0, 7), 'row')).toBe(
			'B: Invalid; D: Too long. The rest of this row was stored.',
		);
	});
});

test.each([
	...['0', '3', '1000000000'].map((row) => [`k3f9x2-${row}`, 'foreign']),
	['a1b2c3-1', 'foreign'],
	...['1', 'k3f9x2', 'k3f9x2--1', 'k3f9x2-1.5', '', 'a'].map((key) => [key, 'unmatched']),
])('the key "%s" names none of two rows: %s', (n8nitem, match) => {
	const rows = new RowOutcomes('N8nItem', 2, true);
	expect(rows.add(job, { ...mention({ Phones: 'Invalid' }), columns: { n8nitem } })).toBe(match);
	expect(rows.hasAny).toBe(false);
	expect(rows.of(2, 7).status).toBe('missing');
});

test('a job imports the rows of its own file only', () => {
	const rows = new RowOutcomes('N8nItem', 2, true);
	expect(rows.add({ ...job, first: 1 }, mention({ Phones: 'Processed' }))).toBe('foreign');
	expect(rows.hasAny).toBe(false);
});

test('results of one run are joined if the run of a job is unknown', () => {
	const rows = new RowOutcomes('N8nItem', 2, true);
	const unknown = { jobId: 7, first: 0, end: 2 };
	const keys = ['k3f9x2-1', 'a1b2c3-2', 'k3f9x2-2'].map((n8nitem) => ({ n8nitem }));
	expect(
		keys.map((columns) => rows.add(unknown, { ...mention({ Phones: 'Processed' }), columns })),
	).toEqual(['joined', 'foreign', 'joined']);
});
