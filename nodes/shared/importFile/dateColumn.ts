import { isBirthDay, isoDate } from '../service/dateText';
import { isPlaceholder } from '../service/noValue';

/** `3/4/1985`, which can be of two days. */
const NUMBERS_DATE = /^\s*(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)/;

/** A day that Excel counts from 1900. Of smaller numbers some are years: 2003. */
const DAY_COUNT = /^(2[1-9]\d\d|[3-9]\d{3}|\d{5})(\.\d+)?$/;
const DAY_MS = 86_400_000;
const EXCEL_START_MS = Date.UTC(1899, 11, 30);

/** The day for the count of a spreadsheet program; undefined if it is not such a count. */
export function countedDay(text: string): string | undefined {
	if (!DAY_COUNT.test(text)) return undefined;
	const day = new Date(EXCEL_START_MS + Math.floor(Number(text)) * DAY_MS);
	return day.toISOString().slice(0, 10);
}

/** The day of `19800201`; undefined if it is none. With day or month first, the year would be before 1300. */
export function compactDay(text: string): string | undefined {
	const [, year, month, day] = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
	const date = isoDate(`${year}-${month}-${day}`);
	return year === undefined ? undefined : date;
}

/**
 * Whether a day count can be nothing else: not month or day, day or month, and year without the zero in front
 * (`41025`), and not the day of a year (`80123`).
 */
function isCertainCount(text: string): boolean {
	const [whole = ''] = text.split('.');
	const [middle, end] = [whole.slice(1, 3), whole.slice(-3)].map(Number);
	const isShortDate = whole.length === 5 && middle !== undefined && middle >= 1 && middle <= 31;
	return !isShortDate && end !== undefined && (end === 0 || end > 366);
}

function isOfTwoDays([, first, , second]: readonly string[]): boolean {
	return (
		[first, second].every((part) => Number(part) >= 1 && Number(part) <= 12) &&
		Number(first) !== Number(second)
	);
}

export type DateOrder = 'day' | 'month';

interface Counted {
	count: number;
	/** The first ones. */
	rows: number[];
	example: string;
}

/** Rows of a kind that are kept, to be named. */
const KEPT_ROWS = 20;

const NUMBER = /^\d+(\.\d+)?$/;

/** Such a date shows nothing of the others: `1985-04-03`. */
const BEGINS_WITH_YEAR = /^\d{4}-/;

/** If one order has this many times more dates than the other, the other dates are mistakes. */
const CLEAR_MAJORITY = 5;

/** What a column of dates shows as a whole, and no single value does: in which order they are, and what its numbers are. */
export class DateColumn {
	private readonly first: Record<DateOrder, Counted> = {
		day: { count: 0, rows: [], example: '' },
		month: { count: 0, rows: [], example: '' },
	};
	/** The first date that can be of two days. */
	private ofTwoDays: string | undefined;
	private filled = 0;
	private numbers = 0;
	private counts = 0;
	private certainCounts = 0;
	private compactDays = 0;
	/** Of dates that begin with day or month: those with another sign than a dot. */
	private others = 0;

	/** @param headerOrder what its header says of dates that could be of two days */
	constructor(
		private readonly isOfBirth: boolean,
		private readonly headerOrder?: DateOrder,
	) {}

	/** @param row from 1 */
	add(value: unknown, row: number): void {
		if (typeof value !== 'string' && typeof value !== 'number') return;
		const given = String(value);
		if (BEGINS_WITH_YEAR.test(given)) {
			this.filled++;
			return;
		}
		const text = given.trim();
		if (text === '' || isPlaceholder(text)) return;
		this.filled++;
		if (NUMBER.test(text)) return this.addNumber(text);
		const parts = NUMBERS_DATE.exec(text);
		if (!parts) return;
		if (parts[2] !== '.') this.others++;
		const order = this.orderOf(parts);
		if (order === undefined) {
			this.ofTwoDays ??= isOfTwoDays(parts) ? text.slice(0, 20) : undefined;
			return;
		}
		const seen = this.first[order];
		if (seen.count++ === 0) seen.example = text.slice(0, 20);
		if (seen.rows.length < KEPT_ROWS) seen.rows.push(row);
	}

	private addNumber(text: string): void {
		this.numbers++;
		if (compactDay(text) !== undefined) this.compactDays++;
		const day = countedDay(text);
		if (day === undefined || (this.isOfBirth && !isBirthDay(day))) return;
		this.counts++;
		if (isCertainCount(text)) this.certainCounts++;
	}

	private orderOf([, first, , second]: readonly string[]): DateOrder | undefined {
		const [one, two] = [Number(first), Number(second)];
		if (one > 12 && one <= 31 && two <= 12) return 'day';
		if (two > 12 && two <= 31 && one <= 12) return 'month';
		return one <= 12 && two <= 12 ? this.headerOrder : undefined;
	}

	/** Whether its numbers are days that a spreadsheet program counts: most values are, and some can be nothing else. */
	get hasDayCounts(): boolean {
		const { filled, numbers, counts, certainCounts } = this;
		return counts === numbers && 2 * counts >= filled && certainCounts > 0;
	}

	/** Whether its numbers are all dates such as `19800201`. */
	get hasCompactDays(): boolean {
		return this.numbers > 0 && this.compactDays === this.numbers;
	}

	/** With which part dates such as `3.4.1981` begin: some can be nothing else, and none has another sign. */
	get dottedOrder(): DateOrder | undefined {
		return this.others === 0 ? this.order : undefined;
	}

	/** The part with which most of its dates begin; undefined if no date shows it, or if many begin with the other. */
	get order(): DateOrder | undefined {
		const { day, month } = this.first;
		if (day.count > CLEAR_MAJORITY * month.count) return 'day';
		return month.count > CLEAR_MAJORITY * day.count ? 'month' : undefined;
	}

	/** Dates that begin with the day, or with the month. */
	seen(order: DateOrder): Readonly<Counted> {
		return this.first[order];
	}

	/** A date that can mean two days, if no date of the column shows which. */
	get unclear(): string | undefined {
		const { day, month } = this.first;
		return day.count > 0 || month.count > 0 ? undefined : this.ofTwoDays;
	}

	/** How many other dates say that a date has its day and month in the wrong order; 0 if they do not. */
	contradicting(text: string): number {
		const { order } = this;
		const own = order === undefined ? undefined : this.orderOf(NUMBERS_DATE.exec(text) ?? []);
		return order === undefined || own === undefined || own === order ? 0 : this.first[order].count;
	}
}
