import { pick } from 'lodash';

import { errorItem } from '../../shared/execution/nodeErrors';
import {
	asItems,
	type ItemOutput,
	type ItemResults,
	type NodeOperation,
	resultsForAll,
} from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { showHint } from '../../shared/execution/showHint';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import {
	columnName,
	columnNames,
	distinctNames,
	findName,
} from '../../shared/importFile/fileColumns';
import { importFiles } from '../../shared/importFile/importFiles';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { fileFields, MOST_COLUMNS } from '../../shared/service/importJobFile';
import { InvalidInput, throwIfAny } from '../../shared/service/invalidInput';
import { repetitions, suggestion } from '../../shared/service/nearestName';
import {
	columnDelimiterField,
	fileNameInput,
	fileSettings,
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
	zipName,
} from './fileFields';
import { newRunId } from '../job/descriptionMark';
import { pathExpression, plainProperty } from '../rows/columnExpressions';
import { type ImportRows, type RowColumn } from '../rows/importRows';
import { NO_ROWS, openRows, sourceField, sourceFileFields } from '../rows/rowSource';

/** A column of the file and the property that fills it. */
interface FileColumn extends RowColumn {
	property: string;
}

/** All properties of the rows. */
function allColumns(properties: readonly string[]): FileColumn[] {
	const names = columnNames(properties);
	const distinct = distinctNames(properties);
	const seen = new Set<string>();
	return properties.map((given, index) => {
		// Columns of a file may share a name.
		const property = seen.has(given) ? (distinct[index] ?? given) : given;
		seen.add(given);
		return { property, name: names[index] ?? given, expression: pathExpression([property]) };
	});
}

