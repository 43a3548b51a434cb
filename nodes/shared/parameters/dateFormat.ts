import { DateTime } from 'luxon';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

export const dateFormatOption: INodeProperties = {
	displayName: 'Date Format',
	name: 'dateFormat',
	type: 'string',
	default: '',
	placeholder: 'e.g. M/d/yyyy',
	description:
		'How dates in text are written: d, M and yyyy stand for day, month and year, HH:mm for a time. Dates such as 2026-03-01 are understood in any case.',
};

/**
 * Converts a date from the format in the option Date Format to the service's. Returns anything else
 * unchanged, for the check of the body.
 */
export function readDate(
	functions: IExecuteFunctions,
	itemIndex: number,
	entered: unknown,
): unknown {
	const format = dateFormat(functions, itemIndex);
	if (typeof entered !== 'string' || format === '') return entered;
	return isoDate(entered, format) ?? entered;
}

/** Empty if the user entered none. */
export function dateFormat(functions: IExecuteFunctions, itemIndex: number): string {
	const options = functions.getNodeParameter('options', itemIndex, {}) as { dateFormat?: unknown };
	return String(options.dateFormat ?? '').trim();
}

/** A date in the service's format; undefined if the text is neither that nor in the given format. */
export function isoDate(text: string, format: string): string | undefined {
	if (/^\d{4}-\d\d-\d\d/.test(text.trim())) return text;
	const date = DateTime.fromFormat(text.trim(), format, { zone: 'utc', locale: 'en-US' });
	if (!date.isValid) return undefined;
	return date.toFormat(/[Hhms]/.test(format) ? "yyyy-MM-dd'T'HH:mm:ss" : 'yyyy-MM-dd');
}
