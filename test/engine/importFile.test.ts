import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { type NodeRun, readBinary, runNode } from './support/engine';
import { Sandboxed } from './support/sandboxed';
import { unzip } from './support/unzipped';

const node = new NativeBulkImport();

const build = (changes: INodeParameters = {}): INodeParameters => ({
	resource: 'file',
	operation: 'build',
	fileName: 'rows.csv',
	columnsFrom: 'all',
	columnDelimiter: 'CSV',
	hasQuotes: true,
	binaryPropertyName: 'data',
	options: {},
	...changes,
});

const runFile = async (
	parameters: INodeParameters,
	items: INodeExecutionData[],
	onError?: OnError,
): Promise<NodeRun> => await runNode({ node, parameters, items, ...(onError && { onError }) });
const itemsOf = (rows: IDataObject[]): INodeExecutionData[] => rows.map((json) => ({ json }));

async function textOf(item: INodeExecutionData | undefined): Promise<string> {
	const files = await unzip(await readBinary(item, 'data'));
	expect([...files.keys()]).toEqual(['rows.csv']);
	return files.get('rows.csv')?.toString('utf8') ?? '';
}

test('writes every value so that another reader finds it again', async () => {
	const rows = [
		{ NativeId: 1, Name: 'plain', Note: 'a, b' },
		{ NativeId: 2, Name: 'quote " inside', Note: '"whole"' },
		{ NativeId: 3, Name: 'Zoë Ünver 山田 🎉', Note: ' spaces at both ends ' },
		{ NativeId: 4, Name: null, Note: true },
		{ NativeId: 5, Name: 'tab\tand|pipe' },
	];
	const run = await runFile(build(), itemsOf(rows));

	expect(run.error).toBeUndefined();
	const [item, ...more] = run.outputs[0] ?? [];
	expect(more).toEqual([]);
	expect(item?.json).toMatchObject({
		file: {
			fileName: 'rows.csv',
			hasHeader: true,
			hasQuotes: true,
			columnDelimiter: 'CSV',
			columns: [{ name: 'NativeId' }, { name: 'Name' }, { name: 'Note' }],
		},
		rows: 5,
	});
	expect(item?.binary?.data).toMatchObject({ mimeType: 'application/zip' });
	expect(parse(await textOf(item))).toEqual([
		['NativeId', 'Name', 'Note'],
		['1', 'plain', 'a, b'],
		['2', 'quote " inside', '"whole"'],
		['3', 'Zoë Ünver 山田 🎉', ' spaces at both ends '],
		['4', '', 'true'],
		['5', 'tab\tand|pipe', ''],
	]);
});

test('writes the properties that every object has by other means', async () => {
	const row = JSON.parse('{"Name":"Ann","__proto__":"p","constructor":"c"}') as IDataObject;
	const run = await runFile(build(), itemsOf([row, { Name: 'Bo' }]));
	expect(parse(await textOf(run.outputs[0]?.[0]))).toEqual([
		['Name', 'proto', 'constructor'],
		['Ann', 'p', 'c'],
		['Bo', '', ''],
	]);
});

test('writes the columns that are listed, in their order', async () => {
	const run = await runFile(
		build({
			columnsFrom: 'define',
			columnList: {
				column: [
					{ property: 'b', name: 'NativeId' },
					{ property: 'a', name: '' },
				],
			},
			columnDelimiter: 'Pipe',
			options: { hasHeader: false },
		}),
		itemsOf([{ a: 'x', b: 7, c: 'left out' }]),
	);
	expect(await textOf(run.outputs[0]?.[0])).toBe('7|x\r\n');
});

test('takes the name of the file from the first item', async () => {
	const run = await runFile(
		build({ fileName: '={{ $json.file }}' }),
		itemsOf([{ file: 'first.csv' }, { file: 'second.csv' }]),
	);
	expect(run.outputs[0]).toMatchObject([{ json: { file: { fileName: 'first.csv' } } }]);
});

