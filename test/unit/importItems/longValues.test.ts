import {
	joinedExpression,
	pathExpression,
} from '../../../nodes/NativeBulkImport/rows/columnExpressions';
import { columnReaders, RowChecksums } from '../../../nodes/NativeBulkImport/rows/importRows';
import { InvalidRow } from '../../../nodes/shared/importFile/delimitedRows';
import { splitName } from '../../../nodes/shared/importFile/splitName';
import { judgeValue, KINDS, type ValueKind } from '../../../nodes/shared/importFile/valueKinds';

/** To work on millions of characters in one turn of the event loop would stop n8n. */

const MOST = 100_000;
const SIGNS = ['a', ' ', '7', ',', '\n', '\u00ad'];
const kinds = Object.keys(KINDS) as ValueKind[];

/** What a column makes of a row, and the length of the longest text that it had to convert. */
function readValue(expression: string, row: Record<string, string>) {
	let longest = 0;
	const convert = (value: unknown): unknown => {
		if (typeof value === 'string') longest = Math.max(longest, value.length);
		return value;
	};
	const readerOf = (path: string) => {
		const name = Object.keys(row).find((key) => pathExpression([key]) === path) ?? '';
		return (values: Record<string, string>) => values[name];
	};
	const columns = [{ name: 'Notes', expression, convert }];
	const [read] = columnReaders<Record<string, string>>(columns, readerOf);
	return { value: read?.(row, 1), longest };
}

test.each([
	['a column', pathExpression(['a'])],
	['a column of several', joinedExpression(['a', 'b'])],
])('a long value of %s makes its row invalid before anything works on it', (_, expression) => {
	for (const sign of SIGNS) {
		const { value, longest } = readValue(expression, { a: sign.repeat(MOST + 1), b: 'b' });
		expect(value).toBeInstanceOf(InvalidRow);
		expect(value).toMatchObject({
			reason: 'has 100001 characters; a value may have at most 100000. Shorten it.',
		});
		expect(longest).toBe(0);
	}
});

test('the longest value that is allowed is read', () => {
	const text = 'a'.repeat(MOST);
	expect(readValue(pathExpression(['a']), { a: text })).toEqual({ value: text, longest: MOST });
});

test.each(kinds)('a long text as %s is not cleaned', (kind) => {
	for (const sign of SIGNS) {
		const given = sign.repeat(MOST + 1);
		const { verdict, text } = judgeValue(kind, given);
		// To show how long texts differ would take minutes.
		expect({ verdict, isSame: text === given }).toEqual({ verdict: 'fits', isSame: true });
	}
});

test('a long text is not split into names', () => {
	expect(splitName(' '.repeat(MOST + 1))).toBeUndefined();
});

test('the checksum of a row takes the beginning of a long value', () => {
	const checksums = new RowChecksums();
	const start = 'a'.repeat(MOST);
	for (const value of [`${start}b`, `${start}c`, `${start}cc`])
		checksums.addRow(['Notes'], [value]);
	expect(checksums.at(1)).toBe(checksums.at(0));
	expect(checksums.at(2)).not.toBe(checksums.at(0));
});
