import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';

import {
	type DelimitedFormat,
	lineWriter,
	InvalidRow,
} from '../../../nodes/shared/importFile/delimitedRows';
import { DELIMITERS } from '../../../nodes/shared/service/importJobFile';
import { anyCharacter } from '../../support/randomCases';

const format = (changes: Partial<DelimitedFormat> = {}): DelimitedFormat => ({
	columnDelimiter: 'CSV',
	hasQuotes: true,
	lineBreaks: 'replace',
	...changes,
});

const line = (value: unknown, changes: Partial<DelimitedFormat> = {}) =>
	lineWriter(format(changes), ['Note'])([value]);

test.each([
	['line breaks', 'one\r\n\r\n two', 'one two'],
	['a line break at the end', 'one\n', 'one'],
	['a NUL', 'one\0two', 'one two'],
	['line and paragraph separators', 'one\u2028two\u2029three', 'one two three'],
	['the first half of an emoji', 'one \ud83d', 'one'],
	['the second half of an emoji', '\ude00 one', 'one'],
])('replaces %s with a space', (_, value, text) => {
	expect(line(value)).toBe(`${text}\r\n`);
});

test.each([
	['one\ntwo', 'a line break'],
	['one\vtwo', 'an invisible character (U+000B)'],
	['one \ud83d', 'an invisible character (U+D83D)'],
])('names what it does not write of %j', (value, what) => {
	expect(line(value, { lineBreaks: 'refuse' })).toMatchObject({
		reason: `contains ${what}. Remove it, or choose another setting in Line Breaks.`,
	});
});

const refused = { lineBreaks: 'refuse' } as const;
const unquoted = { hasQuotes: false, lineBreaks: 'keep' } as const;

test.each<[unknown, RegExp, Partial<DelimitedFormat>]>([
	['a\0b', /^contains an invisible character \(NUL\)/, { lineBreaks: 'keep' }],
	['a\nb', /^contains a line break/, refused],
	['a\nb', /needs quotation marks/, unquoted],
	['a,b', /^contains the column delimiter/, unquoted],
	['a\tb', /^contains the column delimiter/, { ...unquoted, columnDelimiter: 'Tab' }],
	[[1, 2], /^is a list or an object/, {}],
	[new Date(Number.NaN), /^is not a valid date/, {}],
	['Invalid DateTime', /^is not a valid date/, {}],
	[Number.NaN, /^is not a number/, {}],
	[2 ** 60, /^has more digits than a number can keep/, {}],
])('does not write %p', (value, reason, changes) => {
	expect(line(value, changes)).toMatchObject({ reason: expect.stringMatching(reason) });
});

test.each(['tab\there', 'whole 😀 emoji', 'Zoë 山', 'a\u200db'])('keeps %j', (value) => {
	for (const lineBreaks of ['replace', 'keep', 'refuse'] as const)
		expect(line(value, { lineBreaks })).toBe(`${value}\r\n`);
});

test('any text is written so that it reads as it was, or is rejected', () => {
	const text = fc.oneof(
		fc.string({ unit: anyCharacter }),
		fc
			.array(fc.constantFrom('"', ',', '|', '\t', '\n', '\r', '\v', '\0', ' ', 'é', '😀', '\ud83d'))
			.map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(
			fc.array(text, { minLength: 2, maxLength: 3 }),
			fc.constantFrom('CSV' as const, 'Pipe' as const, 'Tab' as const),
			fc.constantFrom('replace' as const, 'keep' as const, 'refuse' as const),
			(values, columnDelimiter, lineBreaks) => {
				const columns = values.map((_, index) => `C${index}`);
				const written = lineWriter(format({ columnDelimiter, lineBreaks }), columns)(values);
				const isStray = values.some((value) => /[^\P{Cc}\t]|\p{Cs}|[\u2028\u2029]/u.test(value));
				if (written instanceof InvalidRow) {
					expect(lineBreaks).not.toBe('replace');
					expect(isStray).toBe(true);
					return;
				}
				const delimiter = DELIMITERS[columnDelimiter];
				const [read] = parse(written, { delimiter, relax_quotes: false }) as string[][];
				if (!isStray || lineBreaks === 'keep')
					expect(read).toEqual(values.map((value) => Buffer.from(value).toString()));
				else expect(read?.join('')).not.toMatch(/[^\P{Cc}\t]|\p{Cs}/u);
			},
		),
	);
});