describe('a listed property', () => {
	const listed = (property: string) =>
		build({
			columnsFrom: 'define',
			columnList: { column: [{ property: 'Id' }, { property, name: 'X' }] },
			options: { hasHeader: false },
		});

	it.each<[string, IDataObject]>([
		['address.city', { address: { city: 'Juneau' } }],
		['address["Home City"]', { address: { 'Home City': 'Juneau' } }],
		["phones[1]['number']", { phones: [{}, { number: 'Juneau' }] }],
		['["Home City"]', { 'Home City': 'Juneau' }],
		['address.city', { 'address.city': 'Juneau', address: { city: 'other' } }],
		['City', { '\ufeffCity': 'Juneau' }],
		['City', { 'City\u200b\u00a0': 'Juneau' }],
	])('is found in the items: %s', async (property, second) => {
		const run = await runFile(
			listed(property),
			itemsOf([{ Id: 1, address: null }, { Id: 2, ...second }, { Id: 3 }]),
		);
		expect(await textOf(run.outputs[0]?.[0])).toBe('1,\r\n2,Juneau\r\n3,\r\n');
	});

	it.each(['Ctiy', 'address.ctiy', 'constructor', 'Id.length'])(
		'that no item has is rejected: %s',
		async (property) => {
			const run = await runFile(
				listed(property),
				itemsOf([{ Id: 1, City: 'Juneau', address: { city: 'Juneau' } }]),
			);
			expect(run.error?.message).toMatch(
				new RegExp(`^Column 2 is "${property}", a property that no item has\\.`),
			);
		},
	);

	it('names its column where no name is entered', async () => {
		const run = await runFile(
			build({
				columnsFrom: 'define',
				columnList: {
					column: [{ property: 'First Name' }, { property: 'address.city', name: '' }],
				},
			}),
			itemsOf([{ 'First Name': 'Ada', address: { city: 'Nome' } }]),
		);
		expect(await textOf(run.outputs[0]?.[0])).toBe('FirstName,addresscity\r\nAda,Nome\r\n');
	});
});

it.each([' ', '..', 'a/b.csv', '..\\b.csv', 'a\u0085.csv'])(
	'rejects a file name that is none: %j',
	async (fileName) => {
		const run = await runFile(build({ fileName }), itemsOf([{ Id: 1 }]));
		expect(run.error?.message).toMatch(/^File Name must be the name of one file/);
	},
);

it('writes dates of databases and expressions as the days and moments they are', async () => {
	const run = await runFile(
		build({ options: { hasHeader: false } }),
		itemsOf([
			{ NativeId: 1, Note: new Date('2026-03-01') as never },
			{ NativeId: 2, Note: new Date(2026, 2, 1) as never },
			{ NativeId: 3, Note: new Date('2026-03-01T10:00:00.250Z') as never },
			{ NativeId: 4, Note: DateTime.fromISO('2026-03-01', { zone: 'Asia/Tokyo' }) as never },
			{ NativeId: 5, Note: DateTime.fromISO('2026-03-01T10:00', { zone: 'Asia/Tokyo' }) as never },
		]),
	);
	const days = '1,2026-03-01\r\n2,2026-03-01\r\n3,2026-03-01T10:00:00.250Z\r\n';
	const ofTokyo = '4,2026-03-01\r\n5,2026-03-01T10:00:00.000+09:00\r\n';
	expect(await textOf(run.outputs[0]?.[0])).toBe(days + ofTokyo);
});

describe('line breaks inside values', () => {
	const items = itemsOf([{ NativeId: 1, Note: 'one\r\n two' }]);
	it.each([
		['replace', '1,one two\r\n'],
		['keep', '1,"one\r\n two"\r\n'],
	])('%s', async (lineBreaks, text) => {
		const run = await runFile(build({ options: { lineBreaks, hasHeader: false } }), items);
		expect(await textOf(run.outputs[0]?.[0])).toBe(text);
	});
});

describe('a value that would shift or end the row is rejected, by item and column', () => {
	it.each<[string, INodeParameters, unknown, RegExp]>([
		['a list', {}, [1, 2], /^Column "Note" is a list or an object/],
		[
			'a delimiter without quotes',
			{ hasQuotes: false },
			'a,b',
			/^Column "Note" contains the column delimiter/,
		],
	])('%s', async (_, changes, value, message) => {
		const rows = itemsOf([
			{ NativeId: 1, Note: 'fine' },
			{ NativeId: 2, Note: value as string },
			{ NativeId: 3, Note: 'fine' },
		]);
		const stopped = await runFile(build(changes), rows);
		expect(stopped.error).toMatchObject({
			message: expect.stringMatching(message) as string,
			context: { itemIndex: 1 },
		});

		const passed = await runFile(build(changes), rows, 'continueErrorOutput');
		expect(passed.outputs[1]).toMatchObject([
			{ json: { NativeId: 2, error: { message: expect.stringMatching(message) as string } } },
		]);
		expect(passed.outputs[0]).toMatchObject([{ json: { rows: 2 } }]);
	});
});

