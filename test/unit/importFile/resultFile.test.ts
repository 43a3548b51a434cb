import * as fc from 'fast-check';

import { UnreadableText } from '../../../nodes/shared/importFile/delimitedText';
import {
	isSuccessOutcome,
	mergeOutcomes,
	NotAResultFile,
	readResultRows,
	resultLayout,
	resultRow,
	type ResultRow,
} from '../../../nodes/shared/importFile/resultFile';
import { repetitions } from '../../support/randomCases';

const FIXED = ['BulkUploadDataID', 'ULFileID', 'PrimaryKey', 'PrimaryKeyType'];

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
	for (const byte of Buffer.from(text)) yield await Promise.resolve(Uint8Array.of(byte));
}

async function rowsOf(text: string, included: string[] = []): Promise<ResultRow[]> {
	const rows: ResultRow[] = [];
	for await (const batch of readResultRows(chunksOf(text), included)) rows.push(...batch);
	return rows;
}

describe('the columns after the fixed ones', () => {
	test.each([
		[
			'included columns and labels of the user',
			'CrmId,PhoneResult',
			'CrmId',
			'CrmId',
			'PhoneResult',
		],
		['included columns in another casing', 'crmid,PhoneResult', 'CrmId', 'crmid', 'PhoneResult'],
		['an included column like a fixed one', 'PrimaryKey,A_2', 'PrimaryKey', 'PrimaryKey', 'A_2'],
		['a label like the included column before it', 'CrmId,CRMID', 'CrmId', 'CrmId', 'CRMID'],
		['a label like a fixed column', 'PrimaryKey,A_2', '', '', 'PrimaryKey,A_2'],
		['equal labels', 'Result,Result', '', '', 'Result,Result (2)'],
		['the column of Import Items', 'N8nItem,Phones,Email', '', 'N8nItem', 'Phones,Email'],
	])('%s', (_, header, known, included, outcomes) => {
		const layout = resultLayout([...FIXED, ...header.split(',')], [known]);
		const names = (columns: ReadonlyArray<readonly [string, number]>) =>
			columns.map(([name]) => name).join();
		expect([names(layout.included), names(layout.outcomes)]).toEqual([included, outcomes]);
	});

	test('are found wherever the fixed ones are, and in any casing', () => {
		const layout = resultLayout([' primarykeytype', 'CrmId', 'PRIMARYKEY ', 'Phones_1'], ['CrmId']);
		expect(layout).toEqual({
			row: -1,
			primaryKey: 2,
			primaryKeyType: 0,
			included: [['CrmId', 1]],
			outcomes: [['Phones_1', 3]],
		});
	});
});

