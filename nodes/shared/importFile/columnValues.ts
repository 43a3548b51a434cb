import { dateText } from '../service/dateText';
import { countryCode, isState } from './placeCodes';

const FLAG = /^(true|false|yes|no|y|n|sí|si|oui|non|x|on|off|checked|unchecked)$/i;

const HONORIFIC =
	/^(mr|mrs|ms|miss|mx|dr|doctor|prof|professor|rev|reverend|hon|honorable|sir|dame|lady|lord|fr|father|sister|sr|sra|srta|don|doña|m|mme|mlle|me|rabbi|imam|pastor|capt|captain|col|colonel|gen|general|lt|sgt|maj|major|judge|sen|senator|rep|gov|amb|the hon|monsieur|madame|mister|señor|señora|herr|frau|fräulein|senhor|senhora|dona|dra)\b\.?(\s+(and|&|y|et)\s+\S+)?\.?$/i;

const SUFFIX =
	/^(jr|sr|[ivx]{1,4}|\d(st|nd|rd|th)|esq|md|do|phd|jd|dds|dvm|rn|cpa|mba|ret|usn?|usmc)\b\.?$/i;

const GENDER = /^(m|f|male|female)$/i;

/** To its end or a time of day: the French number 06 39 98 12 34 begins like a date. */
const DATE =
	/^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ](\d{2}|\d{4})|(19|20)\d{6}|\d{1,2}[. -]+[\p{L}.]{3,12}[, -]+\d{2,4}|[\p{L}.]{3,12} \d{1,2},? \d{4})(?=$|[T ,]+\d{1,2}[:h.]\d{2})/u;

