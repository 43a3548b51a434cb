import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { isBirthDay, isoDate } from '../service/dateText';
import { throwIfAny } from '../service/invalidInput';
import { isObject } from '../service/requestBody';
import type { ItemParameters } from './itemParameters';

export interface DateFormat {
	entered: string;
	/** In luxon's letters. */
	pattern: string;
	hasTime: boolean;
	/** From UTC. */
	hasOffset: boolean;
	hasShortYear: boolean;
	/** What of it differs between texts, if only the order of day, month and year is given. */
	of?: (text: string) => Pick<DateFormat, 'pattern' | 'hasTime' | 'hasShortYear'>;
}

const ORDERS = {
	monthFirst: ['M', 'd', 'y'],
	dayFirst: ['d', 'M', 'y'],
	yearFirst: ['y', 'M', 'd'],
};

type DateOrder = keyof typeof ORDERS;
const isOrder = (entered: string): entered is DateOrder => entered in ORDERS;

export const LONGEST_DATE = 100;

/** Luxon's letters, by what people write for them: other programs have `YYYY`, `DD` and `A`. */
const LETTERS: Record<string, string> = {
	...Object.fromEntries(
		'y yy yyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo E EEE EEEE H HH h hh m mm s ss S SSS u a Z ZZ ZZZ z X x'
			.split(' ')
			.map((letters) => [letters, letters]),
	),
	...{ Y: 'y', YY: 'yy', YYYY: 'yyyy', D: 'd', DD: 'dd', ddd: 'EEE', dddd: 'EEEE', A: 'a' },
	...{ SSSSSS: 'u', T: "'T'" },
};

const TOKEN = /'[^']*'|([A-Za-z])\1*|[^A-Za-z']+|'/g;

/** Reads minutes as months in a format without months: spreadsheets show `mm/dd/yyyy`. */
function withMonths(tokens: string[]): string[] {
	if (tokens.some((token) => /^[ML]/.test(token))) return tokens;
	const month = tokens.findIndex((token) => /^(mm?$|[Hh])/.test(token));
	return tokens.map((token, index) =>
		index === month && token.startsWith('m') ? token.toUpperCase() : token,
	);
}

function hasAny(tokens: string[], letters: string): boolean {
	return tokens.some((token) => letters.includes(token.charAt(0)) && token !== "'T'");
}

function formatProblem(tokens: string[], unknown: string | undefined): string | undefined {
	if (tokens.join('').length > LONGEST_DATE) return `is longer than ${LONGEST_DATE} characters.`;
	if (unknown !== undefined)
		return `contains "${unknown}", which is not understood. Write d, M and yyyy for day, month and year, HH:mm for a time, and words in single quotes, e.g. M/d/yyyy.`;
	if (hasAny(tokens, 'Xx')) return undefined;
	if (!hasAny(tokens, 'y')) return 'has no year. Write yyyy for it, e.g. M/d/yyyy.';
	return (hasAny(tokens, 'ML') && hasAny(tokens, 'd')) || hasAny(tokens, 'o')
		? undefined
		: 'needs a day and a month. Write d and M for them, e.g. M/d/yyyy.';
}

/** Throws InvalidInput if no date could be read with it. */
export function readDateFormat(entered: string): DateFormat {
	const written = entered.slice(0, 2 * LONGEST_DATE).match(TOKEN) ?? [];
	const isWord = (token: string): boolean => /^[A-Za-z]/.test(token);
	const unknown = written.find((token) => token === "'" || (isWord(token) && !(token in LETTERS)));
	const tokens = withMonths(written.map((token) => LETTERS[token] ?? token));
	const problem = formatProblem(tokens, unknown);
	if (problem !== undefined) throwIfAny([{ field: 'Date Format', text: problem }]);
	return {
		entered,
		pattern: tokens.join(''),
		hasTime: hasAny(tokens, 'HhXx'),
		hasOffset: hasAny(tokens, 'ZzXx'),
		hasShortYear: tokens.includes('yy'),
	};
}

/** `3/1/26`, `03-01-2026` and `3.1.2026 4:30 PM`, each with the pattern that reads it. */
function orderedFormat(order: DateOrder): DateFormat {
	const of = (text: string) => {
		const separator = /[-/. ]/.exec(text.trim())?.[0] ?? '/';
		const hasShortYear = !/\d{4}/.test(text);
		const [, second = '', suffix = ''] = /\d:\d\d(:\d\d)?(\s*[ap]m)?/i.exec(text) ?? [];
		const hasTime = text.includes(':');
		const day = ORDERS[order].map((part) => (part === 'y' ? (hasShortYear ? 'yy' : 'yyyy') : part));
		const half = suffix.replace(/\S+/, 'a');
		const time = `${suffix === '' ? 'H' : 'h'}:mm${second && ':ss'}${half}`;
		return {
			pattern: `${day.join(separator)}${hasTime ? ` ${time}` : ''}`,
			hasTime,
			hasShortYear,
		};
	};
	const names = { M: 'month', d: 'day', y: 'year' };
	const entered = ORDERS[order].map((part) => names[part as keyof typeof names]).join(', ');
	return { entered, ...of(''), hasOffset: false, of };
}

