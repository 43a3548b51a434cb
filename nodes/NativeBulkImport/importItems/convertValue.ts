import type { ServiceList } from '../../shared/execution/serviceList';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import { isoDate } from '../../shared/parameters/dateFormat';

/** The value to write for a value of a row. An invalid value makes its row invalid. */
export type ValueConverter = (value: unknown) => unknown;

/**
 * Whether a field holds a date; nothing tells its type (service.md 3.1).
 * @param description for custom fields, whose names are numbers
 */
export function isDateField(name: string, description: string): boolean {
	return (
		/^DOB$|Date(?![a-z])|Birth/.test(name) ||
		(/^CF\d+$/i.test(name) && /\b(date|birthday)\b/i.test(description))
	);
}

/** Writes the ID for a name. Unknown names stay as they are, for the check of all values. */
export function idConverter(accepted: ServiceList | undefined): ValueConverter {
	return (value) => {
		if (typeof value !== 'string' && typeof value !== 'number') return value;
		const text = String(value).trim();
		return String(accepted?.idOf(text) ?? text);
	};
}

/** Writes the dates of one format as the service reads them. */
export function dateConverter(field: string, format: string): ValueConverter {
	return (value) => {
		if (typeof value !== 'string' || value.trim() === '') return value;
		const reason = `is not a date in the format ${format}. Correct it, or change the option Date Format.`;
		return isoDate(value, format) ?? new InvalidRow(`Column "${field}"`, reason);
	};
}
