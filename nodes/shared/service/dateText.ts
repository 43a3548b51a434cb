/** Dates as objects: databases and expressions give them where text is expected. */

interface LuxonDate {
	toISO: () => string | null;
	toISODate: () => string | null;
}

function isLuxonDate(value: unknown): value is LuxonDate {
	return value !== null && typeof value === 'object' && 'toISO' in value && 'toISODate' in value;
}

export function isDateObject(value: unknown): boolean {
	return value instanceof Date || isLuxonDate(value);
}

/** The moment of a date object in ISO 8601; other values unchanged. */
export function momentText(value: unknown): unknown {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return isLuxonDate(value) ? (value.toISO() ?? '') : value;
}

/** The calendar day of a date object, `1975-09-18`; other values unchanged. */
export function dayText(value: unknown): unknown {
	if (isLuxonDate(value)) return value.toISODate() ?? '';
	if (!(value instanceof Date) || Number.isNaN(value.getTime())) return momentText(value);
	// Some database drivers give a day as local midnight, others as midnight UTC.
	const isLocalMidnight =
		value.getUTCHours() + value.getUTCMinutes() > 0 &&
		value.getHours() + value.getMinutes() + value.getSeconds() === 0;
	if (!isLocalMidnight) return value.toISOString().slice(0, 10);
	const two = (part: number): string => String(part).padStart(2, '0');
	return `${String(value.getFullYear()).padStart(4, '0')}-${two(value.getMonth() + 1)}-${two(value.getDate())}`;
}