/** What people and spreadsheets write where there is no value: `N/A`. */
const PLACEHOLDER =
	/^(#?n\/?a|#[a-z\d/]+[!?]|null|none|nil|undefined|unknown|not (provided|available|given)|[-–—.?*]+|ninguno|desconocido|inconnu)$/i;

export function isPlaceholder(text: string): boolean {
	return PLACEHOLDER.test(text.trim());
}

/** A street without a number is part of an address whose other parts are in other columns. */
const STREET =
	/\d|\b(p\.? ?o\.? ?(box|drawer)|box|general delivery|rural route|apartado|lista de correos|s\/n|boîte postale)\b/i;

/** In lists of unions and scouts, a unit is something else. */
const UNIT =
	/\d|^\p{L}$|\b(apt|apartment|unit|suite|ste|floor|rear|front|upper|lower|left|right|basement|bsmt|penthouse|ph|room|rm|lot|bldg|building|house|hall|c\/o|attn|care of|apartamento|depto|piso|appartement|b[aâ]t|bâtiment|escalier|étage|edificio|interior|torre)\b/iu;

const ADDRESS_OF_COMPUTER = /^\d{1,3}(\.\d{1,3}){3}$/;

const digits = (text: string): number => text.replace(/\D/g, '').length;

/** With its area code: a local number of a US phone has 7 digits, and cannot be called. */
const isPhone = (text: string): boolean => {
	const [, number = ''] = /^(\+?[\d\s().+/'-]+)((x|ext\.?|#)\s*\d+)?$/i.exec(text) ?? [];
	return (
		digits(number) >= 8 &&
		digits(number) <= 15 &&
		!DATE.test(text) &&
		!/^000/.test(text) &&
		!ADDRESS_OF_COMPUTER.test(text)
	);
};

/** `Nome, AK` and `Nome AK 99762`. */
const WITH_ZIP = /,? \p{Lu}{2},? \d{5}(-\d{4})?$/u;
const WITH_STATE = new RegExp(`, \\p{Lu}{2}$|${WITH_ZIP.source}`, 'u');
/** Without a year, month or day: `0/0/00`, `0000-06-05`, and Apple's `1604-06-05`. */
const NO_BIRTH = /^(0{1,2}|0000|1[0-8]\d\d)[-/. ]|[-/. ]0{1,2}[-/. ]|[-/. ](0000|1[0-8]\d\d)$/;
const ORDINAL = /\b\d+(st|nd|rd|th)\b/gi;

export const looksLikeDate = (text: string): boolean => DATE.test(text);
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);

const isWords = (text: string): boolean =>
	/\p{L}/u.test(text) && !text.includes('@') && !FLAG.test(text) && !DATE.test(text);

/** What values can look like: as messages name them, and whether one does. They have at most 200 characters. */
const KINDS = {
	birth: ['dates with a year', (text) => DATE.test(text) && !NO_BIRTH.test(text)],
	city: ['cities', (text) => isWords(text) && !WITH_STATE.test(text)],
	country: [
		'country codes such as US',
		(text) => /^[A-Z]{2}$/i.test(text) && countryCode(text) !== undefined,
	],
	date: ['dates with a year', (text) => DATE.test(text)],
	email: ['email addresses', looksLikeEmail],
	flag: ['yes and no', (text) => FLAG.test(text) || /^[01]$/.test(text)],
	gender: ['M and F', (text) => GENDER.test(text)],
	honorific: ['titles such as Ms or Dr', (text) => HONORIFIC.test(text)],
	name: [
		'names',
		(text) =>
			!text.includes('@') && /^[^\d\p{L}]*\p{L}/u.test(text) && !/^(true|false)$/i.test(text),
	],
	phone: ['phone numbers with an area code', isPhone],
	salutation: ['salutations such as Dear Ann', (text) => isWords(text) && !HONORIFIC.test(text)],
	state: ['states or provinces', isState],
	street: [
		'streets with a number',
		(text) =>
			STREET.test(text.replace(ORDINAL, '')) &&
			/\p{L}/u.test(text) &&
			!text.includes('@') &&
			!WITH_ZIP.test(text),
	],
	suffix: ['suffixes such as Jr', (text) => SUFFIX.test(text)],
	unit: [
		'apartments and the like',
		(text) => UNIT.test(text) && !text.includes('@') && !FLAG.test(text) && !WITH_STATE.test(text),
	],
	words: ['text of this kind', isWords],
	zip: [
		'ZIP codes',
		(text) =>
			/^[\dA-Z][\dA-Z -]{2,9}$/i.test(text) &&
			digits(text) > 0 &&
			digits(text) < 10 &&
			!DATE.test(text),
	],
} satisfies Record<string, [plural: string, fits: (text: string) => boolean]>;

export type ValueKind = keyof typeof KINDS;

export const MOST_VALUES = 200;

/** Longer values are cut: no pattern here needs more. */
const LONGEST_VALUE = 200;

/** Real lists have mistakes; but a value that the service does not know stops an import. */
const SHARE_OF_FITTING = 0.7;

export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'string' && value.trim() === '';
}

/** The text of a piece of a street; empty for a list or an object, which may have no text at all. */
export function pieceText(value: unknown): string {
	return typeof value === 'object' ? '' : String(value ?? '').trim();
}

/**
 * One text of several values, with one blank between two; `NULL` is no piece of a street. A list or an
 * object as it is, because no file takes it.
 */
export function joinTexts(values: readonly unknown[]): unknown {
	const other = values.find((value) => typeof value === 'object' && value !== null);
	if (other !== undefined) return other;
	const texts = values.map(pieceText).filter((text) => text !== '' && !isPlaceholder(text));
	// Some columns repeat the piece before: 12, 12 Elm St. But 400, 400 S is 400 400 S.
	const pieces = texts.filter((text, index) => !repeats(texts[index + 1] ?? '', text));
	return pieces.join(' ').replace(/\s+/g, ' ');
}

function repeats(text: string, before: string): boolean {
	const rest = text.startsWith(`${before} `) ? text.slice(before.length) : '';
	return /[\p{L}\d]{3}/u.test(rest) || (rest !== '' && /^\p{L}/u.test(before));
}

export function columnTexts(values: readonly unknown[], most = MOST_VALUES): string[] {
	const texts: string[] = [];
	for (const value of values) {
		if (texts.length === most) break;
		if (isBlank(value)) continue;
		const plain = dateText(value);
		const isText = ['string', 'number', 'boolean'].includes(typeof plain);
		const text = isText ? String(plain).slice(0, LONGEST_VALUE).trim() : '';
		if (text !== '') texts.push(text);
	}
	return texts;
}

/** Whether most values of a column can be of a kind; a column without values can be anything. */
export function fitsKind(texts: readonly string[], kind: ValueKind): boolean {
	const [, fits] = KINDS[kind];
	if (kind === 'flag' || kind === 'gender') return texts.every(fits);
	const given = texts.filter((text) => !isPlaceholder(text));
	// A column of nothing but placeholders is no column of this kind.
	const judged = given.length > 0 ? given : texts;
	const misfits = judged.filter((text) => !fits(text)).length;
	// In a short list, one wrong value is a mistake.
	return isMost(judged, fits) || (misfits === 1 && judged.length > 1);
}

export function isMost(texts: readonly string[], isOne: (text: string) => boolean): boolean {
	return texts.filter(isOne).length >= texts.length * SHARE_OF_FITTING;
}

/** Of a street, in the languages of the headers. */
const STREET_WORD =
	/\b(st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|ct|court|way|pl|place|hwy|highway|cir|circle|ter|terrace|pkwy|sq|square|trl|trail|rue|calle|rua|avenida)\b|stra(ß|ss)e/i;
/** With signs, or long enough for no ID: most IDs have fewer digits. */
const WRITTEN_PHONE = /^\+\d|^\(?\d{3}\)?[ .-]+\d{3}[ .-]\d{4}\b|^[2-9]\d{2}[2-9]\d{6}$/;

/** What tells, without a header, that a column holds values of a kind; stricter than whether they fit it. */
const TELLING: ReadonlyArray<readonly [kind: ValueKind, isOne: (text: string) => boolean]> = [
	['email', KINDS.email[1]],
	['phone', (text) => isPhone(text) && WRITTEN_PHONE.test(text)],
	['street', (text) => /^\d\S* \S/.test(text) && STREET_WORD.test(text)],
	['name', (text) => /^\p{Lu}[\p{L}'’-]+,? \p{Lu}[\p{L}'’-]+$/u.test(text)],
];

/** The kind of the values of a column whose header says nothing. */
export function kindOfValues(texts: readonly string[]): ValueKind | undefined {
	const given = texts.filter((text) => !isPlaceholder(text));
	if (given.length === 0) return undefined;
	return TELLING.find(([, isOne]) => isMost(given, isOne))?.[0];
}

/** `phone numbers with an area code`. */
export function pluralOf(kind: ValueKind): string {
	return KINDS[kind][0];
}

const quoted = (text = ''): string => `"${text.slice(0, 30)}"`;

/**
 * Why a column is not of a kind: `its values are true/false, not phone numbers`, or
 * `not email addresses: 2 of its first 3 values, e.g. "nobody"`.
 */
export function misfitReason(texts: readonly string[], kind: ValueKind): string {
	const [plural, fits] = KINDS[kind];
	const misfits = texts.filter((text) => !fits(text));
	if (misfits.length < texts.length)
		return `not ${plural}: ${misfits.length} of its first ${texts.length} values, e.g. ${quoted(misfits[0])}`;
	const wrong = [...new Set(misfits)];
	const shown = texts.every((text) => FLAG.test(text))
		? wrong.slice(0, 2).join('/')
		: `${quoted(wrong[0])}${wrong.length > 1 ? ' and others' : ''}`;
	return `its values are ${shown}, not ${plural}`;
}

/** `2 of the first 200 values do not look like states or provinces, e.g. "AKK".`, or null. */
export function describeMisfits(texts: readonly string[], kind: ValueKind): string | null {
	const [plural, fits] = KINDS[kind];
	const wrong = texts.filter((text) => !fits(text));
	return wrong.length === 0
		? null
		: `${wrong.length} of the first ${texts.length} values do not look like ${plural}, e.g. ${quoted(wrong[0])}.`;
}
