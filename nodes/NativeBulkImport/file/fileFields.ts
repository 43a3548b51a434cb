import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type FileSettings, MEGABYTE } from '../../shared/importFile/importFiles';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import type { ServiceLimits } from '../../shared/service/connection';
import { columnDelimiter } from '../../shared/service/importJobFile';
import { type Problem, throwIfAny } from '../../shared/service/invalidInput';

/** Fields of a file that the node writes, named as in service.md 2.2. */
export const hasQuotesField: INodeProperties = {
	displayName: 'Values in Quotation Marks',
	name: 'hasQuotes',
	type: 'boolean',
	default: true,
	description:
		'Whether to put values into quotation marks where they need it, for instance because they contain the delimiter',
};

export const columnDelimiterField: INodeProperties = {
	...columnDelimiter.screen,
	// Not that of a file that is read.
	description: 'What separates the columns in the file that the service gets',
};

export const lineBreaksOption: INodeProperties = {
	displayName: 'Line Breaks',
	name: 'lineBreaks',
	type: 'options',
	options: [
		{ name: 'Keep', value: 'keep', description: 'Write them as they are, in quotation marks' },
		{
			name: 'Fail the Item',
			value: 'refuse',
			description: 'Do not write the item, and report it as failed',
		},
		{ name: 'Replace With a Space', value: 'replace', description: 'Write a space instead' },
	],
	default: 'replace',
	description:
		'What to do with line breaks, other control characters and broken emojis inside values',
};

export const maxZipSizeOption: INodeProperties = {
	displayName: 'Max Zip Size (MB)',
	name: 'maxZipSizeMb',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 20,
	description:
		'Maximum size of one zip file; more rows are split into several files. The service accepts 20 MB, some deployments up to 100 MB.',
};

export const maxRowsOption: INodeProperties = {
	displayName: 'Max Rows per File',
	name: 'maxRowsPerFile',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'Maximum number of rows in one file; more rows are split into several files. 0 means no limit.',
};

/** Throws InvalidInput if the text is not one file name. */
export function fileNameInput(parameters: ItemParameters): string {
	const name = parameters.text('fileName');
	const isFileName = /[^.]/.test(name) && !/[/\\\p{Cc}]/u.test(name);
	const text =
		'must be the name of one file, without slashes, line breaks and control characters, e.g. contacts.csv.';
	throwIfAny(isFileName ? [] : [{ field: 'File Name', text }]);
	return name;
}

/**
 * Name of a zip file, new in every run: runs at the same time may upload to one folder.
 * @param run ID of the run
 */
export function zipName(
	functions: IExecuteFunctions,
	base: string,
	run: string,
	fileNumber: number,
): string {
	return `${base}-${functions.getExecutionId() || 'test'}-${run}-${fileNumber}.zip`;
}

/** How to write the file of an import: as the service reads it best, within the limits of the deployment. */
export function importFileSettings({ maxZipSizeMb, maxRowsPerFile }: ServiceLimits): FileSettings {
	return {
		format: { columnDelimiter: 'CSV', hasQuotes: true, lineBreaks: 'replace' },
		maxZipBytes: maxZipSizeMb * MEGABYTE,
		maxRows: maxRowsPerFile > 0 ? maxRowsPerFile : Number.POSITIVE_INFINITY,
	};
}

/** How to write the file, from the fields and options of the first item. */
export function fileSettings(parameters: ItemParameters): FileSettings {
	const options = parameters.in('options');
	const maxZipSizeMb = options.positive('maxZipSizeMb', 20);
	const maxRowsPerFile = Number(options.value('maxRowsPerFile') ?? 0);
	const problems: Problem[] = [];
	if (!(maxZipSizeMb >= 1 && maxZipSizeMb <= 100)) {
		problems.push({ field: 'Max Zip Size (MB)', text: 'must be from 1 to 100.' });
	}
	if (!(maxRowsPerFile >= 0))
		problems.push({ field: 'Max Rows per File', text: 'must be 0 or above.' });
	throwIfAny(problems);
	return {
		format: {
			columnDelimiter: parameters.choice('columnDelimiter', ['CSV', 'Pipe', 'Tab']),
			hasQuotes: parameters.flag('hasQuotes', true),
			lineBreaks: options.choice('lineBreaks', ['replace', 'keep', 'refuse']),
		},
		maxZipBytes: maxZipSizeMb * MEGABYTE,
		maxRows: maxRowsPerFile > 0 ? maxRowsPerFile : Number.POSITIVE_INFINITY,
	};
}