describe('a row', () => {
	const layout = resultLayout([...FIXED, 'CrmId', 'Phones_1', 'Email_2'], ['CrmId']);

	test('is read with its key as a number', () => {
		const record = ['1', '6200', '1001', 'NativeID', 'c-1', 'Processed', 'Invalid'];
		expect(resultRow(layout, record)).toEqual({
			row: 1,
			primaryKey: 1001,
			primaryKeyType: 'NativeID',
			columns: { CrmId: 'c-1' },
			outcomes: { Phones_1: 'Processed', Email_2: 'Invalid' },
			succeeded: false,
		});
	});

	test.each<[string, number | string | null]>([
		['1001', 1001],
		['0', 0],
		['', null],
		['EID-7', 'EID-7'],
		['9007199254740993', '9007199254740993'],
		['1e3', '1e3'],
	])('with the key "%s" has the key %j', (key, expected) => {
		expect(resultRow(layout, ['1', '1', key, 'NativeID']).primaryKey).toBe(expected);
	});

	test.each<[string, string, boolean]>([
		['Processed', 'Processed', true],
		[' Processed ', 'Processed', true],
		['Processed', '', true],
		['Processed', 'Invalid phone number', false],
		['Ignored to avoid overwriting best phone', 'Processed', false],
		['Error', 'Error', false],
	])('with the outcomes "%s" and "%s" was imported: %s', (first, second, succeeded) => {
		expect(resultRow(layout, ['1', '1', '7', 'NativeID', 'c', first, second]).succeeded).toBe(
			succeeded,
		);
	});

	test('that is cut short lacks what it does not hold', () => {
		expect(resultRow(layout, ['x'])).toEqual({
			row: null,
			primaryKey: null,
			primaryKeyType: null,
			columns: { CrmId: '' },
			outcomes: { Phones_1: '', Email_2: '' },
			succeeded: false,
		});
		expect(resultRow(layout, ['1', '1', '7', 'NativeID', 'c', 'Processed']).succeeded).toBe(false);
	});

	test('of a file without outcomes is not known to be imported', () => {
		const bare = resultLayout([...FIXED, 'CrmId'], ['CrmId']);
		expect(resultRow(bare, ['1', '1', '7', 'NativeID', 'c-1'])).toMatchObject({
			columns: { CrmId: 'c-1' },
			outcomes: {},
			succeeded: false,
		});
	});

	test('loses no complaint to another outcome with the same label', () => {
		const alike = resultLayout([...FIXED, 'Result', 'Result'], []);
		const record = ['1', '1', '7', 'NativeID', 'Invalid phone number', 'Processed'];
		expect(resultRow(alike, record)).toMatchObject({
			outcomes: { Result: 'Invalid phone number', 'Result (2)': 'Processed' },
			succeeded: false,
		});
	});

	test('keeps columns that no object can have under their name', () => {
		const header = [...FIXED, '__proto__', 'CrmId', '__proto__'];
		const record = ['1', '1', '7', 'NativeID', 'x', 'c-1', 'Invalid phone number'];
		expect(resultRow(resultLayout(header, ['__proto__', 'CrmId']), record)).toMatchObject({
			columns: { '__proto__ (2)': 'x', CrmId: 'c-1' },
			outcomes: { '__proto__ (2)': 'Invalid phone number' },
		});
	});

	test.each<[string, string[], string[], string[]]>([
		['labels of the user', ['PhoneResult', 'EmailResult'], [], []],
		['the column of Import Items', ['N8nItem', 'Phones', 'Email'], [], ['1']],
	])(
		'that was rejected in its first outcome did not succeed, with %s',
		(_, header, included, values) => {
			const record = ['1', '1', '7', 'NativeID', ...values, 'Invalid phone number', 'Processed'];
			const row = resultRow(resultLayout([...FIXED, ...header], included), record);
			expect(row.succeeded).toBe(false);
			expect(Object.values(row.outcomes)).toContain('Invalid phone number');
		},
	);
});

describe('a file', () => {
	test('is read row by row', async () => {
		const text = `\ufeff${FIXED.join()},CrmId,PhoneResult\r\n1,6200,1001,VanID,"a, ""b""\n😀",Processed\r\n2,6200,,,c-2,Invalid phone number\r\n`;
		expect(await rowsOf(text, ['CrmId'])).toEqual([
			{
				row: 1,
				primaryKey: 1001,
				primaryKeyType: 'VanID',
				columns: { CrmId: 'a, "b"\n😀' },
				outcomes: { PhoneResult: 'Processed' },
				succeeded: true,
			},
			{
				row: 2,
				primaryKey: null,
				primaryKeyType: null,
				columns: { CrmId: 'c-2' },
				outcomes: { PhoneResult: 'Invalid phone number' },
				succeeded: false,
			},
		]);
	});

	test.each([
		['that holds nothing but lines', '\n\n', ''],
		[
			'of an error page',
			'<html><body>Forbidden, sorry</body></html>',
			'<html><body>Forbidden, sorry</body></html>',
		],
		['of another kind', 'id,name\n1,A\n', 'id,name'],
		[
			'with more columns than a job can ask for',
			`${FIXED.join()},${'0,'.repeat(2000)}\n`,
			`${FIXED.join()},${'0,'.repeat(100)}`.slice(0, 200),
		],
	])('%s is no result file', async (_, text, firstLine) => {
		await expect(rowsOf(text)).rejects.toMatchObject({ name: 'NotAResultFile', firstLine });
		await expect(rowsOf(text)).rejects.toBeInstanceOf(NotAResultFile);
	});
});

