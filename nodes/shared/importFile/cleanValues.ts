import { isEmail, tidyText } from '../service/bodySchema';
import { isNorthAmerican, nationalDigits } from '../service/phoneNumber';
import { isPlaceholder, type ValueKind } from './columnValues';
import { simplifyName } from './fileColumns';
import { countryCode, stateCode } from './placeCodes';

interface CleanValue {
	text: string;
	/** Why it looks wrong, although nothing certain can be done: `no phone number`. */
	doubt?: string;
	/** Why it cannot be sent: the service rejects the whole row. */
	problem?: string;
}

/** What the row says beside the value; blank if it says nothing. */
export interface RowPlace {
	state: string;
	country: string;
}

/** With which exports keep spreadsheet programs from taking a number for one. */
const PHONE_MARK = /^(['=]|p:|tel:)(?=[+\d(])/i;
const ZIP_MARK = /^('|z:)(?=\d)/;

/** Only signs are removed, and the 1 where it certainly is the country. */
function cleanPhone(given: string, { country }: RowPlace): CleanValue {
	const text = given.replace(PHONE_MARK, '').replace(/[\u2010-\u2013]/g, '-');
	const digits = text.replace(/\D/g, '');
	if (digits.length < 7) return { text, doubt: 'no phone number' };
	if (!/^\+?[\d\s()./-]+$/.test(text)) return { text };
	const code = countryCode(country);
	const isOfNorthAmerica = code === 'US' || code === 'CA';
	if (country.trim() !== '' && !isOfNorthAmerica) return { text };
	if (!isNorthAmerican(digits)) return { text };
	if (digits.length === 10 && !text.startsWith('+')) return { text: digits };
	const isCertain = isOfNorthAmerica || /^\+1|^1[\s.(-]/.test(text);
	return isCertain && digits.length === 11 ? { text: nationalDigits(text) } : { text };
}

function cleanCountry(text: string): CleanValue {
	// Namibia is NA.
	const code = isPlaceholder(text) ? undefined : countryCode(text);
	return code === undefined ? { text, doubt: 'no known country' } : { text: code };
}

function cleanState(text: string, { country }: RowPlace): CleanValue {
	const found = stateCode(text);
	if (!found) return { text };
	const isThere = country.trim() === '' || countryCode(country) === found.country;
	return isThere ? { text: found.code } : { text };
}

/** The ZIPs that begin with 0, by state: all others of a state would be mistakes. */
const ZIPS_WITH_ZERO: Readonly<Record<string, RegExp>> = {
	AE: /^09/,
	CT: /^06/,
	MA: /^0(1|2[0-7]|55)/,
	ME: /^0(39|4)/,
	NH: /^03[0-8]/,
	NJ: /^0[78]/,
	PR: /^00[679]/,
	RI: /^02[89]/,
	VI: /^008/,
	VT: /^05[0-46-9]/,
};

/** A ZIP that was a number gets its zeros back if its state has ZIPs that begin so. */
function cleanZip(given: string, { state, country }: RowPlace): CleanValue {
	const text = given.replace(ZIP_MARK, '').replace(/^(\d{3,5})\.0$/, '$1');
	const [, digits, extension = ''] = /^(\d{3,4})(-?\d{4})?$/.exec(text) ?? [];
	if (digits === undefined) return { text };
	const isInUs = country.trim() === '' || countryCode(country) === 'US';
	if (!isInUs) return { text };
	const zip = digits.padStart(5, '0');
	const found = stateCode(state);
	return found?.country === 'US' && ZIPS_WITH_ZERO[found.code]?.test(zip)
		? { text: zip + extension }
		: { text, doubt: 'shorter than a ZIP' };
}

const MALE = /^(m|male|man|masculino|hombre|masculin|homme)$/;
const FEMALE = /^(f|female|woman|femenino|mujer|feminin|femme)$/;
/** In voter files; the service accepts no word for it. */
const NO_GENDER =
	/^(u|unknown|unspecified|not specified|undisclosed|prefer not to (say|answer|disclose))$/i;

function cleanGender(text: string): CleanValue {
	const name = simplifyName(text);
	if (MALE.test(name)) return { text: 'M' };
	if (FEMALE.test(name)) return { text: 'F' };
	return { text: NO_GENDER.test(text) ? '' : text };
}

function cleanEmail(text: string): CleanValue {
	return isEmail(text)
		? { text }
		: { text, problem: 'is not an email address. Correct it, or delete it from the list.' };
}

/** What is certain about the values of a kind; of others, only that blanks do not count. */
const CLEANERS: Partial<Record<ValueKind, (text: string, place: RowPlace) => CleanValue>> = {
	phone: cleanPhone,
	email: cleanEmail,
	state: cleanState,
	country: cleanCountry,
	zip: cleanZip,
	gender: cleanGender,
};

const LONGEST = 200;

export function cleanValue(
	kind: ValueKind | undefined,
	given: string,
	place: RowPlace,
): CleanValue {
	const text = tidyText(given);
	const clean = kind && CLEANERS[kind];
	return clean && text !== '' && text.length <= LONGEST ? clean(text, place) : { text };
}

/** Words that are no part of a first or last name, or a sign of several people. */
const NO_NAME =
	/^(mr|mrs|ms|miss|mx|dr|prof|rev|hon|sir|jr|sr|ii|iii|iv|v|esq|esquire|md|do|phd|jd|dds|dvm|rn|cpa|mba|lcsw|msw|mph|edd|psyd|ret|inc|llc|llp|ltd|co|corp|pc|pllc|the|family|household|and|und|y|et|of|trust|estate|foundation|committee|union|associates|association|enterprises|industries|services|university|lmft|mft|aprn|pharmd|chair|president|treasurer|donation|resident|bakery|dental|unknown|anonymous|na)\.?$/i;
/** No part of a name before others, but last names of some. */
const BEFORE_NAME =
	/^(mme|mlle|sra|srta|pastor|rabbi|imam|sister|father|capt|captain|sgt|judge|guest)\.? /i;
const WORD = /^\p{L}[\p{L}\p{M}'’.-]*$/u;

/** `PharmD` after `Ann Lee`; in a list in capitals nobody can tell. */
const isTitle = (text: string, before: string): boolean =>
	before.includes(' ') && before !== before.toUpperCase() && /^\p{Lu}\p{L}*\p{Lu}$/u.test(text);

const LAST_FIRST = /\blast\b[\s,]*(?:name[\s,]*)?\bfirst\b|\bnom et prénom\b/iu;

/**
 * `Lee, Ann`, and `Ann Lee` unless the header says `last first`. Undefined for all other names: where the
 * last name begins would be a guess.
 */
export function splitName(given: string, header = ''): { first: string; last: string } | undefined {
	const text = tidyText(given).replace(/\s+/g, ' ');
	if (text === '') return { first: '', last: '' };
	if (text.length > LONGEST || BEFORE_NAME.test(text)) return undefined;
	const [last = '', first, ...more] = text.split(',').map((part) => part.trim());
	const words = text.replaceAll(',', ' ').split(' ').filter(Boolean);
	if (more.length > 0 || !words.every((word) => WORD.test(word) && !NO_NAME.test(word)))
		return undefined;
	if (first !== undefined)
		return first === '' || last === '' || isTitle(first, last) ? undefined : { first, last };
	const [one = '', two = ''] = words;
	if (words.length !== 2) return undefined;
	return LAST_FIRST.test(header) ? { first: two, last: one } : { first: one, last: two };
}
