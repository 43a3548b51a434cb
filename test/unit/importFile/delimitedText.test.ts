import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';

import { readRecords } from '../../../nodes/shared/importFile/delimitedText';

async function* pieces(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
	const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
	let start = 0;
	for (const end of ends) {
		yield await Promise.resolve(bytes.subarray(start, end));
		start = end;
	}
}

async function recordsOf(text: string, cuts: number[] = []): Promise<string[][]> {
	const records: string[][] = [];
	for await (const batch of readRecords(pieces(Buffer.from(text), cuts))) records.push(...batch);
	return records;
}

const awkward =
	'id,text\r\n1,"a ""quoted"" word"\r\n2,"two\r\nlines, and a comma"\r\n3,"""\n"""\r\n4,😀é\r\n5,\r\n';
const awkwardRows = [
	['id', 'text'],
	['1', 'a "quoted" word'],
	['2', 'two\r\nlines, and a comma'],
	['3', '"\n"'],
	['4', '😀é'],
	['5', ''],
];

test('a text cut at any byte gives the same records', async () => {
	const { length } = Buffer.from(awkward);
	for (let cut = 0; cut <= length; cut++) {
		expect(await recordsOf(awkward, [cut])).toEqual(awkwardRows);
	}
});

test('a text that arrives byte by byte gives the same records', async () => {
	const everywhere = Array.from({ length: Buffer.from(awkward).length }, (_, index) => index);
	expect(await recordsOf(awkward, everywhere)).toEqual(awkwardRows);
});

test('any table is read as it was written, wherever it is cut', async () => {
	const cell = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom('', '"', '""', '\n', '\r\n', ',', 'a"b', '"a', 'a,"b"\n', '😀'),
	);
	const table = fc.integer({ min: 2, max: 4 }).chain((width) =>
		fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
			minLength: 1,
			maxLength: 6,
		}),
	);
	await fc.assert(
		fc.asyncProperty(
			table,
			fc.constantFrom<'unix' | 'windows'>('unix', 'windows'),
			fc.boolean(),
			fc.boolean(),
			fc.array(fc.nat(), { maxLength: 8 }),
			async (rows, lineEnd, quoted, bom, cuts) => {
				const text = stringify(rows, {
					record_delimiter: lineEnd,
					quoted,
					quoted_string: rows.flat().some((value) => /[\r\n\ufeff]/.test(value)),
					bom,
				});
				expect(await recordsOf(text, cuts)).toEqual(rows);
			},
		),
	);
});

test('records are handed out while the text is still arriving', async () => {
	let sent = 0;
	async function* arriving(): AsyncGenerator<Uint8Array> {
		for (const piece of ['a,b\n1,', '2\n3,4\n', '5,6\n']) {
			sent++;
			yield await Promise.resolve(Buffer.from(piece));
		}
	}
	const first = await readRecords(arriving()).next();
	expect(first.value).toEqual([['a', 'b']]);
	expect(sent).toBe(1);
});

test.each<[string, string, string[][]]>([
	[
		'a byte order mark',
		'\ufeffid,b\n1,2\n',
		[
			['id', 'b'],
			['1', '2'],
		],
	],
	[
		'no line end at the end',
		'id,b\n1,2',
		[
			['id', 'b'],
			['1', '2'],
		],
	],
	[
		'line ends of old systems',
		'id,b\r1,2\r',
		[
			['id', 'b'],
			['1', '2'],
		],
	],
	[
		'empty lines',
		'id,b\n\n1,2\n\n',
		[
			['id', 'b'],
			['1', '2'],
		],
	],
	['rows of different lengths', 'id,b\n1\n1,2,3\n', [['id', 'b'], ['1'], ['1', '2', '3']]],
	['nothing', '', []],
	['a header alone', 'id,b\n', [['id', 'b']]],
])('a text with %s is read', async (_, text, rows) => {
	for (let cut = 0; cut <= Buffer.from(text).length; cut++) {
		expect(await recordsOf(text, [cut])).toEqual(rows);
	}
});

test('a quotation mark inside an unquoted value does not swallow what follows', async () => {
	const text = 'id,size\n1,5" pipe\n"2","two\nlines"\n3,plain\n';
	const rows = [
		['id', 'size'],
		['1', '5" pipe'],
		['2', 'two\nlines'],
		['3', 'plain'],
	];
	for (let cut = 0; cut <= text.length; cut++) expect(await recordsOf(text, [cut])).toEqual(rows);
});