test('an extra column is no outcome once every label that was asked for is there', () => {
	const header = [...FIXED, 'N8nItem', 'RecordUrl', 'Phones', 'Email'];
	const named = (labels: string[]) =>
		resultLayout(header, ['N8nItem'], labels).outcomes.map(([name]) => name);
	expect(named(['phones', 'Email'])).toEqual(['Phones', 'Email']);
	// A label that is missing may hide behind any other name.
	expect(named(['Phones', 'MailingAddress'])).toEqual(['RecordUrl', 'Phones', 'Email']);
	expect(named([])).toEqual(['RecordUrl', 'Phones', 'Email']);
});

describe('a file that is cut', () => {
	const outcomes = [
		'Processed',
		'',
		'Invalid phone',
		'Processing failed',
		'"Invalid, and ""quoted"""',
	];
	const line = fc
		.tuple(
			fc.constantFrom('', '5', '1234'),
			fc.constantFrom(...outcomes),
			fc.constantFrom(...outcomes),
		)
		.map(([key, ...values]) => `,9,${key},NativeID,${values.join(',')}`);

	test('says of no row what the whole file does not say, and that it is cut', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(line, { minLength: 1, maxLength: 4 }),
				fc.constantFrom('\n', '\r\n', '\r'),
				fc.nat(),
				async (lines, lineEnd, position) => {
					const header = [...FIXED, 'Phones_1', 'Email_2'].join(',');
					const text = [header, ...lines.map((rest, row) => row + 1 + rest), ''].join(lineEnd);
					const cut = text.slice(0, position % text.length);
					const whole = await rowsOf(text);
					const read: ResultRow[] = [];
					let isUnreadable = false;
					try {
						for await (const batch of readResultRows(chunksOf(cut), [])) read.push(...batch);
					} catch (error) {
						isUnreadable = error instanceof UnreadableText || error instanceof NotAResultFile;
						expect(isUnreadable).toBe(true);
					}
					const complete = read.slice(0, -1);
					expect(complete).toEqual(whole.slice(0, complete.length));
					const [last, truth] = [read.at(-1), whole[complete.length]];
					if (last?.succeeded) expect(truth?.succeeded).toBe(true);
					const isRejected = (row: ResultRow | undefined) =>
						Object.values(row?.outcomes ?? {}).some((outcome) => !isSuccessOutcome(outcome));
					if (isRejected(last)) expect(isRejected(truth)).toBe(true);
					// Only a cut at the end of a value leaves no trace.
					if (!isUnreadable && read.length > 0) {
						expect(last?.row).toBe(read.length);
						expect(Object.keys(last?.outcomes ?? {})).toEqual(['Phones_1', 'Email_2']);
					}
				},
			),
			{ numRuns: repetitions(500) },
		);
	});

	test.each([
		['within an outcome', '2,9,5,NativeID,Processed,Proc'],
		['before an outcome', '2,9,5,NativeID,Processed'],
		['within a number', '2'],
	])('%s gives its complete rows, then an error', async (_, last) => {
		const text = `${[...FIXED, 'Phones_1', 'Email_2'].join(',')}\n1,9,4,NativeID,Processed,\n${last}`;
		const rows = readResultRows(chunksOf(text), []);
		const read: ResultRow[] = [];
		const reading = (async () => {
			for await (const batch of rows) read.push(...batch);
		})();
		await expect(reading).rejects.toMatchObject({ problem: 'ends within its last line' });
		expect(read).toMatchObject([{ row: 1, succeeded: true }]);
	});
});

test.each(['', '\r\n'])('a header without a line end is cut, also after %j', async (before) => {
	const reading = rowsOf(`${before}${FIXED.join(',')},Phon`);
	await expect(reading).rejects.toMatchObject({ problem: 'ends within its first line' });
});

test('a file may begin with the primary key', async () => {
	expect(await rowsOf('PrimaryKey,PrimaryKeyType,Phones_1\n5,NativeID,Processed\n')).toMatchObject([
		{ row: null, primaryKey: 5, succeeded: true },
	]);
});

test('a mapping type of any name keeps its rejection', () => {
	expect(mergeOutcomes({}, { constructor: 'No' })).toEqual({ constructor: 'No' });
});
