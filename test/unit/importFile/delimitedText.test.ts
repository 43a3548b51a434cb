import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';

import { readRecords, UnreadableText } from '../../../nodes/shared/importFile/delimitedText';

async function* pieces(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
	const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
	let start = 0;
	for (const end of ends) {
		yield await Promise.resolve(bytes.subarray(start, end));
		start = end;
	}
}

async function recordsOf(
	text: string,
	cuts: number[] = [],
	{ strict = false } = {},
): Promise<string[][]> {
	const records: string[][] = [];
	for await (const batch of readRecords(pieces(Buffer.from(text), cuts), strict))
		records.push(...batch);
	return records;
}

const withoutEmpty = (records: string[][]) => records.filter(({ length }) => length > 0);

/** Reads the text whole and cut at each place, strictly and not. */
async function expectRecords(text: string, rows: string[][]): Promise<void> {
	for (const strict of [true, false])
		for (let cut = 0; cut <= Buffer.from(text).length; cut++)
			expect(withoutEmpty(await recordsOf(text, [cut], { strict }))).toEqual(rows);
}

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
			fc.array(fc.constantFrom('\n', '\r\n', '\r\r\n'), { minLength: 1, maxLength: 3 }),
			fc.boolean(),
			fc.boolean(),
			fc.boolean(),
			fc.array(fc.nat(), { maxLength: 8 }),
			async (rows, lineEnds, quoted, bom, strict, cuts) => {
				const quotes = {
					quoted,
					quoted_string: rows.flat().some((value) => /[\r\n\ufeff]/.test(value)),
				};
				const lines = rows.map((row, index) => {
					const lineEnd = lineEnds[index % lineEnds.length];
					return stringify([row], { record_delimiter: lineEnd, ...quotes });
				});
				const text = `${bom ? '\ufeff' : ''}${lines.join('')}`;
				expect(await recordsOf(text, cuts, { strict })).toEqual(rows);
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
	const first = await readRecords(arriving(), false).next();
	expect(first.value).toEqual([['a', 'b']]);
	expect(sent).toBe(1);
});

const table = (...lines: string[]): string[][] => lines.map((line) => line.split(' '));

test.each<[string, string, string[][]]>([
	['a byte order mark', '\ufeffid,b\n1,2\n', table('id b', '1 2')],
	['line ends of old systems', 'id,b\r1,2\r', table('id b', '1 2')],
	[
		'line ends of old systems and quoted values',
		'id,b\r"1\n2","3\r4"\r5,6\r',
		table('id b', '1\n2 3\r4', '5 6'),
	],
	[
		'line ends of old systems and a line feed that was added at the end',
		'id,b\r1,2\r"3","4"\r5,6\n',
		table('id b', '1 2', '3 4', '5 6'),
	],
	[
		'a header that ends otherwise than the quoted rows',
		'id,b\n1,"x"\r\n"2","y"\r\n3,"z"\r\n',
		table('id b', '1 x', '2 y', '3 z'),
	],
	['doubled carriage returns', 'id,b\r\r\n1,"x"\r\r\n2,y\r\r\n', table('id b', '1 x', '2 y')],
	[
		'carriage returns inside values',
		'i\rd,b\n1,x\ry\n2,"x\ry"\n3,x\ry',
		table('i\rd b', '1 x\ry', '2 x\ry', '3 x\ry'),
	],
	['empty lines', 'id,b\n\n1,2\r\n\r\n', table('id b', '1 2')],
	['rows of different lengths', 'id,b\n1\n1,2,3\n', table('id b', '1', '1 2 3')],
])('a text with %s is read', async (_, text, rows) => {
	await expectRecords(text, rows);
});

test('an empty line is a record without values, one of delimiters or quotation marks is not', async () => {
	for (const text of ['a\n\n""\n,\n', 'a\r\r""\r,\r'])
		expect((await recordsOf(text)).slice(0, 4)).toEqual([['a'], [], [''], ['', '']]);
});

test('a quotation mark inside an unquoted value does not swallow what follows', async () => {
	const text = 'id,size\n1,5" pipe\n"2","two\nlines"\n3,plain\n';
	const rows = [
		['id', 'size'],
		['1', '5" pipe'],
		['2', 'two\nlines'],
		['3', 'plain'],
	];
	await expectRecords(text, rows);
});

test('blanks around quotation marks are no part of a value, but those of others are', async () => {
	const text = 'a, "b" ,c\n"1", "Lee, ""Ann""\nx" ,  3 \n';
	for (let cut = 0; cut <= text.length; cut++)
		expect(await recordsOf(text, [cut], { strict: true })).toEqual([
			['a', 'b', 'c'],
			['1', 'Lee, "Ann"\nx', '  3 '],
		]);
	// The service writes none.
	expect((await recordsOf(text))[0]).toEqual(['a', ' "b" ', 'c']);
});

