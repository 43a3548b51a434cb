import {
	NotAResultFile,
	readResultRows,
	type ResultRow,
	resultLayout,
	resultRow,
} from '../../../nodes/shared/importFile/resultFile';

const FIXED = ['BulkUploadDataID', 'ULFileID', 'PrimaryKey', 'PrimaryKeyType'];

async function rowsOf(text: string, included?: string[]): Promise<ResultRow[]> {
	async function* chunks(): AsyncGenerator<Uint8Array> {
		for (const byte of Buffer.from(text)) yield await Promise.resolve(Uint8Array.of(byte));
	}
	const rows: ResultRow[] = [];
	for await (const batch of readResultRows(chunks(), included)) rows.push(...batch);
	return rows;
}

/** Names of the columns that a header is split into. */
function split(header: string[], included?: string[]) {
	const layout = resultLayout(header, included);
	const names = (columns: ReadonlyArray<readonly [string, number]>) =>
		columns.map(([name]) => name);
	return { included: names(layout.included), outcomes: names(layout.outcomes) };
}

describe('the columns after the fixed ones', () => {
	test.each<[string, string[], string[] | undefined, string[], string[]]>([
		['one default label', ['Phones_1834'], undefined, [], ['Phones_1834']],
		[
			'included columns and default labels',
			['CrmId', 'Phones_1', 'Email_2'],
			undefined,
			['CrmId'],
			['Phones_1', 'Email_2'],
		],
		[
			'the same mapping type twice',
			['ApplyExternalID_1', 'ApplyExternalID_2'],
			undefined,
			[],
			['ApplyExternalID_1', 'ApplyExternalID_2'],
		],
		[
			'a label of the user after a default one',
			['CrmId', 'Phones_1', 'Address'],
			undefined,
			['CrmId'],
			['Phones_1', 'Address'],
		],
		[
			'labels of the user and known included columns',
			['CrmId', 'PhoneResult', 'Address'],
			['CrmId'],
			['CrmId'],
			['PhoneResult', 'Address'],
		],
		[
			'known included columns in another casing',
			['crmid', 'PhoneResult'],
			['CrmId'],
			['crmid'],
			['PhoneResult'],
		],
		[
			'known included columns that look like labels',
			['Ext_1', 'Phones_2'],
			['Ext_1'],
			['Ext_1'],
			['Phones_2'],
		],
		[
			'labels of the user and unknown included columns',
			['CrmId', 'PhoneResult'],
			undefined,
			['CrmId'],
			['PhoneResult'],
		],
		[
			'no included column, which is known',
			['PhoneResult', 'Address'],
			[],
			[],
			['PhoneResult', 'Address'],
		],
		['none at all', [], undefined, [], []],
	])('%s', (_, header, known, included, outcomes) => {
		expect(split([...FIXED, ...header], known)).toEqual({ included, outcomes });
	});

	test('are found wherever the fixed ones stand, and in any casing', () => {
		const layout = resultLayout([' primarykeytype', 'CrmId', 'PRIMARYKEY ', 'Phones_1'], undefined);
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
	const layout = resultLayout([...FIXED, 'CrmId', 'Phones_1', 'Email_2'], undefined);

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
		['007', '007'],
		['9007199254740993', '9007199254740993'],
		['1.0', '1.0'],
		['1e3', '1e3'],
	])('with the key "%s" has the key %j', (key, expected) => {
		expect(resultRow(layout, ['1', '1', key, 'NativeID']).primaryKey).toBe(expected);
	});

	test.each<[string, string, boolean]>([
		['Processed', 'Processed', true],
		['processed', 'Processed', true],
		[' Processed ', 'Processed', true],
		['Processed', '', true],
		['Processed', 'Invalid phone number', false],
		['Ignored to avoid overwriting best phone', 'Processed', false],
		['Unprocessed', 'Processed', false],
		['Error', 'Error', false],
	])('with the outcomes "%s" and "%s" went in: %s', (first, second, succeeded) => {
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
			succeeded: true,
		});
	});

	test('keeps the included value as it was sent, spaces and all', () => {
		expect(resultRow(layout, ['1', '1', '7', 'NativeID', ' 01 ']).columns).toEqual({
			CrmId: ' 01 ',
		});
	});
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

	test('with a header alone has no rows', async () => {
		expect(await rowsOf(`${FIXED.join()},Phones_1\n`)).toEqual([]);
	});

	test.each([
		['that is empty', '', ''],
		['that holds nothing but lines', '\n\n', ''],
		[
			'of an error page',
			'<html><body>Forbidden, sorry</body></html>',
			'<html><body>Forbidden, sorry</body></html>',
		],
		['of another kind', 'id,name\n1,A\n', 'id,name'],
	])('%s is no result file', async (_, text, firstLine) => {
		await expect(rowsOf(text)).rejects.toMatchObject({ name: 'NotAResultFile', firstLine });
		await expect(rowsOf(text)).rejects.toBeInstanceOf(NotAResultFile);
	});
});
