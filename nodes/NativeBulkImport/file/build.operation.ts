import type { IDataObject } from 'n8n-workflow';

import { errorItem, toNodeError } from '../../shared/execution/nodeErrors';
import {
	type ItemOutput,
	type ItemResult,
	type NodeContext,
	type NodeOperation,
	resultsForAll,
} from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { columnName, columnNames } from '../../shared/importFile/fileColumns';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import { type FileRow, type FileRows, importFiles } from '../../shared/importFile/importFiles';
import { columnDelimiter, MOST_COLUMNS } from '../../shared/service/importJobFile';
import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { suggestion } from '../../shared/service/nearestName';
import { newRunId } from '../job/descriptionMark';
import {
	fileNameInput,
	fileSettings,
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
	zipName,
} from './fileFields';
import { isInAnyItem, itemProperties, propertyReader } from './itemProperty';
import {
	columnIndex,
	columnProblem,
	type SourceFile,
	isFileSource,
	sourceField,
	openSourceFile,
	sourceFileFields,
} from './sourceFile';

interface FileColumn {
	/** Item property that fills the column. */
	property: string;
	name: string;
}

function takesAll(parameters: ItemParameters): boolean {
	return parameters.choice('columnsFrom', ['all', 'define']) === 'all';
}

function readColumns(parameters: ItemParameters): FileColumn[] {
	const columns = parameters.entries('columnList', 'column').map(({ property, name }) => ({
		property: String(property ?? ''),
		name: String(name ?? '').trim() || columnName(String(property ?? '')),
	}));
	const names = columns.map(({ name }) => name.toLowerCase());
	const problems: Problem[] = columns.flatMap(({ property, name }, index) => {
		const field = `Column ${index + 1}`;
		if (property === '')
			return [{ field, text: 'is empty. Enter a property of the items, e.g. First Name.' }];
		if (!/^[A-Za-z0-9]+$/.test(name)) {
			return [
				{
					field,
					text: `"${name}" may only contain the letters A–Z and digits, no spaces, accents or signs.`,
				},
			];
		}
		return names.indexOf(name.toLowerCase()) === index
			? []
			: [{ field, text: `"${name}" appears twice. Every column needs a name of its own.` }];
	});
	throwIfAny(problems);
	return columns;
}

/** Columns of the file: all properties of the rows, or those the user chose. */
function fileColumns(parameters: ItemParameters, properties: readonly string[]): FileColumn[] {
	let columns: FileColumn[];
	if (takesAll(parameters)) {
		const names = columnNames(properties);
		columns = properties.map((property, index) => ({ property, name: names[index] ?? property }));
	} else {
		columns = readColumns(parameters);
	}
	const problems: Problem[] = [];
	if (columns.length === 0)
		problems.push({
			field: 'Columns',
			text: 'There are none. Check that the input items have properties, or add columns under Column List.',
		});
	if (columns.length > MOST_COLUMNS) {
		problems.push({
			field: 'Columns',
			text: `There are ${columns.length}; the service accepts at most ${MOST_COLUMNS} per file. Choose the ones to import.`,
		});
	}
	throwIfAny(problems);
	return columns;
}

/** Items per batch: written in far less than a time slice. */
const BATCH = 500;

interface BuildRows {
	columns: FileColumn[];
	rows: FileRows;
	lineOf?: SourceFile['lineOf'];
}

async function itemSource({ functions, parameters }: NodeContext): Promise<BuildRows> {
	const items = functions.getInputData();
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const properties = await itemProperties(items, slice);
	const columns = fileColumns(parameters, properties);
	const readers = columns.map(({ property }) => propertyReader(properties, property));
	const problems: Problem[] = [];
	for (const [index, read] of takesAll(parameters) ? [] : readers.entries()) {
		if (await isInAnyItem(items, read, slice)) continue;
		const name = columns[index]?.property ?? '';
		problems.push({
			field: `Column ${index + 1}`,
			text: `is "${name}", a property that no item has.${suggestion(name, properties)}`,
		});
	}
	throwIfAny(problems);
	async function* rows(): AsyncGenerator<FileRow[]> {
		for (let start = 0; start < items.length; start += BATCH) {
			if (slice.isOver) await slice.yield();
			yield items.slice(start, start + BATCH).map(({ json }) => readers.map((read) => read(json)));
		}
	}
	return { columns, rows: rows() };
}

async function fileSource(node: NodeContext): Promise<BuildRows> {
	const file = await openSourceFile(node);
	const columns = fileColumns(node.parameters, file.columns);
	const isAll = takesAll(node.parameters);
	if (!isAll) {
		throwIfAny(
			columns.flatMap(({ property }, index) => {
				const text = columnProblem(file, property);
				return text === undefined ? [] : [{ field: `Column ${index + 1}`, text }];
			}),
		);
	}
	// By position: columns of a file may share a name.
	const indexes = columns.map(({ property }, index) =>
		isAll ? index : columnIndex(file, property),
	);
	const values = (row: FileRow): FileRow =>
		row instanceof InvalidRow ? row : indexes.map((index) => row[index]);
	async function* rows(): AsyncGenerator<FileRow[]> {
		for await (const batch of file.rows()) yield batch.map(values);
	}
	return { columns, rows: rows(), lineOf: file.lineOf };
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
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: 'import.csv',
			required: true,
			placeholder: 'e.g. contacts.csv',
			description: 'Name of the delimited file (e.g. CSV) inside the zip file',
		},
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
		columnDelimiter.screen,
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
	async runLocally(node): Promise<Array<ItemResult<ItemOutput>>> {
		const { functions, parameters } = node;
		const fileName = fileNameInput(parameters);
		const property = parameters.text('binaryPropertyName') || 'data';
		const hasHeader = parameters.in('options').flag('hasHeader', true);
		const { format, maxZipBytes, maxRows } = fileSettings(parameters);
		const isFile = isFileSource(parameters);
		const { columns, rows, lineOf } = await (isFile ? fileSource(node) : itemSource(node));
		const invalid = new Map<number, InvalidInput>();

		const files = importFiles(
			{
				fileName,
				columns: columns.map(({ name }) => name),
				format,
				hasHeader,
				maxZipBytes,
				maxRows,
				onInvalidRow: ({ field, reason }, position) => {
					const place = lineOf ? `Line ${lineOf(position + 1)}, ${field}` : field;
					const error = new InvalidInput([{ field: place, text: reason }]);
					// A file with one mistake in every row would fill the memory with errors.
					if (isFile && !functions.continueOnFail()) throw error;
					invalid.set(position, error);
				},
				slice: new TimeSlice(functions.getExecutionCancelSignal()),
			},
			rows,
		);
		const output: ItemOutput = [];
		const base = fileName.replace(/\.[^.]*$/, '');
		const run = newRunId();
		for await (const { zip, rows: count } of files) {
			const fileNumber = output.length + 1;
			const file: IDataObject = {
				fileName,
				hasHeader,
				hasQuotes: format.hasQuotes,
				columnDelimiter: format.columnDelimiter,
				columns: columns.map(({ name }) => ({ name })),
			};
			output.push({
				json: { file, fileNumber, rows: count, zipSize: zip.length },
				binary: {
					[property]: await functions.helpers.prepareBinaryData(
						zip,
						zipName(functions, base, run, fileNumber),
						'application/zip',
					),
				},
			});
		}
		if (isFile) {
			const failed = [...invalid.values()].map((error) => ({
				json: errorItem(error, toNodeError(functions.getNode(), error, 0)),
			}));
			return [{ value: [...output, ...failed] }];
		}
		return resultsForAll(functions.getInputData().length, invalid, output);
	},
};
