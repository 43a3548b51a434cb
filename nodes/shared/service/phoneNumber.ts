import type { z } from 'zod';

import { matchingText } from './bodySchema';

/** The service's pattern for North American numbers: service.md 9.1. */
const NORTH_AMERICAN = /^1?[2-9][0-8]\d[2-9]\d{6}$/;
const ELSEWHERE = /^\d{5,15}$/;

export function isNorthAmerican(digits: string): boolean {
	return NORTH_AMERICAN.test(digits);
}

/** The digits of a phone number; a number of the US or Canada with and without its country is one number. */
export function nationalDigits(text: string): string {
	return text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
}

/** The digits of a phone number without the extension. */
export function mainDigits(text: string): string {
	return nationalDigits(text.replace(/(x|ext\.?|#) *\d{1,6} *$/i, ''));
}

const SIGNS = /^[\d\s().+/-]+$/;

/** A phone number, sent as the service checks it: without punctuation (service.md 9.1). */
export const phoneNumberSchema = matchingText(
	SIGNS,
	'may only have digits, spaces and the signs + - ( ) . /; enter an extension in its own field',
);

export function digitsOf(number: string): string {
	return number.replace(/\D/g, '');
}

export const dialingPrefixSchema = matchingText(
	/^\+?\d{1,3}$/,
	'must be one to three digits, such as 44',
).transform((prefix) => prefix.replace('+', ''));

function phoneNumberProblem(
	number: string,
	isOfNorthAmerica: boolean,
	otherCountry: string,
): string | undefined {
	// The schema has said so.
	if (!SIGNS.test(number)) return undefined;
	const digits = digitsOf(number);
	if (isOfNorthAmerica) {
		// +47 22 12 34 56 has ten digits, too.
		const hasOtherPrefix =
			/^\D*/.exec(number)?.[0].includes('+') === true && !digits.startsWith('1');
		return isNorthAmerican(digits) && !hasOtherPrefix
			? undefined
			: `"${hasOtherPrefix ? number : digits}" is not a phone number of the US or Canada, which has 10 digits, such as 907 555 0100. For a number in another country, enter its ${otherCountry} too`;
	}
	return ELSEWHERE.test(digits)
		? undefined
		: `"${digits}" is not a phone number: it must have 5 to 15 digits`;
}

interface GivenPhone {
	phoneNumber: string;
	countryCode?: string | undefined;
	dialingPrefix?: string | undefined;
}

/**
 * A check that number, country and prefix fit.
 * @param otherCountry what else a number outside the US and Canada needs
 */
export const checkPhone =
	(otherCountry: string) =>
	(
		{ phoneNumber, countryCode: country, dialingPrefix: prefix }: GivenPhone,
		context: z.RefinementCtx,
	) => {
		const addProblem = (name: string, message: string): void =>
			context.addIssue({ code: 'custom', path: [name], message });
		const isOfNorthAmerica = country === 'US' || country === 'CA';
		if (isOfNorthAmerica && prefix !== undefined && prefix !== '1') {
			addProblem(
				'dialingPrefix',
				`is ${prefix}, but the prefix of ${country} is 1. Correct one of the two`,
			);
		}
		const isAssumed = country === undefined && (prefix === undefined || prefix === '1');
		const problem = phoneNumberProblem(phoneNumber, isOfNorthAmerica || isAssumed, otherCountry);
		if (problem !== undefined) addProblem('phoneNumber', problem);
	};