/** The names in a path as n8n's editor writes it: `address.city`, `phones[0].number`, `["First Name"]`. */
function pathSteps(path: string): string[] {
	const steps = path.matchAll(/\[(?:"([^"]+)"|'([^']+)'|(\d+))\]|([^.[\]]+)/g);
	return [...steps].map((step) => step.slice(1).find((name) => name !== undefined) ?? '');
}

/** The columns that the user listed. */
function listedColumns(parameters: ItemParameters, properties: readonly string[]): FileColumn[] {
	const columns = parameters.entries('columnList', 'column').map((entry) => {
		const property = String(entry.property ?? '');
		// A property of that name wins over a path.
		const isName = findName(properties, property) !== undefined;
		return {
			property,
			name: String(entry.name ?? '').trim() || columnName(property),
			expression: pathExpression(isName ? [property] : pathSteps(property)),
		};
	});
	const repeated = new Set(repetitions(columns.map(({ name }) => name)).map(({ index }) => index));
	throwIfAny(
		columns.flatMap(({ property, name }, index) => {
			const field = `Column ${index + 1}`;
			if (property === '')
				return { field, text: 'is empty. Enter a property of the items, e.g. First Name.' };
			if (name === '' || name !== columnName(name)) {
				const text = `"${name}" may only contain the letters A–Z and digits, no spaces, accents or signs.`;
				return { field, text };
			}
			const text = `"${name}" appears twice. Every column needs a unique name.`;
			return repeated.has(index) ? { field, text } : [];
		}),
	);
	return columns;
}

/** Throws InvalidInput for columns that no row has. */
async function checkListed(
	rows: ImportRows,
	columns: readonly FileColumn[],
	properties: readonly string[],
): Promise<void> {
	const problems = new Map<number, string>();
	for (const [index, { property, expression = '' }] of columns.entries()) {
		const isColumn = findName(properties, plainProperty(expression) ?? '') !== undefined;
		const missing =
			rows.noun === 'item'
				? `is "${property}", a property that no item has.`
				: `"${property}" is not a column of the file.`;
		const text = isColumn
			? rows.unreadable(expression)
			: missing + suggestion(property, properties);
		if (text !== undefined) problems.set(index, text);
	}
	// A path leads to a value in some items only.
	if (rows.noun === 'item' && problems.size > 0)
		for await (const batch of rows.read(columns))
			for (const row of batch)
				for (const index of problems.keys())
					if (!(row instanceof InvalidRow) && row[index] !== undefined) problems.delete(index);
	throwIfAny([...problems].map(([index, text]) => ({ field: `Column ${index + 1}`, text })));
}

async function fileColumns(parameters: ItemParameters, rows: ImportRows): Promise<FileColumn[]> {
	const properties = await rows.properties();
	const isAll = parameters.choice('columnsFrom', ['all', 'define']) === 'all';
	const columns = isAll ? allColumns(properties) : listedColumns(parameters, properties);
	if (columns.length === 0 || columns.length > MOST_COLUMNS) {
		const text =
			columns.length === 0
				? 'There are none. Check that the input items have properties, or add columns under Column List.'
				: `There are ${columns.length}; the service accepts at most ${MOST_COLUMNS} per file. Choose the ones to import.`;
		throw new InvalidInput([{ field: 'Columns', text }]);
	}
	if (!isAll) await checkListed(rows, columns, properties);
	return columns;
}

export const buildOperation: NodeOperation = {
	value: 'build',
	name: 'Build',
	action: 'Build import file',
	description:
		'Write all input items or the rows of a file into a zip file that the service can import',
	calls: [],
	properties: [
		sourceField,
		...sourceFileFields,
		{ ...fileFields.fileName.screen, name: 'fileName', default: 'import.csv' },
		{
			displayName: 'Columns From',
			name: 'columnsFrom',
			type: 'options',
			options: [
				{
					name: 'All Properties',
					value: 'all',
					description: 'Every property of the items becomes a column',
				},
				{
					name: 'Define Below',
					value: 'define',
					description: 'Only the properties you list, in your order',
				},
			],
			default: 'all',
			description:
				'Which columns the file gets. Their names keep only letters and digits, because the service accepts nothing else.',
		},
		{
			displayName: 'Column List',
			name: 'columnList',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add Column',
			default: {},
			displayOptions: { show: { columnsFrom: ['define'] } },
			description: 'The columns of the file from left to right',
			options: [
				{
					displayName: 'Column',
					name: 'column',
					values: [
						{
							displayName: 'Property',
							name: 'property',
							type: 'string',
							requiresDataPath: 'single',
							default: '',
							placeholder: 'e.g. First Name',
							description:
								'The property of the items that fills the column, or the path to a nested one, e.g. address.city',
						},
						{
							displayName: 'Column Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. FirstName',
							description:
								'Name of the column: letters and digits. Leave empty to use those of the property.',
						},
					],
				},
			],
		},
		columnDelimiterField,
		hasQuotesField,
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			description: 'Name of the binary property of the output item that gets the file',
		},
	],
	options: [
		{
			displayName: 'Header Line',
			name: 'hasHeader',
			type: 'boolean',
			default: true,
			description: 'Whether the first line of the file holds the column names',
		},
		lineBreaksOption,
		maxRowsOption,
		maxZipSizeOption,
	],
	async runLocally(node): Promise<ItemResults> {
		const { functions, parameters } = node;
		const fileName = fileNameInput(parameters);
		const property = parameters.text('binaryPropertyName') || 'data';
		const hasHeader = parameters.in('options').flag('hasHeader', true);
		const settings = fileSettings(parameters);
		const rows = await openRows(node);
		const isFile = rows.noun === 'row';
		const columns = await fileColumns(parameters, rows);
		const invalid = new Map<number, InvalidInput>();

		const files = importFiles(
			{
				fileName,
				columns: columns.map(({ name }) => name),
				...settings,
				hasHeader,
				onInvalidRow: ({ field, reason }, position) => {
					const place = rows.lineOf ? `Line ${rows.lineOf(position + 1)}, ${field}` : field;
					const error = new InvalidInput([{ field: place, text: reason }]);
					// A file with one mistake in every row would fill the memory with errors.
					if (isFile && !functions.continueOnFail()) throw error;
					invalid.set(position, error);
				},
				slice: new TimeSlice(functions.getExecutionCancelSignal()),
			},
			rows.read(columns),
		);
		const output: ItemOutput = [];
		const base = fileName.replace(/\.[^.]*$/, '');
		const run = newRunId();
		for await (const { zip, rows: count } of files) {
			const fileNumber = output.length + 1;
			const file = {
				fileName,
				hasHeader,
				...pick(settings.format, 'hasQuotes', 'columnDelimiter'),
				columns: columns.map(({ name }) => ({ name })),
			};
			const zipFile = zipName(functions, base, run, fileNumber);
			const data = await functions.helpers.prepareBinaryData(zip, zipFile, 'application/zip');
			const json = { file, fileNumber, rows: count, zipSize: zip.length };
			output.push({ json, binary: { [property]: data } });
		}
		for (const note of rows.notes ?? []) showHint(functions, note);
		if (output.length === 0 && invalid.size === 0) showHint(functions, NO_ROWS, 'warning');
		if (isFile) {
			const errors = [...invalid.values()];
			const failed = asItems(errors.map((error) => errorItem(functions.getNode(), error, 0)));
			return [{ value: [...output, ...failed] }];
		}
		return resultsForAll(functions.getInputData().length, invalid, output);
	},
};
