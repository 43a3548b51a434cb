import { z } from 'zod';

import { dateText } from './dateText';
import { isRounded } from './jsonText';
import { sameName } from './nearestName';
import { isArtefact, isPlaceholder } from './noValue';

/** Schemas accept what databases and expressions give: numbers for text, "True" for true, dates as objects. */

const string = z.string({ message: 'must be text' });

export const ROUNDED =
	'has more digits than a number can keep. Enter it as text, in quotation marks';

/**
 * Also NUL and other signs for machines, and the marks that turn the direction of writing, which address books
 * put around numbers. Tabs and breaks separate words.
 */
const INVISIBLE =
	/(?![\t-\r\u0080-\u009f])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
const UNUSUAL_BLANK = /[\u00a0\u2007\u202f]/g;
const IS_UNTIDY = new RegExp(`${INVISIBLE.source}|${UNUSUAL_BLANK.source}|^\\s|\\s$`, 'u');

/** Removes surrounding blanks and invisible characters, which would make it another value. */
export function tidyText(text: string): string {
	return IS_UNTIDY.test(text)
		? text.replace(INVISIBLE, '').replace(UNUSUAL_BLANK, ' ').trim()
		: text;
}

/** A number as text. Rejects one that JavaScript has rounded: other digits would be stored. */
function numberAsText(value: unknown, context: z.RefinementCtx): unknown {
	if (isRounded(value)) context.addIssue({ code: 'custom', fatal: true, message: ROUNDED });
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
}

const tidy = string.transform(tidyText);

export const text = z.preprocess(numberAsText, tidy);

/** No name, address or ID is longer. */
const LONGEST_IDENTITY = 500;

/** `undefined` as a word, which an expression writes where it has no value. */
const NO_VALUE = /(^|[^\p{L}\p{N}])undefined($|[^\p{L}\p{N}])|\[object Object\]/u;

/** Why a text cannot identify one record: all items without a value would have it, e.g. `C-undefined`. */
function lacksValue(value: string): string | undefined {
	return value.length <= LONGEST_IDENTITY && NO_VALUE.test(value)
		? `is "${value.slice(0, 40)}", which an expression without a value returns. Correct it`
		: undefined;
}

/** The same for an ID; `null` is the name of some people, but no ID. */
export function lacksId(value: string): string | undefined {
	const text = value.slice(0, LONGEST_IDENTITY);
	return !isPlaceholder(text) &&
		lacksValue(text.replace(/(?<![\p{L}\p{N}])(null|NaN)$/iu, 'undefined')) === undefined
		? undefined
		: `is "${value.slice(0, 40)}", which an expression or a database returns when there is no value. Correct it`;
}

