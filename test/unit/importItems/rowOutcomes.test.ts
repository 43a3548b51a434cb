import { failureText, RowOutcomes } from '../../../nodes/NativeBulkImport/importItems/rowOutcomes';
import { isSuccessOutcome } from '../../../nodes/shared/importFile/resultFile';

/** What one result file says of the first row. */
const mention = (outcomes: Record<string, string>, primaryKey: number | null = null) => ({
	row: 1,
	primaryKey,
	primaryKeyType: primaryKey === null ? null : 'NativeID',
	columns: { n8nitem: '1' },
	outcomes,
	succeeded: Object.values(outcomes).every(isSuccessOutcome),
});

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
			'keeps what went in beside what did not',
			[{ Phones: 'Processed' }, { Email: 'Invalid' }],
			{ Phones: 'Processed', Email: 'Invalid' },
			'failed',
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
		[
			'loses nothing to a blank',
			[{ Phones: 'Processed' }, { Phones: '', Email: 'Processed' }],
			{ Phones: 'Processed', Email: 'Processed' },
			'imported',
		],
	])('%s', (_, mentions, outcomes, status) => {
		const rows = new RowOutcomes('N8nItem', 1, true);
		for (const said of mentions) rows.add(7, mention(said));
		expect(rows.of(0, 7)).toMatchObject({ status, jobId: 7, outcomes });
	});

	test.each([true, false])('is not taken for rejected where nothing is said, %s', (keeps) => {
		const rows = new RowOutcomes('N8nItem', 1, keeps);
		rows.add(7, { ...mention({ Phones: '' }, 1001), succeeded: false });
		expect(rows.of(0, 7)).toMatchObject({ status: 'missing', primaryKey: 1001 });
		expect(failureText(rows.of(0, 7), 'row')).toMatch(/lists this row without an outcome/);
		rows.add(7, mention({ Email: 'Processed' }));
		expect(rows.of(0, 7).status).toBe('imported');
		expect(rows.statusOf(0)).toBe('imported');
	});

	test('keeps the record that one of them names', () => {
		const rows = new RowOutcomes('N8nItem', 1, true);
		rows.add(7, mention({ Phones: 'Processed' }, 1001));
		rows.add(7, mention({ Email: 'Invalid' }));
		expect(rows.of(0, 7)).toMatchObject({ primaryKey: 1001, primaryKeyType: 'NativeID' });
	});

	test('says every complaint where rows that went in are not remembered', () => {
		const rows = new RowOutcomes('N8nItem', 1, false);
		const mentions: Outcomes[] = [
			{ A: 'Processed' },
			{ B: 'Invalid' },
			{ C: 'Processed' },
			{ D: 'Too long' },
		];
		for (const said of mentions) rows.add(7, mention(said));
		expect(rows.statusOf(0)).toBe('failed');
		expect(failureText(rows.of(0, 7), 'row')).toBe('B: Invalid; D: Too long');
	});
});

test.each(['0', '-1', '1.5', '3', '1000000000', '', 'a'])(
	'a mention of row "%s" belongs to none of two rows',
	(n8nitem) => {
		const rows = new RowOutcomes('N8nItem', 2, true);
		expect(rows.add(7, { ...mention({ Phones: 'Invalid' }), columns: { n8nitem } })).toBe(false);
		expect(rows.hasAny).toBe(false);
		expect(rows.of(2, 7).status).toBe('missing');
	},
);
