import type { z } from 'zod';

import { flagField, objectOf, textField, withScreen } from './bodyField';
import type { BodyProblem } from './bodyProblem';
import { coded, list, matchingText } from './bodySchema';
import { repetitions } from './nearestName';

/** Column delimiters of service.md 2.2, with the characters they stand for. */
export const DELIMITERS = { CSV: ',', Tab: '\t', Pipe: '|' } as const;

export type ColumnDelimiter = keyof typeof DELIMITERS;
const delimiterNames: Record<ColumnDelimiter, string> = { CSV: 'Comma', Pipe: 'Pipe', Tab: 'Tab' };

export const delimiterChoices = Object.entries(delimiterNames).map(([value, name]) => ({
	name,
	value,
}));

/** service.md 2.10. */
export const MOST_COLUMNS = 50;

/** Whether "Import Items" numbers its rows in this column, whose name may end in a number. */
export function isItemColumn(name: string): boolean {
	return /^N8nItem\d*$/i.test(name);
}

const columnFields = {
	name: {
		schema: matchingText(
			/^[A-Za-z0-9]*$/,
			'may only contain the letters A–Z and digits, no spaces, accents or signs',
		),
	},
};

/** Names separated by commas or line ends, or a list from an expression. */
function columnList(value: unknown): Array<{ name: unknown }> {
	const names: unknown[] = Array.isArray(value)
		? value.map((entry: unknown) =>
				entry !== null && typeof entry === 'object' && 'name' in entry ? entry.name : entry,
			)
		: String(value ?? '')
				.split(/[,\n]/)
				.map((name) => name.trim())
				// Forgive a comma at the end. One in the middle hides a column: reject it as an empty name.
				.filter((name, index, all) => name !== '' || index < all.length - 1);
	return names.map((name) => ({ name }));
}

/** Columns in one text field. */
export const columnsField = (displayName: string, description: string, example: string) => ({
	...textField(displayName, description, example, list(objectOf(columnFields, 'name'))),
	fields: columnFields,
	toBody: columnList,
});

export const columnDelimiter = {
	schema: coded(delimiterNames),
	screen: {
		displayName: 'Column Delimiter',
		name: 'columnDelimiter',
		type: 'options' as const,
		options: delimiterChoices,
		default: 'CSV',
		description: 'What separates the columns in the file',
	},
};

export const fileFields = {
	fileName: withScreen(
		textField(
			'File Name',
			'Name of the delimited file (e.g. CSV) inside the zip file',
			'contacts.csv',
		),
		{ required: true },
	),
	sourceUrl: withScreen(
		textField(
			'Source URL',
			'Where the service finds the zip file: an https, sftp or ftps address. It may contain a user name and password; the node never shows them.',
			'https://files.example.org/contacts.zip',
		),
		{ required: true },
	),
	columns: withScreen(
		columnsField(
			'Columns',
			'Names of all columns of the file from left to right, separated by commas: letters and digits only. The service never reads the header line of the file.',
			'NativeId, FirstName, LastName, Email',
		),
		{ required: true },
	),
	columnDelimiter,
	hasHeader: flagField(
		'File Has a Header Line',
		'Whether the first line of the file holds column names, so that the service skips it',
		true,
	),
	hasQuotes: flagField(
		'Values Are in Quotation Marks',
		'Whether values may be in quotation marks. Needed when the delimiter occurs inside a value.',
		true,
	),
};
export const fileSchema = objectOf(fileFields, 'fileName', 'sourceUrl', 'columns');

/** Why the service could not fetch a file from a URL, to continue the field's name. */
export function sourceUrlProblem(sourceUrl: string): string | undefined {
	// Parsers accept "https:host" as a URL; not every service does.
	const isAddress = URL.canParse(sourceUrl) && /^[^:]+:\/\/[^/]/.test(sourceUrl);
	if (!isAddress)
		return 'is not an address. Enter where the service finds the zip file, e.g. https://files.example.org/import.zip.';
	// Parsers read "sftp://bob:1234#pw@host" as the host bob.
	if (/^[^:]+:\/\/[^/?#]*[/?#].*@/s.test(sourceUrl))
		return 'has an @ after a /, ? or #. If user or password contain these signs, write %2F for /, %3F for ?, %23 for # and %40 for @. Elsewhere in the address, write %40 for @.';
	const scheme = new URL(sourceUrl).protocol.replace(':', '');
	return ['sftp', 'ftps', 'https'].includes(scheme)
		? undefined
		: `begins with ${scheme}://, but the service only fetches sftp://, ftps:// and https:// addresses.`;
}

export function fileProblems({ sourceUrl, columns }: z.infer<typeof fileSchema>): BodyProblem[] {
	const problems: BodyProblem[] = [];
	const urlProblem = sourceUrlProblem(sourceUrl);
	if (urlProblem !== undefined) problems.push({ path: ['file', 'sourceUrl'], text: urlProblem });
	if (columns.length > MOST_COLUMNS) {
		const text = `There are ${columns.length} columns; the service accepts at most ${MOST_COLUMNS} per file. Leave out columns you do not map, or import in two files.`;
		problems.push({ path: ['file', 'columns'], text });
	}
	for (const { index, first } of repetitions(columns.map(({ name }) => name))) {
		const text = `"${columns[index]?.name}" appears twice (columns ${first + 1} and ${index + 1}). Every column needs a unique name.`;
		problems.push({ path: ['file', 'columns', index, 'name'], text });
	}
	return problems;
}
