import { z } from 'zod';

/** The largest ID the service accepts in paths: service.md 1.4. */
const LARGEST_ID = 2_147_483_647;

/** The ID in a value: a whole number from 1, or its digits as text. Undefined if there is none. */
export function wholeId(value: unknown): number | undefined {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
	return id >= 1 && id <= LARGEST_ID ? id : undefined;
}

/** Encoded IDs of the service: service.md 5.1. */
const ENCODED_ID = /^EID[0-9A-Z]+$/i;

function encodableId(value: unknown): number | string | undefined {
	if (typeof value === 'string' && ENCODED_ID.test(value.trim())) return value.trim();
	return wholeId(value);
}

/** A whole-number ID. Digits as text, as expressions give them, become a number. */
export const recordIdSchema = z
	.custom<number | string>((value) => wholeId(value) !== undefined, {
		message: `must be a whole number from 1 to ${LARGEST_ID}`,
	})
	.transform(Number);

/** An ID that may also be encoded: digits become a number, `EID…` stays as it is. */
export const encodableIdSchema = z
	.custom<number | string>((value) => encodableId(value) !== undefined, {
		message: 'must be a whole number, or an encoded ID that begins with EID',
	})
	.transform((value) => encodableId(value) ?? value);