function parse(text: string, format: DateFormat): DateTime | undefined {
	if (text.length > LONGEST_DATE) return undefined;
	const { pattern } = format.of?.(text) ?? format;
	// The date stays as it is written: another zone could have another day.
	const options = { zone: 'utc', setZone: true, locale: 'en-US' };
	const date = DateTime.fromFormat(text.trim(), pattern, options);
	// With y, 26 is the year 26.
	return date.isValid && date.year > 99 ? date : undefined;
}

/** A date in the given format, or in ISO 8601, as ISO 8601; undefined if it is neither. */
export function readDate(text: string, format: DateFormat): string | undefined {
	const date = parse(text, format);
	if (!date) return isoDate(text);
	const { hasTime } = format.of?.(text) ?? format;
	if (!hasTime) return date.toFormat('yyyy-MM-dd');
	return date.toFormat(`yyyy-MM-dd'T'HH:mm:ss${format.hasOffset ? 'ZZ' : ''}`);
}

/** A date of birth as a day, `1945-09-18`, a two-digit year in the past; undefined if it is none. */
export function readBirthDate(text: string, format: DateFormat): string | undefined {
	const date = parse(text, format);
	const day = (date?.toFormat('yyyy-MM-dd') ?? isoDate(text))?.slice(0, 10);
	if (day === undefined || isBirthDay(day)) return day;
	if (!date || !(format.of?.(text) ?? format).hasShortYear) return undefined;
	const earlier = date.minus({ years: 100 }).toFormat('yyyy-MM-dd');
	return isBirthDay(earlier) ? earlier : undefined;
}

/** How the dates of a list are written, where most lists need no answer. */
export const listDateFields: INodeProperties[] = [
	{
		displayName: 'Dates in the List',
		name: 'dateFormat',
		type: 'options',
		options: [
			{ name: 'Day First', value: 'dayFirst', description: 'Such as 31/3/2026 or 31.3.2026' },
			{ name: 'Month First', value: 'monthFirst', description: 'Such as 3/31/2026' },
			{ name: 'Other', value: 'other', description: 'In a format that you enter' },
			{
				name: 'Recognized',
				value: 'recognized',
				description: 'As the service reads them. Dates such as 2026-03-01 always work.',
			},
			{ name: 'Year First', value: 'yearFirst', description: 'Such as 2026/3/31' },
		],
		default: 'recognized',
		description: 'How dates are written in the list',
	},
	{
		displayName: 'Date Format',
		name: 'otherDateFormat',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. MMMM d, yyyy',
		displayOptions: { show: { dateFormat: ['other'] } },
		description:
			'How dates are written: d, M and yyyy are day, month and year, HH:mm is a time, words are in single quotes',
	},
];

export const dateFormatOption: INodeProperties = {
	displayName: 'Date Format',
	name: 'dateFormat',
	type: 'string',
	default: '',
	placeholder: 'e.g. M/d/yyyy',
	description:
		'How dates in text are written: d, M and yyyy are day, month and year, HH:mm is a time. Dates such as 2026-03-01 always work. A two-digit year of birth is within the last 100 years.',
};

/** A body with one of its dates, if it is in the option Date Format, as the service writes it. */
export function withDateInput(
	parameters: ItemParameters,
	body: unknown,
	name: string,
	read: (text: string, format: DateFormat) => string | undefined,
): unknown {
	const format = dateFormatInput(parameters);
	if (!format || !isObject(body)) return body;
	const entered = body[name];
	if (typeof entered !== 'string' && typeof entered !== 'number') return body;
	return { ...body, [name]: read(String(entered), format) ?? entered };
}

/** Undefined if the user entered none. Throws InvalidInput if no date could be read with it. */
export function dateFormatInput(parameters: ItemParameters): DateFormat | undefined {
	const chosen = parameters.in('options').text('dateFormat');
	if (isOrder(chosen)) return orderedFormat(chosen);
	const entered = chosen === 'other' ? parameters.text('otherDateFormat') : chosen;
	if (chosen === 'other' && entered === '')
		throwIfAny([
			{ field: 'Date Format', text: 'is empty. Enter how the dates are written, e.g. M/d/yyyy.' },
		]);
	return ['', 'recognized'].includes(entered) ? undefined : readDateFormat(entered);
}
