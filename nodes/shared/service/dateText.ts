/** Dates as objects, which databases and expressions give where text is expected, and dates in ISO 8601. */

interface LuxonDate {
	toISO: () => string | null;
	toISODate: () => string | null;
	toFormat: (format: string) => string;
}

function isLuxonDate(value: unknown): value is LuxonDate {
	// Not by names alone: a form can send an object with any.
	return typeof (value as Partial<LuxonDate> | null | undefined)?.toISODate === 'function';
}

export function isDateObject(value: unknown): boolean {
	return value instanceof Date || isLuxonDate(value);
}

/** Some database drivers give a day as midnight of the machine, others as midnight UTC. */
function isLocalMidnight(date: Date): boolean {
	const isUtcMidnight = date.getTime() % 86_400_000 === 0;
	return !isUtcMidnight && date.getHours() + date.getMinutes() + date.getSeconds() === 0;
}

/** The calendar day of a date object, `1975-09-18`; empty if it is invalid. Other values unchanged. */
export function dayText(value: unknown): unknown {
	if (isLuxonDate(value)) return value.toISODate() ?? '';
	if (!(value instanceof Date)) return value;
	if (Number.isNaN(value.getTime())) return '';
	if (!isLocalMidnight(value)) return value.toISOString().slice(0, 10);
	const two = (part: number): string => String(part).padStart(2, '0');
	return `${String(value.getFullYear()).padStart(4, '0')}-${two(value.getMonth() + 1)}-${two(value.getDate())}`;
}

/** The same with its time, but at midnight only the day: as a moment, it could differ at the service. */
export function dateText(value: unknown): unknown {
	if (isLuxonDate(value))
		return value.toFormat('HHmmssSSS') === '000000000' ? dayText(value) : (value.toISO() ?? '');
	if (!(value instanceof Date) || Number.isNaN(value.getTime())) return dayText(value);
	const isDay = isLocalMidnight(value) || value.getTime() % 86_400_000 === 0;
	return isDay ? dayText(value) : value.toISOString();
}

const ISO_DATE =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?))?$/;

/** A day in ISO 8601, alone or with a time as databases write it: a space before, no colon in the offset. */
export function isoDate(text: string): string | undefined {
	const [, day, time] = ISO_DATE.exec(text.trim()) ?? [];
	if (day === undefined) return undefined;
	const date = new Date(`${day}T00:00:00Z`);
	if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return undefined;
	if (time === undefined) return day;
	const offset = /([+-]\d\d):?(\d\d)?$/.exec(time);
	const written = offset
		? `${day}T${time.slice(0, offset.index)}${offset[1] ?? ''}:${offset[2] ?? '00'}`
		: `${day}T${time}`;
	return Number.isNaN(Date.parse(written)) ? undefined : written;
}

/** The time zone that is furthest ahead of UTC. */
const FURTHEST_AHEAD_MS = 14 * 3_600_000;

/** Whether somebody may be born on a day (`1975-09-18`): in the 20th or 21st century, not in the future. */
export function isBirthDay(day: string, now = Date.now()): boolean {
	const today = new Date(now + FURTHEST_AHEAD_MS).toISOString().slice(0, 10);
	return day >= '1900-01-01' && day <= today;
}
