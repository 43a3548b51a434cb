/**
 * The day a file value means, as yyyy-mm-dd, or null when it is none. Files carry ISO dates, with or
 * without a time of day, or the month/day/year of the service's user interface.
 */
export function calendarDay(text: string): string | null {
	const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(text);
	const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
	const [year, month, day] = iso
		? [iso[1], iso[2], iso[3]]
		: american
			? [american[3], american[1], american[2]]
			: [];
	if (year === undefined || month === undefined || day === undefined) return null;
	const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const date = new Date(`${written}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : null;
}
