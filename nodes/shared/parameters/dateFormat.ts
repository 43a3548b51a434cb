import type { INodeProperties } from 'n8n-workflow';

import { type DateFormat, readDateFormat } from '../service/dateFormat';
import type { ItemParameters } from './itemParameters';

export const dateFormatOption: INodeProperties = {
	displayName: 'Date Format',
	name: 'dateFormat',
	type: 'string',
	default: '',
	placeholder: 'e.g. M/d/yyyy',
	description:
		'How dates in text are written: d, M and yyyy are day, month and year, HH:mm is a time. Dates such as 2026-03-01 always work. A date of birth with two digits for the year lies in the last 100 years.',
};

/**
 * Converts a date from the format in the option Date Format to the service's. Returns anything else
 * unchanged, for the check of the body.
 * @param read reads a date, or a date of birth
 */
export function readDateInput(
	parameters: ItemParameters,
	entered: unknown,
	read: (text: string, format: DateFormat) => string | undefined,
): unknown {
	const format = dateFormatInput(parameters);
	if (typeof entered !== 'string' || !format) return entered;
	return read(entered, format) ?? entered;
}

/** Undefined if the user entered none. Throws InvalidInput if no date could be read with it. */
export function dateFormatInput(parameters: ItemParameters): DateFormat | undefined {
	const entered = parameters.in('options').text('dateFormat');
	return entered === '' ? undefined : readDateFormat(entered);
}
