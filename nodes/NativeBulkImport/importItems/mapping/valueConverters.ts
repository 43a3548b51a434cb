import type { ServiceList } from '../../../shared/execution/serviceList';
import { isPlaceholder } from '../../../shared/importFile/columnValues';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import {
	type DateFormat,
	LONGEST_DATE,
	readBirthDate,
	readDate,
} from '../../../shared/parameters/dateFormat';
import { lacksId } from '../../../shared/service/bodySchema';
import { dayText, isBirthDay, isoDate } from '../../../shared/service/dateText';
import { isCustomField } from '../../../shared/service/mappingRules';
import type { ValueConverter } from '../rows/importRows';

/**
 * Whether a field holds a date, or a date of birth; nothing tells its type (service.md 3.1).
 * @param description for custom fields, whose names are numbers
 */
export function dateKind(name: string, description: string): 'date' | 'birth' | undefined {
	const custom = isCustomField(name) ? description : '';
	if (
		/^dob$|birth_?(date|day)|date_?of_?birth/i.test(name) ||
		/\b(dob|birth|birthday|birthdate)\b/i.test(custom)
	)
		return 'birth';
	return /Date(?![a-z])/.test(name) || /\bdate\b/i.test(custom) ? 'date' : undefined;
}

/** Writes the ID for a name. Unknown names stay as they are, for the check of all values. */
export function idConverter(accepted: ServiceList | undefined): ValueConverter {
	return (value) => {
		if (typeof value !== 'string' && typeof value !== 'number') return value;
		const text = String(value).trim();
		return String(accepted?.idOf(text) ?? text);
	};
}

/** Makes rows invalid whose ID is none: the service would take all of them for one record. */
export function idCheck(field: string): ValueConverter {
	return (value) => {
		if (typeof value !== 'string') return value;
		const text = value.trim();
		const problem = isPlaceholder(text)
			? `is "${text}", which is no ID. Delete it in the list`
			: lacksId(text);
		return problem === undefined ? value : new InvalidRow(`Column "${field}"`, `${problem}.`);
	};
}

/**
 * Writes dates as the service reads them.
 * @param format undefined if the user gave none: then only dates of birth are checked
 */
export function dateConverter(
	field: string,
	kind: 'date' | 'birth',
	format: DateFormat | undefined,
): ValueConverter | undefined {
	if (kind === 'date' && !format) return undefined;
	const invalid = (reason: string): InvalidRow => new InvalidRow(`Column "${field}"`, reason);
	return (value) => {
		// Spreadsheets give 19580422 as a number.
		const text = format && typeof value === 'number' ? String(value) : dayText(value);
		if (typeof text !== 'string' || text.trim() === '') return value;
		if (kind === 'birth' && isInFuture(text))
			return invalid('is not a date of birth, because it lies in the future. Correct it.');
		if (!format || !['string', 'number'].includes(typeof value)) return value;
		return (
			(kind === 'birth' ? readBirthDate(text, format) : readDate(text, format)) ??
			invalid(
				`is not a date in the format ${format.entered}. Correct it, or change the option Date Format.`,
			)
		);
	};
}

/** Whether a date is in ISO 8601, or has a year of four digits, and lies in the future. */
function isInFuture(text: string): boolean {
	const year = /(?<!\d)\d{4}(?!\d)/.exec(text.slice(0, LONGEST_DATE))?.[0] ?? '0000';
	const day = isoDate(text)?.slice(0, 10) ?? `${year}-01-01`;
	return day >= '1900' && !isBirthDay(day);
}
