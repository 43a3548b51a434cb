import { isEmail, isEncodableId, lacksId, tidyText } from '../service/bodySchema';
import { isNorthAmerican, nationalDigits } from '../service/phoneNumber';
import { isArtefact, isPlaceholder } from '../service/noValue';
import { compactDay, countedDay, type DateColumn } from './dateColumn';
import { simplifyName } from './fileColumns';
import { countryCode, isState, stateCode } from './placeCodes';

export const FLAG = /^(true|false|yes|no|y|n|sí|si|oui|non|x|on|off|checked|unchecked)$/i;

const HONORIFIC =
	/^(mr|mrs|ms|miss|mx|dr|doctor|prof|professor|rev|reverend|hon|honorable|sir|dame|lady|lord|fr|father|sister|sr|sra|srta|don|doña|m|mme|mlle|me|rabbi|imam|pastor|capt|captain|col|colonel|gen|general|lt|sgt|maj|major|judge|sen|senator|rep|gov|amb|the hon|monsieur|madame|mister|señor|señora|herr|frau|fräulein|senhor|senhora|dona|dra)\b\.?(\s+(and|&|y|et)\s+\S+)?\.?$/i;

const SUFFIX =
	/^(jr|sr|[ivx]{1,4}|\d(st|nd|rd|th)|esq|md|do|phd|jd|dds|dvm|rn|cpa|mba|ret|usn?|usmc)\b\.?$/i;

const GENDER = /^(m|f|male|female)$/i;

/** To its end or a time of day: the French number 06 39 98 12 34 begins like a date. */
const DATE =
	/^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ](\d{2}|\d{4})|(19|20)\d{6}|\d{1,2}[. -]+[\p{L}.]{3,12}[, -]+\d{2,4}|[\p{L}.]{3,12} \d{1,2},? \d{4})(?=$|[T ,]+\d{1,2}[:h.]\d{2})/u;

/** A street without a number is part of an address whose other parts are in other columns. */
const STREET =
	/\d|\b(p\.? ?o\.? ?(box|drawer)|box|general delivery|rural route|apartado|lista de correos|s\/n|boîte postale)\b/i;

/** In lists of unions and scouts, a unit is something else. */
const UNIT =
	/\d|^\p{L}$|\b(apt|apartment|unit|suite|ste|floor|rear|front|upper|lower|left|right|basement|bsmt|penthouse|ph|room|rm|lot|bldg|building|house|hall|c\/o|attn|care of|apartamento|depto|piso|appartement|b[aâ]t|bâtiment|escalier|étage|edificio|interior|torre)\b/iu;

const ADDRESS_OF_COMPUTER = /^\d{1,3}(\.\d{1,3}){3}$/;

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** The digits of a text. A pattern would take five times as long, and often every phone number has signs. */
function digitsOf(text: string): string {
	let digits = '';
	let from = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code >= ZERO && code <= NINE) continue;
		digits += text.slice(from, index);
		from = index + 1;
	}
	return from === 0 ? text : digits + text.slice(from);
}

const digits = (text: string): number => digitsOf(text).length;