describe('a quotation mark at the start of a value that is never closed', () => {
	const texts: Array<[string, string, string[][]]> = [
		[
			'in the middle',
			'id,text\n1,"a\nb"\n2,"Bob,x\n3,y\n4,""\n',
			table('id text', '1 a\nb', '2 "Bob x', '3 y', '4 '),
		],
		['in the last value', 'id,text\r\n1,"', table('id text', '1 "')],
		['at the very beginning', '"id,text\r\n1,""a\r\n', table('"id text', '1 ""a')],
		['in a text of an old system', 'id,text\r"1,x\r2,y\r', table('id text', '"1 x', '2 y')],
	];

	test.each(texts)(
		'is part of its value %s of a text that is read unchanged',
		async (_, text, rows) => {
			for (let cut = 0; cut <= text.length; cut++)
				expect(withoutEmpty(await recordsOf(text, [cut]))).toEqual(rows);
		},
	);

	test.each(texts)('is rejected %s of a strict text', async (_, text) => {
		for (let cut = 0; cut <= text.length; cut++)
			await expect(recordsOf(text, [cut], { strict: true })).rejects.toMatchObject({
				name: 'UnreadableText',
				problem: expect.stringContaining('that is never closed') as string,
			});
	});
});

test('a quotation mark that is never closed is shown with its value', async () => {
	const reading = recordsOf('id,text\n1,a\n2,"Ben\n3,c\n', [], { strict: true });
	await expect(reading).rejects.toMatchObject({
		problem: expect.stringMatching(/that is never closed: "Ben$/) as string,
	});
});

test('a quotation mark that closes a value too early holds no lines together', async () => {
	const text = 'id,text\n1,"Bob,x\n2,"Ann"\n3,"a" b\n';
	await expectRecords(text, [
		['id', 'text'],
		['1', '"Bob', 'x'],
		['2', 'Ann'],
		['3', '"a" b'],
	]);
});

describe('a text without an end in sight', () => {
	const long = 'x'.repeat(9 * 1024 * 1024);
	const rows = Array.from({ length: 3 }, (_, row) => `${row},y\n`).join('');
	const columns = (record: string[]) => record.map((value) => value.slice(0, 4));

	test.each([true, false])('of one line is rejected (strict: %s)', async (strict) => {
		const reading = recordsOf(`id,text\n1,${long}`, [9_000_000], { strict });
		await expect(reading).rejects.toMatchObject({
			problem: 'has a line of more than 8 million characters',
		});
	});

	test('of one quoted value keeps its rows, or is rejected', async () => {
		const text = `id,text\n1,"Bob\n${`2,${'z'.repeat(998)}\n`.repeat(9000)}${rows}`;
		const records = await recordsOf(text, [1000, 8_900_000]);
		expect(records).toHaveLength(1 + 1 + 9000 + 3);
		expect(records.slice(1, 3).map(columns)).toEqual([
			['1', '"Bob'],
			['2', 'zzzz'],
		]);
		await expect(recordsOf(text, [1000, 8_900_000], { strict: true })).rejects.toMatchObject({
			problem: expect.stringContaining('that is never closed') as string,
		});
	});

	test('of an old system has rows', async () => {
		const text = `id,text\r${`2,${'z'.repeat(998)}\r`.repeat(9000)}`;
		for (const strict of [true, false])
			expect(await recordsOf(text, [8_500_000, 8_900_000], { strict })).toHaveLength(9001);
	});
});

describe('the encoding of a text', () => {
	const rows = [
		['id', 'náme'],
		['1', 'Zoë 山 🎉'],
	];
	const text = 'id,náme\r\n1,Zoë 山 🎉\r\n';
	const read = async (bytes: Buffer, cut: number, strict: boolean) => {
		const records: string[][] = [];
		for await (const batch of readRecords(pieces(bytes, [cut]), strict)) records.push(...batch);
		return records;
	};

	test.each([
		['UTF-16 LE', Buffer.from(text, 'utf16le')],
		['UTF-16 BE with its mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
		['UTF-16 BE', Buffer.from(text, 'utf16le').swap16()],
		['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
	])('is recognised: %s', async (_, bytes) => {
		for (let cut = 0; cut <= bytes.length; cut++)
			expect(await read(bytes, cut, cut % 2 === 0)).toEqual(rows);
	});

	test('that is none of these is rejected, or read unchanged', async () => {
		const bytes = Buffer.from(text, 'latin1');
		await expect(read(bytes, 3, true)).rejects.toBeInstanceOf(UnreadableText);
		expect((await read(bytes, 3, false))[0]).toEqual(['id', 'n\ufffdme']);
	});

	test.each([
		['a zip archive', Buffer.from('PK\x03\x04\x14\0\0\0\0\0a,b\n')],
		['a gzip archive', Buffer.from([0x1f, 0x8b, 8, 0, 0, 10])],
	])('that is %s is rejected', async (what, bytes) => {
		for (const strict of [true, false]) {
			await expect(read(bytes, 1, strict)).rejects.toMatchObject({
				problem: expect.stringContaining(what) as string,
			});
		}
	});
});
