/** Dates as objects: databases and expressions give them where text is expected. */

interface LuxonDate {
	toISO: () => string | null;
	toISODate: () => string | null;
	toFormat: (format: string) => string;
}

function isLuxonDate(value: unknown): value is LuxonDate {
	return value !== null && typeof value === 'object' && 'toISO' in value && 'toISODate' in value;
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

/**
 * A date object in ISO 8601, at midnight its day: as a moment, the day could differ at the service. Empty if
 * it is invalid. Other values unchanged.
 */
export function dateText(value: unknown): unknown {
	if (isLuxonDate(value))
		return value.toFormat('HHmmssSSS') === '000000000' ? dayText(value) : (value.toISO() ?? '');
	if (!(value instanceof Date) || Number.isNaN(value.getTime())) return dayText(value);
	const isDay = isLocalMidnight(value) || value.getTime() % 86_400_000 === 0;
	return isDay ? dayText(value) : value.toISOString();
}