/** With its area code: a local number of a US phone has 7 digits, and cannot be called. */
export const isPhone = (text: string): boolean => {
	const [, number = ''] = /^(\+?[\d\s().+/'-]+)((x|ext\.?|#)\s*\d+)?$/i.exec(text) ?? [];
	return (
		digits(number) >= 8 &&
		digits(number) <= 15 &&
		!DATE.test(text) &&
		!/^000/.test(text) &&
		!ADDRESS_OF_COMPUTER.test(text)
	);
};

/** `Nome, AK` and `Nome AK 99762`, also of a country. */
const WITH_ZIP =
	/,? \p{Lu}{2},? (\d{5}(-\d{4})?|\p{Lu}\d\p{Lu} ?\d\p{Lu}\d)(,? (USA?|United States( of America)?|Canada))?$/u;
const WITH_STATE = new RegExp(`, \\p{Lu}{2}$|${WITH_ZIP.source}`, 'u');
/** Without a month or day: `0/0/00`. */
const NO_DAY = /(^|[-/. ])0{1,2}[-/. ]/;
/** Years that databases write where they have no date of birth, and Apple's `1604-06-05`. */
const NO_BIRTH_YEAR = /(?<!\d)(0\d{3}|1[0-8]\d\d|1900)(?!\d)/;
const ORDINAL = /\b\d+(st|nd|rd|th)\b/gi;

export const looksLikeDate = (text: string): boolean => DATE.test(text);
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);

const isWords = (text: string): boolean =>
	/\p{L}/u.test(text) && !text.includes('@') && !FLAG.test(text) && !DATE.test(text);

/** What values can look like: as messages name them, and whether one does. They have at most 200 characters. */
export const KINDS = {
	birth: [
		'dates with a year',
		(text) => DATE.test(text) && !NO_DAY.test(text) && !NO_BIRTH_YEAR.test(text),
	],
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
	id: ['IDs', (text) => !isPlaceholder(text) && !SHORTENED.test(text)],
	name: [
		'names',
		(text) =>
			!text.includes('@') && /^[^\d\p{L}]*\p{L}/u.test(text) && !/^(true|false)$/i.test(text),
	],
	phone: ['phone numbers with an area code', isPhone],
	recordId: ['record IDs', (text) => isEncodableId(text)],
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

/** What a value is, in a field of its kind. */
export type Verdict = 'fits' | 'cleaned' | 'noValue' | 'doubtful' | 'impossible';

interface Judgement {
	verdict: Verdict;
	/** What is sent; empty for a value that says there is none. */
	text: string;
	/**
	 * Why it is doubtful (`not a phone number`) or impossible (`is not an email address. …`), or why a value that
	 * says something is sent as blank (`the service takes only M and F`).
	 */
	reason?: string;
}

/** What a cleaner of a kind finds; blank text is no value. */
interface CleanValue {
	text: string;
	doubt?: string;
	problem?: string;
	/** Why it is sent as blank. */
	untaken?: string;
}

/** What the row says apart from the value; blank if it says nothing. */
export interface RowPlace {
	state: string;
	country: string;
}

const NO_PLACE: RowPlace = { state: '', country: '' };

/** The marks with which exports keep spreadsheet programs from reading a phone number as a number. */
const PHONE_MARK = /^(['=]|p:|tel:)(?=[+\d(])/i;
/** A number that a program wrote with decimals: `9075550100.0`. */
const WHOLE_DECIMALS = /^(\d{1,15})\.0+$/;
/** A number that a spreadsheet program shortened: its last digits are lost. `5E12` can be an ID. */
const SHORTENED = /^\d([.,]\d+E\+?|E\+)\d{1,2}$/i;
const ZIP_MARK = /^('|z:)(?=\d)/;

/** Numbers that people type in North America instead of a real one: `999-999-9999`. */
const FILLER_NUMBER = /^0+$|^1?((\d)\2{9}|1234567890)$/;

/** Only signs are removed, and the 1 where it certainly is the country. */
function cleanPhone(given: string, { country }: RowPlace): CleanValue {
	const text = given
		.replace(PHONE_MARK, '')
		.replace(/[\u2010-\u2013]/g, '-')
		.replace(WHOLE_DECIMALS, '$1');
	const digits = digitsOf(text);
	if (FILLER_NUMBER.test(digits)) return { text: '' };
	if (digits.length === 7 && text.length < 10) return { text, doubt: 'without an area code' };
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
	return code === undefined ? { text, doubt: 'not a known country' } : { text: code };
}

function cleanState(text: string, { country }: RowPlace): CleanValue {
	const found = stateCode(text);
	if (!found) {
		const code = countryCode(country);
		const isKnown = isState(text) || (country.trim() !== '' && code !== 'US' && code !== 'CA');
		return isKnown ? { text } : { text, doubt: 'not a known state or province' };
	}
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
	const text = given.replace(ZIP_MARK, '').replace(WHOLE_DECIMALS, '$1');
	if (/^0+(-0+)?$/.test(text)) return { text: '' };
	const [, digits, extension = ''] = /^(\d{3,4})(-?\d{4})?$/.exec(text) ?? [];
	if (digits === undefined) return { text };
	const isInUs = country.trim() === '' || countryCode(country) === 'US';
	if (!isInUs) return { text };
	const zip = digits.padStart(5, '0');
	const found = stateCode(state);
	return found?.country === 'US' && ZIPS_WITH_ZERO[found.code]?.test(zip)
		? { text: zip + extension }
		: { text, doubt: 'shorter than a ZIP code' };
}

const MALE = /^(m|male|man|masculino|hombre|masculin|homme)$/;
const FEMALE = /^(f|female|woman|femenino|mujer|feminin|femme)$/;
/** In voter files; the service accepts no word for it. */
const NO_GENDER =
	/^(u|unspecified|not specified|undisclosed|prefer not to (say|answer|disclose))$/i;
/** Other genders, and misspelt words; of single letters, H and W say that M may be a woman, or a man in German. */
const OTHER_GENDER = /^(x|o|d|n|nb|i|t)$|\p{L}{3}/iu;

function cleanGender(text: string): CleanValue {
	const name = simplifyName(text);
	if (MALE.test(name)) return { text: 'M' };
	if (FEMALE.test(name)) return { text: 'F' };
	if (NO_GENDER.test(text)) return { text: '' };
	return OTHER_GENDER.test(text)
		? { text: '', untaken: 'the service takes only M and F' }
		: { text };
}

const NO_MAILBOX = '(?:no[._-]?e?mail|none|no|na|null|nil|unknown)';
const ANY_KEYS = '(?:test|asdf|abc|x+|a{1,3})';
/** `none@none.com`, `test@test.com`, and `noemail@`, wherever it is. */
export const FILLER_EMAIL = new RegExp(
	`^(?:${NO_MAILBOX}@(?:${NO_MAILBOX}|e?mail|nowhere|test)\\.[a-z]{2,4}|${ANY_KEYS}@${ANY_KEYS}\\.[a-z]{2,4}|no[._-]?e?mail@.+)$`,
	'i',
);

/** What mail programs and links have around an address: `Ann Lee <ann@example.org>`, `mailto:`, and signs at its end. */
const AROUND_EMAIL = /^(?:[^<>@]*<)?(?:mailto:)?([^\s<>@,;:]+) ?@ ?([^\s<>@,;:]+?)>?[.,;]?$/i;

function cleanEmail(given: string): CleanValue {
	const text = given.replace(AROUND_EMAIL, '$1@$2');
	if (FILLER_EMAIL.test(text)) return { text: '' };
	return isEmail(text)
		? { text }
		: { text, problem: 'is not an email address. Correct it, or delete it from the list.' };
}

/** `00/00/0000`, and the first day of Excel, which it shows for 0. */
const NO_DATE = /^(0{1,4}[-/. ]0{1,2}[-/. ]0{1,4}|(0?1[-/]0[-/]|1900-0?1-0?0)(1900)?)(?=$|[T ])/;
/** `3/4/50`, of which nobody knows the century. */
const SHORT_YEAR = /^\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2}$/;

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=$|[T ,])/;
/** `19800201`. */
const COMPACT = /^\d{8}$/;
/** `3.4.1981`. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[T ,])/;
const YEAR_LAST = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})(?=$|[T ,])/;

function isDay(year: string, month: string, day: string): boolean {
	const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Whether a date of numbers is not a date in any order: `99/99/1970`, `2/30/1980`. */
function isNoDay(text: string): boolean {
	if (COMPACT.test(text)) return compactDay(text) === undefined;
	const [, first = '', , month = '', day = ''] = YEAR_FIRST.exec(text) ?? [];
	if (first !== '') return !isDay(first, month, day);
	const [, one = '', , two = '', year = ''] = YEAR_LAST.exec(text) ?? [];
	return year !== '' && !isDay(year, one, two) && !isDay(year, two, one);
}

/** A date whose parts are certain, in ISO 8601; undefined if they are not. */
function certainDate(text: string, column: DateColumn | undefined): string | undefined {
	const compact = column?.hasCompactDays === false ? undefined : compactDay(text);
	if (compact !== undefined) return compact;
	const [start = '', year = '', , month = '', day = ''] = YEAR_FIRST.exec(text) ?? [];
	const dayFirst = column?.dottedOrder === 'day';
	const [dotted = '', one = '', two = '', end = ''] =
		column?.dottedOrder === undefined ? [] : (DOTTED.exec(text) ?? []);
	const parts = dayFirst ? [end, two, one] : [end, one, two];
	const [y = '', m = '', d = ''] = start === '' ? parts : [year, month, day];
	const { length } = start || dotted;
	if (length === 0 || !isDay(y, m, d)) return undefined;
	return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}${text.slice(length)}`;
}

const isNoBirth = (text: string): boolean => DATE.test(text) && NO_BIRTH_YEAR.test(text);

function cleanBirth(text: string, place: RowPlace, column?: DateColumn): CleanValue {
	if (isNoBirth(text)) return { text: '' };
	const found = cleanDate(text, place, column);
	// `19000101` has shown its year by now.
	return found.problem === undefined && isNoBirth(found.text) ? { text: '' } : found;
}

/** @param column undefined where a date stands alone */
function cleanDate(text: string, _: RowPlace, column?: DateColumn): CleanValue {
	if (NO_DATE.test(text)) return { text: '' };
	const day = countedDay(text);
	if (day !== undefined)
		return column?.hasDayCounts
			? { text: day }
			: {
					text,
					problem:
						'looks like a number of days, which spreadsheet programs show as a date. Write it as a date.',
				};
	const others = column?.contradicting(text) ?? 0;
	if (others > 0)
		return {
			text,
			problem: `begins with the ${column?.order === 'day' ? 'month' : 'day'}, but ${others} others in the column begin with the ${column?.order}. Write it like the others.`,
		};
	const certain = certainDate(text, column);
	if (certain !== undefined) return { text: certain };
	if (!DATE.test(text)) return { text, doubt: 'not a date with a year' };
	if (isNoDay(text))
		return { text, problem: 'is not a date in the calendar. Correct it in the list.' };
	if (SHORT_YEAR.test(text)) return { text, doubt: 'a two-digit year' };
	if (COMPACT.test(text)) return { text, doubt: 'unlike the other dates of the column' };
	const isOpen = column !== undefined && column.unclear === undefined && DOTTED.test(text);
	return isOpen ? { text, doubt: 'with dots, so the service may not read it' } : { text };
}

/** `12,345`: with signs between thousands, which no ID has. */
const GROUPED_ID = /^[1-9]\d{0,2}(,\d{3})+(\.0+)?$/;

/** An ID that the service gave a record. */
function cleanRecordId(given: string): CleanValue {
	const found = cleanId(GROUPED_ID.test(given) ? given.replaceAll(',', '') : given);
	if (found.problem !== undefined || found.text === '' || isEncodableId(found.text)) return found;
	return {
		text: given,
		problem: 'is not a record ID, which is a whole number. Correct it, or delete it from the list.',
	};
}

function cleanId(given: string): CleanValue {
	const text = given.replace(WHOLE_DECIMALS, '$1');
	// Databases write it where there is none.
	if (/^0+$/.test(text)) return { text: '' };
	const problem = lacksId(text);
	return problem === undefined ? { text } : { text, problem: `${problem}.` };
}

/** Read as Latin letters, the bytes of UTF-8 look like this: `JosÃ©`. */
const MOJIBAKE = /[ÂÃ][\u0080-\u00bf]/;
/** The letters of Latin-1 from 192 on, as HTML calls them. */
const LATIN_ENTITIES =
	`Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde
	Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde
	auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml
	divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/);
const ENTITIES: ReadonlyMap<string, string> = new Map([
	...LATIN_ENTITIES.map((name, index) => [name, String.fromCharCode(192 + index)] as const),
	['amp', '&'],
	['quot', '"'],
	['apos', "'"],
	['nbsp', ' '],
	['rsquo', '’'],
	['lsquo', '‘'],
	['ndash', '–'],
]);
const ENTITY = /&(?:#(\d{2,5})|#x([\da-f]{2,4})|([a-z]{2,6}));/gi;
/** Not the signs that no text has, and halves of characters. */
const isCharacter = (code: number): boolean =>
	(code >= 32 && code < 127) || (code >= 160 && code < 0xd800);

function characterOf(entity: string, decimal?: string, hex?: string, name?: string): string {
	if (name !== undefined) return ENTITIES.get(name) ?? entity;
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	return isCharacter(code) ? String.fromCharCode(code) : entity;
}

/** Undoes what programs did to letters, where the result is certain. */
function readableText(text: string): string {
	const plain = text.includes('&') ? text.replace(ENTITY, characterOf) : text;
	if (!MOJIBAKE.test(plain) || /[^\0-\xff]/.test(plain)) return plain;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(plain, 'latin1'));
	} catch {
		return plain;
	}
}

/** What is certain about the values of a kind; of others, only what holds for all. */
const CLEANERS: Partial<
	Record<ValueKind, (text: string, place: RowPlace, column?: DateColumn) => CleanValue>
> = {
	birth: cleanBirth,
	date: cleanDate,
	country: cleanCountry,
	email: cleanEmail,
	gender: cleanGender,
	id: cleanId,
	phone: cleanPhone,
	recordId: cleanRecordId,
	state: cleanState,
	zip: cleanZip,
};

/** Kinds of which a value that looks otherwise is worth a look; the others hold free text. */
const CHECKED_KINDS: ReadonlySet<ValueKind> = new Set([
	'city',
	'name',
	'phone',
	'street',
	'suffix',
	'zip',
] as const);

/** Kinds whose values spreadsheet programs take for numbers. */
const DIGIT_KINDS: ReadonlySet<ValueKind> = new Set(['id', 'phone', 'recordId', 'zip'] as const);

const LONGEST = 200;
/**
 * Three times what a cell of a spreadsheet holds. Longer texts stay as they are, and are in no import: to clean and
 * write millions of characters would stop n8n.
 */
export const LONGEST_VALUE = 100_000;

/** What says so of one kind only. */
const NO_SUCH: Partial<Record<ValueKind, RegExp>> = {
	email: /^(no|sin|sem|keine?|pas de|pas d['’]) ?(e-?mail|mail|correo|courriel)( address)?$/i,
	phone:
		/^((no|sin|sem|kein|pas de) (tele)?(phone|number|cell|tel|telefono|teléfono|telefone|telefon)( number)?|unlisted)$/i,
	street: /^(no|sin|sem|pas d['’]|keine) ?(address|street|direcci[oó]n|endereço|adresse)$/i,
};

/** Whether a text says that a field of a kind has no value. */
export function saysNoValue(kind: ValueKind | undefined, text: string): boolean {
	// Reports of contributions have employers called None.
	if (kind === undefined || kind === 'words') return isArtefact(text);
	// Na, Nan, Nil and Null are names, and NA is Namibia.
	if (kind === 'name' && /^([Nn][Aa][Nn]?|Nil|Null)$/.test(text)) return false;
	if (kind === 'country' && /^na$/i.test(text)) return false;
	return (
		kind !== 'id' &&
		kind !== 'recordId' &&
		(isPlaceholder(text) || NO_SUCH[kind]?.test(text) === true)
	);
}

/** `="07102"` keeps spreadsheet programs from taking a text for a number. */
const FORMULA_TEXT = /^="([^"]*)"$/;

/** The way people in North America write most phone numbers: `(907) 555-0100`. */
const USUAL_PHONE =
	/^\(?(?!(\d)\1{2}\)?[ -]?\1{3}[ -]?\1{4}$)[2-9][0-8]\d\)?[ -]?[2-9]\d\d[ -]?\d{4}$/;
const NORTH_AMERICA: ReadonlySet<string> = new Set(['', 'US', 'CA']);

/**
 * What a value is in a field of its kind, whatever list, item or form it comes from.
 * @param kind undefined if nothing is known of the field
 * @param column what is known of all values of a column of dates
 */
export function judgeValue(
	kind: ValueKind | undefined,
	given: string,
	place: RowPlace = NO_PLACE,
	column?: DateColumn,
): Judgement {
	// Whole columns are written so: no other rule has anything to say about them.
	if (kind === 'phone' && USUAL_PHONE.test(given) && NORTH_AMERICA.has(place.country)) {
		const text = digitsOf(given);
		return { verdict: text === given ? 'fits' : 'cleaned', text };
	}
	return judgeClosely(kind, given, place, column);
}

/** Judged by all rules. */
export function judgeClosely(
	kind: ValueKind | undefined,
	given: string,
	place: RowPlace,
	column?: DateColumn,
): Judgement {
	if (given.length > LONGEST_VALUE) return { verdict: 'fits', text: given };
	const tidy = tidyText(given);
	if (tidy === '' || tidy.length > LONGEST) return { verdict: 'fits', text: tidy };
	const text = readableText(tidy.replace(FORMULA_TEXT, '$1')).trim();
	// `=""` and `&nbsp;` are blank cells.
	if (text === '' || saysNoValue(kind, text)) return { verdict: 'noValue', text: '' };
	if (kind && DIGIT_KINDS.has(kind) && SHORTENED.test(text)) {
		const reason =
			'is a number that has lost its last digits. Format the column as text in the spreadsheet program, and correct it.';
		return { verdict: 'impossible', text, reason };
	}
	const found: CleanValue = (kind && CLEANERS[kind]?.(text, place, column)) ?? { text };
	if (found.problem !== undefined)
		return { verdict: 'impossible', text: found.text, reason: found.problem };
	if (found.doubt !== undefined)
		return { verdict: 'doubtful', text: found.text, reason: found.doubt };
	const { untaken: reason } = found;
	if (found.text === '')
		return { verdict: 'noValue', text: '', ...(reason !== undefined && { reason }) };
	if (kind && CHECKED_KINDS.has(kind) && !KINDS[kind][1](found.text)) {
		return { verdict: 'doubtful', text: found.text, reason: `unlike ${KINDS[kind][0]}` };
	}
	return { verdict: found.text === given ? 'fits' : 'cleaned', text: found.text };
}
