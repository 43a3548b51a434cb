import { dateText } from '../service/dateText';
import { isPlaceholder } from '../service/noValue';
import { FLAG, isPhone, KINDS, type ValueKind } from './valueKinds';

const MOST_VALUES = 200;

/** Longer values are cut: no pattern here needs more. */
const LONGEST_VALUE = 200;

/** Real lists have mistakes; but a value that the service does not know stops an import. */
const SHARE_OF_FITTING = 0.7;

/** For ASCII only. */
function isVisible(code: number): boolean {
	return code > 32 && code < 127;
}

export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	if (typeof value !== 'string' || isVisible(value.charCodeAt(0))) return false;
	return value.trim() === '';
}

/** Removes blanks at both ends, which nearly no value has. */
export function trimmed(text: string): string {
	const { length } = text;
	return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(length - 1))
		? text
		: text.trim();
}

/** The text of a piece of a street; empty for a list or an object, which may have no text at all. */
export function pieceText(value: unknown): string {
	return typeof value === 'object' ? '' : String(value ?? '').trim();
}

/**
 * One text of several values, with one blank between two; `NULL` is not a piece of a street. A list or an
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
	// A column of nothing but placeholders is not a column of this kind.
	const judged = given.length > 0 ? given : texts;
	return isFewWrong(judged.filter((text) => !fits(text)).length, judged.length);
}

/** Whether so few values of a column are wrong that they are mistakes; in a short list, one is. */
export function isFewWrong(wrong: number, all: number): boolean {
	return all - wrong >= all * SHARE_OF_FITTING || (wrong === 1 && all > 1);
}

export function isMost(texts: readonly string[], isOne: (text: string) => boolean): boolean {
	return texts.filter(isOne).length >= texts.length * SHARE_OF_FITTING;
}

/** Words of a street, in the languages of the headers. */
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
