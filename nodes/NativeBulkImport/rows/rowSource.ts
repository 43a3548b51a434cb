import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import type { NodeContext } from '../../shared/execution/operation';
import { delimiterChoices, DELIMITERS } from '../../shared/service/importJobFile';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { ImportRows } from './importRows';
import { itemHeaderProblem } from './itemHeader';
import { FileRows, ItemRows, unreadableFile } from './sourceRows';

export const NO_ROWS =
	'The list has no rows, so there is nothing to import. Check where it comes from.';

export const sourceField: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Delimited File',
			value: 'binary',
			description:
				'The rows of a delimited file (e.g. CSV) in a binary field of the input item. It is read piece by piece, so its size hardly matters.',
		},
		{ name: 'Input Items', value: 'items', description: 'One row per input item' },
	],
	default: 'items',
	builderHint: {
		propertyHint:
			'"binary" reads a CSV file from the binary field named in inputDataFieldName, e.g. after Read/Write Files from Disk; "items" takes one row per input item, e.g. after Google Sheets',
	},
	description: 'Where the rows come from',
};

export const sourceFileFields: INodeProperties[] = [
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: 'data',
		required: true,
		displayOptions: { show: { source: ['binary'] } },
		hint: 'The name of the input binary field that holds the file',
		description:
			'The first line of the file, or one below a title, names the columns, which can then be mapped like the properties of an item',
	},
	{
		displayName: 'Source Delimiter',
		name: 'sourceDelimiter',
		type: 'options',
		options: [
			{ name: 'Detect', value: 'detect', description: 'Find out from the first lines of the file' },
			...delimiterChoices,
			{ name: 'Semicolon', value: 'semicolon' },
		],
		default: 'detect',
		displayOptions: { show: { source: ['binary'] } },
		description: 'What separates the columns in the file that is read',
	},
];

/** The source where a file and items are equally likely, as one option. */
export const rowsFromOption: INodeProperties = {
	displayName: 'Source',
	name: 'rowsFrom',
	type: 'fixedCollection',
	default: { rows: { source: 'binary', inputDataFieldName: 'data', sourceDelimiter: 'detect' } },
	description:
		'Where the rows come from. Without this option: from the delimited file of a single input item, if it has one; otherwise each item is a row.',
	options: [
		{
			displayName: 'Rows',
			name: 'rows',
			values: [
				{
					...sourceField,
					options: [
						...(sourceField.options ?? []),
						{
							name: 'Detect',
							value: 'detect',
							description:
								'The delimited file of the input item, if there is one item with one such file; otherwise the items',
						},
					],
					default: 'detect',
				},
				...sourceFileFields,
			],
		},
	],
};

/** The characters of Source Delimiter; none for Detect. */
const SOURCE_DELIMITERS: ReadonlyMap<string, string> = new Map(
	Object.entries({ ...DELIMITERS, semicolon: ';' }),
);

const DELIMITED = /^(csv|tsv|tab|txt)$/i;
const SPREADSHEET = /^(xls[xmb]?|ods|numbers)$/i;

function extensionOf({ fileName = '', fileExtension = '' }: IBinaryData): string {
	return /\.(\w+)$/.exec(fileName)?.[1] ?? fileExtension;
}

function isSpreadsheet(file: IBinaryData): boolean {
	return SPREADSHEET.test(extensionOf(file));
}

/**
 * The binary field of the file to read; undefined if the rows are the items.
 * @param mayHaveOthers whether further items beside that of a file are allowed
 */
function fileProperty(
	{ functions, parameters }: NodeContext,
	mayHaveOthers: boolean,
): string | undefined {
	const source = parameters.text('source') || 'detect';
	// An experiment of n8n, which moves files between the columns of the rows.
	if (functions.getWorkflowSettings().binaryMode === 'combined') {
		const text =
			'needs files next to the columns of an item. Change Binary Mode in the settings of the workflow.';
		throw new InvalidInput([{ field: 'Source', text }]);
	}
	if (source === 'binary') return parameters.text('inputDataFieldName') || 'data';
	if (source !== 'detect') return undefined;
	const [item, second] = functions.getInputData();
	const files = Object.entries(item?.binary ?? {}).filter(
		([, file]) => isSpreadsheet(file) || DELIMITED.test(extensionOf(file)),
	);
	const mayBeFile = mayHaveOthers || !second;
	return mayBeFile && files.length === 1 ? files[0]?.[0] : undefined;
}

/**
 * The rows of the chosen source. Throws InvalidInput for a file that cannot be read, such as a spreadsheet, and
 * for items that do not name their columns.
 * @param mayHaveOthers whether further items beside that of a file are allowed
 */
export async function openRows(node: NodeContext, mayHaveOthers = false): Promise<ImportRows> {
	const { functions, parameters } = node;
	const property = fileProperty(node, mayHaveOthers);
	if (property === undefined) {
		const problem = itemHeaderProblem(functions.getInputData());
		if (problem) throw new InvalidInput([problem]);
		return new ItemRows(functions);
	}
	const count = functions.getInputData().length;
	if (count > 1 && !mayHaveOthers) {
		const text = `There are ${count} input items, but a file is read from one. Put a Loop Over Items node before this one to import several files.`;
		throw new InvalidInput([{ field: 'Source', text }]);
	}
	if (isSpreadsheet(functions.helpers.assertBinaryData(0, property)))
		throw unreadableFile(
			property,
			'is a spreadsheet. Put an "Extract from File" node before this one, with the operation for its format, such as "Extract From XLSX"; then each row is an item.',
		);
	const file = new FileRows(functions, property);
	const delimiter = SOURCE_DELIMITERS.get(parameters.text('sourceDelimiter'));
	await file.readHead(delimiter, [...SOURCE_DELIMITERS.values()]);
	return file;
}
