import { memoize } from 'lodash';

import { isPlaceholder } from '../service/noValue';
import { isStateCode } from './placeCodes';
import { FILLER_EMAIL, FLAG, type ValueKind } from './valueKinds';

/*
 * Nearly every value of a list is as it should be, and has nothing that any rule could object to. It is not
 * judged further: that takes ten times as long. A test compares what is plain here with the judgement.
 */

const LETTER = 1;
const DIGIT = 2;
const BLANK = 4;
/** What names, streets and cities have apart from letters and digits. */
const SIGN = 8;
const OTHER = 16;

/** Latin letters as they are; those that are left out can be one half of a letter that was read as two. */
const LATIN = 'a-zÀÁÄ-ÖØ-áä-öø-ÿ';
const LATIN_LETTER = new RegExp(`[${LATIN}]`, 'i');

const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
	const character = String.fromCharCode(code);
	if (LATIN_LETTER.test(character)) return LETTER;
	if (/\d/.test(character)) return DIGIT;
	if (character === ' ') return BLANK;
	return /[-.,'/()#_+:]/.test(character) ? SIGN : OTHER;
});

function classAt(text: string, index: number): number {
	return CLASSES[text.charCodeAt(index)] ?? OTHER;
}

/** The classes of all characters of a text, as bits. */
function classesOf(text: string): number {
	let classes = 0;
	for (let index = 0; index < text.length; index++) classes |= classAt(text, index);
	return classes;
}

/** Longer texts are judged. */
const LONGEST = 100;

function isPlainText(text: string): boolean {
	if (text.length > LONGEST || classesOf(text) >= OTHER) return false;
	return (classAt(text, 0) & (LETTER | DIGIT)) !== 0 && endsPlain(text);
}

/** Whether a text is plain whose characters and beginning are. */
function endsPlain(text: string): boolean {
	return text.length <= LONGEST && classAt(text, text.length - 1) !== BLANK && !isPlaceholder(text);
}

const EMAIL = /^[\w.+-]+@(?:[a-z\d-]+\.)+[a-z]{2,}$/i;
const BIRTH = /^(?:19(?!00)\d\d|20[01]\d)-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const PHONE = /^(?!(\d)\1{9})[2-9][0-8]\d[2-9]\d{6}$/;
const RECORD_ID = /^[1-9]\d{0,8}$/;
const ZIP = /^\d{5}$/;

const DATE = /^20[0-2]\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const NAME = new RegExp(`^[${LATIN}][${LATIN}\\d' -]*$`, 'i');
/** Two that have nothing but letters. */
const isTruth = (text: string): boolean =>
	(text.length === 4 || text.length === 5) && NO_NAME.test(text);
const NO_NAME = /^(true|false)$/i;
const CITY = new RegExp(`^[${LATIN}]{2}[${LATIN}'. -]{2,}$`, 'i');
/** Without a comma, a state and a ZIP. */
const STREET = /^\d+ [a-z .]*[a-z]$/i;

/** Rules for the kinds that have their own. */
const PLAIN: Partial<Record<ValueKind, (text: string) => boolean>> = {
	birth: (text) => BIRTH.test(text),
	city: (text) => CITY.test(text) && endsPlain(text) && !FLAG.test(text),
	country: (text) => text === 'US' || text === 'CA',
	date: (text) => DATE.test(text) || BIRTH.test(text),
	email: (text) =>
		text.length <= LONGEST &&
		EMAIL.test(text) &&
		!text.includes('undefined') &&
		!FILLER_EMAIL.test(text),
	gender: (text) => text === 'M' || text === 'F',
	id: (text) => text.length <= LONGEST && classesOf(text) === DIGIT && !text.startsWith('0'),
	name: (text) => NAME.test(text) && endsPlain(text) && !isTruth(text),
	phone: (text) => text.length === 10 && PHONE.test(text),
	recordId: (text) => RECORD_ID.test(text),
	state: isStateCode,
	street: (text) => STREET.test(text) && endsPlain(text),
	suffix: (text) => text === 'Jr' || text === 'Sr' || text === 'III' || text === 'II',
	zip: (text) => text.length === 5 && ZIP.test(text) && text !== '00000',
};

const REMEMBERED = 64;
/** Longer texts rarely come again, and V8 cuts them from the piece of a file, which they would keep alive. */
const LONGEST_REMEMBERED = 12;

/** Where a text is remembered: two that differ in length, end or middle are rarely at one place. */
function placeOf(text: string): number {
	const { length } = text;
	const [middle, end] = [text.charCodeAt(length >> 1), text.charCodeAt(length - 1)];
	return (length + 7 * end + 13 * middle) & (REMEMBERED - 1);
}

/**
 * A test that knows plain values again: a row is asked for its values several times, and a list has few first
 * names and cities. All who ask for a kind share what it knows.
 * @param kind undefined if nothing is known of the field
 */
export const plainTest = memoize((kind: ValueKind | undefined): ((text: string) => boolean) => {
	const isPlain = (kind && PLAIN[kind]) ?? isPlainText;
	const remembered = Array.from({ length: REMEMBERED }, () => '');
	let last = '';
	return (text) => {
		if (text === last || text === '') return true;
		if (text.length > LONGEST_REMEMBERED) {
			if (!isPlain(text)) return false;
			last = text;
			return true;
		}
		const place = placeOf(text);
		if (text === remembered[place]) return true;
		if (!isPlain(text)) return false;
		remembered[place] = text;
		return true;
	};
});