describe('columns that cannot work are rejected', () => {
	it.each<[string, INodeParameters, IDataObject, RegExp]>([
		[
			'more than 50',
			{},
			Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`c${i}`, i])),
			/^Columns: There are 51.*at most 50/,
		],
		[
			'a sign in a name',
			{ columnsFrom: 'define', columnList: { column: [{ property: 'a', name: 'First Name' }] } },
			{ a: 1 },
			/^Column 1: "First Name" may only contain/,
		],
		[
			'a name twice',
			{
				columnsFrom: 'define',
				columnList: {
					column: [
						{ property: 'a', name: 'X' },
						{ property: 'b', name: 'x' },
					],
				},
			},
			{ a: 1 },
			/^Column 2: "x" appears twice/,
		],
	])('%s', async (_, changes, row, message) => {
		const run = await runFile(build(changes), itemsOf([row]));
		expect(run.error?.message).toMatch(message);
	});
});

describe('more rows than one file may hold become several files', () => {
	it('by their number', async () => {
		const run = await runFile(
			build({ options: { maxRowsPerFile: 2 } }),
			itemsOf(Array.from({ length: 5 }, (_, i) => ({ NativeId: i }))),
		);
		expect(run.outputs[0]?.map(({ json }) => [json.fileNumber, json.rows])).toEqual([
			[1, 2],
			[2, 2],
			[3, 1],
		]);
		const texts = await Promise.all((run.outputs[0] ?? []).map(textOf));
		expect(texts).toEqual([
			'NativeId\r\n0\r\n1\r\n',
			'NativeId\r\n2\r\n3\r\n',
			'NativeId\r\n4\r\n',
		]);
		const names = run.outputs[0]?.map(({ binary }) => binary?.data?.fileName?.split('-'));
		expect(names?.map((parts) => [parts?.[0], parts?.at(-1)])).toEqual([
			['rows', '1.zip'],
			['rows', '2.zip'],
			['rows', '3.zip'],
		]);
	});

	it('by their zipped size, none above the limit and no row lost', async () => {
		// Digits of a generator do not compress well, so a few megabytes of text fill several files.
		let state = 1;
		const noise = () => (state = (state * 48271) % 2147483647).toString(36);
		const rows = Array.from({ length: 30_000 }, (_, i) => ({
			NativeId: i,
			Note: Array.from({ length: 12 }, noise).join(''),
		}));
		const run = await runFile(build({ options: { maxZipSizeMb: 1 } }), itemsOf(rows));

		const files = run.outputs[0] ?? [];
		expect(files.length).toBeGreaterThan(1);
		expect(Math.max(...files.map(({ json }) => Number(json.zipSize)))).toBeLessThanOrEqual(
			1_000_000,
		);
		const ids: string[] = [];
		for (const file of files) {
			const records = parse(await textOf(file), { columns: true }) as Array<{ NativeId: string }>;
			ids.push(...records.map(({ NativeId }) => NativeId));
		}
		expect(ids).toEqual(rows.map(({ NativeId }) => String(NativeId)));
	});
});

test('the file and its description make an import the service takes', async () => {
	const service = await Sandboxed.start();
	try {
		const rows = [
			{ First: 'Ada', Last: 'Example, "the first"', Mail: 'ada@example.org' },
			{ First: 'Bo|b', Last: 'Exämple', Mail: 'bob@example.org' },
		];
		for (const columnDelimiter of ['CSV', 'Tab', 'Pipe']) {
			const built = await runFile(build({ columnDelimiter }), itemsOf(rows));
			const file = built.outputs[0]?.[0];
			const sourceUrl = await service.put(await readBinary(file, 'data'));
			const run = await service.run(node, {
				resource: 'job',
				operation: 'create',
				defineJob: 'json',
				jobJson: JSON.stringify({
					description: 'Built file',
					file: { ...(file?.json.file as IDataObject), sourceUrl },
					actions: [
						{
							actionType: 'loadMappedFile',
							resourceType: 'Contacts',
							resultFileSizeKbLimit: 5000,
							mappingTypes: [
								{
									name: 'CreateOrUpdateContact',
									fieldValueMappings: [
										{ fieldName: 'FirstName', columnName: 'First' },
										{ fieldName: 'LastName', columnName: 'Last' },
										{ fieldName: 'Email', columnName: 'Mail' },
									],
								},
							],
						},
					],
				}),
				options: { waitForCompletion: 'memory' },
			});
			expect(run.error).toBeUndefined();
			expect(run.outputs[0]?.[0]?.json.status).toBe('Completed');
			const names = service.people().map(({ fields }) => fields.lastName);
			expect(names).toEqual(expect.arrayContaining(['Example, "the first"', 'Exämple']));
		}
	} finally {
		await service.close();
	}
});
