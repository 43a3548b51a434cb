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
	/** In ISO 8601 if it can be read with certainty, otherwise as it is written; empty for none. */
	date: string;
	/** In what dates can contradict each other; 0 if it is not known. */
	day: number;
	/** In the order in which it is written. */
	dayAndMonth: number;
	/** Its last two digits, from 1. */
	year: number;
}

const ZERO = '0'.charCodeAt(0);
const NO_BIRTH: BirthDate = { date: '', day: 0, dayAndMonth: 0, year: 0 };

/** Month, day and year of two digits. */
function namedDate(text: string): [month: string, day: string, year: string] | undefined {
	const [, before, name = '', after, year = ''] = NAMED_DATE.exec(text) ?? [];
	const month = 1 + MONTHS.indexOf(name.toLowerCase());
	return month === 0 ? undefined : [String(month), before ?? after ?? '0', year];
}

/** A date of birth as lists have it. */
export function readBirth(text: string): BirthDate {
	if (text === '') return NO_BIRTH;
	if (PLAIN_DATE.test(text)) return readIsoBirth(text);
	const isoDate = ISO_DATE.exec(text)?.[1] ?? COMPACT_DATE.exec(text)?.slice(1).join('-');
	if (isoDate !== undefined) return readIsoBirth(isoDate);
	const [first = 0, second = 0, shortYear] =
		NUMBERS_DATE.exec(text)?.slice(1) ?? namedDate(text) ?? [];
	const year = shortYear ?? YEAR.exec(text)?.[1];
	return {
		date: text,
		day: 0,
		dayAndMonth: 100 * Number(first) + Number(second),
		year: year === undefined ? 0 : 1 + Number(year),
	};
}

function readIsoBirth(date: string): BirthDate {
	// `1950-03-04` becomes 19500304.
	let day = 0;
	for (let index = 0; index < date.length; index++)
		if (date.charCodeAt(index) >= ZERO) day = day * 10 + date.charCodeAt(index) - ZERO;
	return { date, day, dayAndMonth: 0, year: 1 + (Math.floor(day / 10_000) % 100) };
}
