/** Years that databases write where they have no date of birth. */
const NO_BIRTH_YEAR = /(?<!\d)(0\d{3}|1[0-8]\d\d|1900)(?!\d)/;

const PLAIN_DATE = /^\d{4}-\d\d-\d\d$/;
const ISO_DATE = /^\s*(\d{4}-\d\d-\d\d)(?!\d)/;
/** `19500304`. */
const COMPACT_DATE = /^\s*((?:19|20)\d\d)([01]\d)([0-3]\d)\s*$/;
/** `3/4/1950` and `03.04.50`. */
const NUMBERS_DATE = /^\s*(\d{1,2})\D(\d{1,2})\D(?:\d\d)?(\d\d)(?!\d)/;
/** `02-JAN-50`, `4 March 1950` and `March 4, 1950`. */
const NAMED_DATE =
	/^\s*(?:(\d{1,2})\W{0,3})?(\p{L}{3})\p{L}{0,6}\W{0,3}(\d{1,2})?\W{1,3}(?:\d\d)?(\d\d)(?!\d)/u;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const YEAR = /(?<!\d)\d\d(\d\d)(?!\d)/;

interface BirthDate {
	/** In ISO 8601 if it can be told, else as it is written; empty for none. */
	date: string;
	/** In what dates contradict each other: the ISO date, day and month as written, the year; 0 if unknown. */
	traits: readonly [day: number, dayAndMonth: number, year: number];
}

const NO_BIRTH: BirthDate = { date: '', traits: [0, 0, 0] };

/** Month, day and year of two digits. */
function namedDate(text: string): [month: string, day: string, year: string] | undefined {
	const [, before, name = '', after, year = ''] = NAMED_DATE.exec(text) ?? [];
	const month = 1 + MONTHS.indexOf(name.toLowerCase());
	return month === 0 ? undefined : [String(month), before ?? after ?? '0', year];
}

/** A date of birth as lists have it. `unknown` and `0000-00-00` are none. */
export function readBirth(text: string): BirthDate {
	if (text === '') return NO_BIRTH;
	if (PLAIN_DATE.test(text)) return readIsoBirth(text);
	const isoDate = ISO_DATE.exec(text)?.[1] ?? COMPACT_DATE.exec(text)?.slice(1).join('-');
	if (isoDate !== undefined) return readIsoBirth(isoDate);
	const date = text;
	if (!/[1-9]/.test(date) || NO_BIRTH_YEAR.test(date)) return NO_BIRTH;
	const [first = 0, second = 0, shortYear] =
		NUMBERS_DATE.exec(date)?.slice(1) ?? namedDate(date) ?? [];
	const year = shortYear ?? YEAR.exec(date)?.[1];
	return {
		date,
		traits: [0, 100 * Number(first) + Number(second), year === undefined ? 0 : 1 + Number(year)],
	};
}

function readIsoBirth(date: string): BirthDate {
	if (date < '1901') return NO_BIRTH;
	const year = Number(date.slice(0, 4));
	const month = Number(date.slice(5, 7));
	return {
		date,
		traits: [year * 10_000 + month * 100 + Number(date.slice(8)), 0, 1 + (year % 100)],
	};
}