export const identifyingText = text.superRefine((value, context) => {
	const message = isArtefact(value) ? lacksId(value) : lacksValue(value);
	if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/;

export function isEmail(value: string): boolean {
	return value.length <= 254 && EMAIL.test(value) && lacksValue(value) === undefined;
}

const tidyTextOf = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess(numberAsText, tidy.pipe(schema));

export const matchingText = (pattern: RegExp, message: string) =>
	tidyTextOf(string.regex(pattern, { message }));

export const shortText = (longest: number, message: string) =>
	tidyTextOf(string.max(longest, { message }));

export const filledText = tidyTextOf(string.min(1, { message: 'is empty' }));

/** Text that keeps its blanks; a number becomes text. */
export const exactText = z.preprocess(numberAsText, string);

export const valueText = z.preprocess(
	(value, context) =>
		typeof value === 'boolean' ? String(value) : numberAsText(dateText(value), context),
	string.trim(),
);

/** The boolean a text stands for; other values unchanged. */
export function flagOf(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return { true: true, false: false }[value.trim().toLowerCase()] ?? value;
}

export const flag = z.preprocess(flagOf, z.boolean({ message: 'must be true or false' }));

/** A name in any casing gets the spelling of the list. */
const spelledAs = (known: readonly string[]) => (value: unknown) =>
	typeof value === 'string' ? (known.find((name) => sameName(name, value.trim())) ?? value) : value;

export const oneOf = <const T extends readonly [string, ...string[]]>(
	values: T,
	message = `must be one of ${values.join(', ')}`,
) => z.preprocess(spelledAs(values), z.enum(values, { message }));

export const knownName = (names: readonly string[]) => z.preprocess(spelledAs(names), text);

/** The code of a value given as code or, as the service returns it, as name. */
export function codeOf(names: Record<string, string>, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const letters = (name: string): string => name.replace(/[^a-z]/gi, '').toLowerCase();
	const wanted = letters(value);
	const entry = Object.entries(names).find(
		([code, name]) => letters(code) === wanted || letters(name) === wanted,
	);
	return entry?.[0] ?? value;
}

export const coded = <Code extends string>(
	names: Readonly<Record<Code, string>>,
	message = `must be one of ${Object.keys(names).join(', ')}`,
) => {
	const codes = Object.keys(names) as [Code, ...Code[]];
	return z.preprocess((value) => codeOf(names, value), z.enum(codes, { message }));
};

export const positiveNumber = z.preprocess(
	(value) => (typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value),
	z
		.number({ message: 'must be a number' })
		.int({ message: 'must be a whole number' })
		.positive({ message: 'must be above 0' }),
);

/** In paths: service.md 1.4. */
const LARGEST_ID = 2_147_483_647;
export const WHOLE_ID = `a whole number from 1 to ${LARGEST_ID}`;

/** The ID in a value: a whole number from 1, or its digits as text. Undefined if there is none. */
export function wholeId(value: unknown): number | undefined {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
	return id >= 1 && id <= LARGEST_ID ? id : undefined;
}

const ENCODED_ID = /^EID[0-9A-Z]+$/i;

function encodableId(value: unknown): number | string | undefined {
	if (typeof value === 'string' && ENCODED_ID.test(value.trim())) return value.trim();
	return wholeId(value);
}

/** Whether a text is an ID that the service gave a record: its number, or the encoded one. */
export function isEncodableId(text: string): boolean {
	return encodableId(text) !== undefined;
}

/** A number, or digits as text. */
export const recordIdSchema = z
	.custom<number | string>((value) => wholeId(value) !== undefined, {
		message: `must be ${WHOLE_ID}`,
	})
	.transform(Number);

/** An ID, or an encoded one: `EID…` (service.md 5.1). */
export const encodableIdSchema = z
	.custom<number | string>((value) => encodableId(value) !== undefined, {
		message: 'must be a whole number, or an encoded ID that begins with EID',
	})
	.transform((value) => encodableId(value) ?? value);

/** Rejects unknown properties: a misspelt one must not be dropped silently. */
export const object = <T extends z.ZodRawShape>(shape: T) =>
	z.object(shape, { message: 'must be an object, in braces { }' }).strict();

/** No record has more entries, and checking more would block n8n. */
export const MOST_ENTRIES = 1000;

export const list = <T extends z.ZodTypeAny>(entry: T) =>
	z.preprocess(
		(value, context) => {
			if (!Array.isArray(value) || value.length <= MOST_ENTRIES) return value;
			const message = `has ${value.length} entries, but can have at most ${MOST_ENTRIES}`;
			context.addIssue({ code: 'custom', fatal: true, message });
			return value;
		},
		z.array(entry, { message: 'must be a list, in brackets [ ]' }),
	);

/** Drops entries that lack all of `needsOneOf`, as forms give for empty lines; unknown names stay. */
export const entryList = <T extends z.ZodTypeAny>(
	entry: T,
	fields: object,
	needsOneOf: readonly string[],
) =>
	list(
		z.preprocess((value) => {
			if (value === null || typeof value !== 'object' || Array.isArray(value))
				return value ?? undefined;
			const names = Object.keys(value);
			const isEmpty =
				!names.some((name) => needsOneOf.includes(name)) &&
				names.every((name) => Object.keys(fields).includes(name));
			return isEmpty ? undefined : value;
		}, entry.optional()),
	).transform((entries) => entries.filter((value): value is z.output<T> => value !== undefined));
