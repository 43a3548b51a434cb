import type { IBinaryData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { NodeContext } from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { decodeText, UnreadableText } from '../../shared/importFile/decodeText';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import { detectedDelimiter, readRecords } from '../../shared/importFile/delimitedText';
import { distinctNames, visibleName } from '../../shared/importFile/fileColumns';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { delimiterChoices, DELIMITERS } from '../../shared/service/importJobFile';
import { InvalidInput } from '../../shared/service/invalidInput';
import { suggestion } from '../../shared/service/nearestName';
import { rethrow } from '../../shared/transport/rethrow';
import { findProperty } from './itemProperty';

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
			'"binary" reads a CSV file from the binary field named in inputDataFieldName, e.g. behind Read/Write Files from Disk; "items" takes one row per input item, e.g. behind Google Sheets',
	},
	description: 'Where the rows come from',
};

/** The source where a file and items are equally likely. */
export const detectedSourceField: INodeProperties = {
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
	builderHint: {
		propertyHint:
			'"detect" reads the CSV file of a single input item, and otherwise takes one row per item; "binary" reads the file from the binary field named in inputDataFieldName',
	},
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
			'The first line of the file names the columns, which can then be mapped like the properties of an item',
	},
	{
		displayName: 'Source Delimiter',
		name: 'sourceDelimiter',
		type: 'options',
		options: [
			{ name: 'Detect', value: 'detect', description: 'Find out from the first line of the file' },
			...delimiterChoices,
			{ name: 'Semicolon', value: 'semicolon' },
		],
		default: 'detect',
		displayOptions: { show: { source: ['binary'] } },
		description: 'What separates the columns in the file that is read',
	},
];

const SOURCE_DELIMITERS: Record<string, string | undefined> = { ...DELIMITERS, semicolon: ';' };

/** Bytes read at a time: few enough not to block n8n. */
const PIECE = 64 * 1024;

/** A delimited file that can be read repeatedly and is never held in memory as a whole. */
export interface SourceFile {
	/** As the first line spells them; names may repeat. */
	columns: string[];
	/** The same, each with a name of its own, for output. */
	names: string[];
	delimiter: string;
	/** Rows below the first line, in batches. Throws {@link InvalidInput} if the file cannot be read. */
	rows(): AsyncGenerator<Array<string[] | InvalidRow>>;
	/**
	 * The line of a row that was read, as spreadsheet programs number it: with the first line and empty
	 * ones, and a value with line breaks in one.
	 * @param row from 1, without the first line
	 */
	lineOf(row: number): number;
}

export function isFileSource(parameters: ItemParameters): boolean {
	return parameters.text('source') === 'binary';
}

const DELIMITED = /^(csv|tsv|tab|txt)$/i;
const SPREADSHEET = /^(xls[xmb]?|ods|numbers)$/i;

function extensionOf({ fileName = '', fileExtension = '' }: IBinaryData): string {
	return /\.(\w+)$/.exec(fileName)?.[1] ?? fileExtension;
}

function enteredProperty(parameters: ItemParameters): string {
	return parameters.text('inputDataFieldName') || 'data';
}

/** The binary field of the file to read; undefined if the rows are the items. */
export function fileProperty({ functions, parameters }: NodeContext): string | undefined {
	if (parameters.text('source') !== 'detect')
		return isFileSource(parameters) ? enteredProperty(parameters) : undefined;
	const [item, ...others] = functions.getInputData();
	const files = Object.entries(item?.binary ?? {}).filter(([, file]) =>
		[DELIMITED, SPREADSHEET].some((kind) => kind.test(extensionOf(file))),
	);
	return others.length === 0 && files.length === 1 ? files[0]?.[0] : undefined;
}

/** A spreadsheet is no text. Throws {@link InvalidInput} that names the node that reads it. */
function rejectSpreadsheet(functions: IExecuteFunctions, property: string): void {
	if (!SPREADSHEET.test(extensionOf(functions.helpers.assertBinaryData(0, property)))) return;
	const text =
		'is a spreadsheet. Put an "Extract from File" node before this one, with the operation for its format, such as "Extract From XLSX"; then each row is an item.';
	throw unreadable(property, text);
}

/** -1 if the file does not have the column. */
export function columnIndex(file: SourceFile, entered: string): number {
	const name = findProperty(file.columns, entered);
	return name === undefined ? -1 : file.columns.indexOf(name);
}

/** Why a column cannot be chosen by its name; undefined if it can. */
export function columnProblem(file: SourceFile, name: string): string | undefined {
	const first = columnIndex(file, name);
	const column = file.columns[first];
	if (column === undefined)
		return `"${name}" is not a column of the file.${suggestion(name, file.columns)}`;
	const last = file.columns.lastIndexOf(column);
	return first === last
		? undefined
		: `"${name}" is the name of several columns of the file, for instance columns ${first + 1} and ${last + 1}. Give each a name of its own in the first line of the file.`;
}

/** The file in pieces; cancelling the execution stops reading. */
async function* pieces(functions: IExecuteFunctions, property: string): AsyncGenerator<Uint8Array> {
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const { helpers } = functions;
	const { id } = helpers.assertBinaryData(0, property);
	const chunks =
		id === undefined
			? [await helpers.getBinaryDataBuffer(0, property)]
			: await helpers.getBinaryStream(id, PIECE);
	for await (const chunk of chunks) {
		// Where n8n keeps files in its database, the first chunk is the whole file.
		const bytes = chunk as Uint8Array;
		for (let start = 0; start < bytes.length; start += PIECE) {
			if (slice.isOver) await slice.yield();
			yield bytes.subarray(start, start + PIECE);
		}
	}
}

/** No spreadsheet of people has more; comparing tens of thousands with the fields would stop n8n. */
const MOST_FILE_COLUMNS = 2000;

function unreadable(property: string, text: string): InvalidInput {
	return new InvalidInput([{ field: `File in "${property}"`, text }]);
}

function checkWidth(row: string[], width: number): string[] | InvalidRow {
	if (row.length === width) return row;
	return new InvalidRow(
		'Values',
		`There are ${row.length}, but the first line of the file names ${width} columns. Quote values that contain the delimiter or a line break.`,
	);
}

/** Spreadsheet programs also write lines of nothing but delimiters. */
function isEmptyLine(record: readonly string[]): boolean {
	return record.length !== 1 && record.every((value) => value.trim() === '');
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}

/**
 * The file in a binary field of the only input item.
 * Throws {@link InvalidInput} if it has no columns or cannot be read.
 * @param mayHaveOthers whether further items without a file are allowed
 */
export async function openSourceFile(
	{ functions, parameters }: NodeContext,
	mayHaveOthers = false,
	property = enteredProperty(parameters),
): Promise<SourceFile> {
	const count = functions.getInputData().length;
	if (count > 1 && !mayHaveOthers) {
		throw new InvalidInput([
			{
				field: 'Source',
				text: `There are ${count} input items, but a file is read from one. Put a Loop Over Items node before this one to import several files.`,
			},
		]);
	}
	rejectSpreadsheet(functions, property);
	const delimiter =
		SOURCE_DELIMITERS[parameters.text('sourceDelimiter')] ??
		(await readDelimiter(functions, property));

	/** Records before each empty line. */
	const emptyLines: number[] = [];
	async function* records(): AsyncGenerator<string[][]> {
		let seen = 0;
		let seenEmpty = 0;
		const isRow = (record: readonly string[]): boolean => {
			const isEmpty = isEmptyLine(record);
			if (!isEmpty) seen++;
			// The file is read several times.
			else if (seenEmpty++ === emptyLines.length) emptyLines.push(seen);
			return !isEmpty;
		};
		try {
			for await (const batch of readRecords(pieces(functions, property), true, delimiter))
				yield batch.filter(isRow);
		} catch (error) {
			rethrow(error instanceof UnreadableText ? unreadable(property, error.message) : error);
		}
	}
	let columns: string[] | undefined;
	for await (const [first] of records()) {
		columns = first;
		if (columns) break;
	}
	if (!columns?.some((name) => visibleName(name) !== ''))
		throw unreadable(property, 'is empty. Its first line must name the columns.');
	if (columns.length > MOST_FILE_COLUMNS)
		throw unreadable(
			property,
			`has ${columns.length} columns in its first line; at most ${MOST_FILE_COLUMNS} can be read. Check its delimiter and quotation marks.`,
		);
	const names = columns.map(visibleName);
	return {
		columns: names,
		names: distinctNames(names),
		delimiter,
		lineOf: (row) => row + 1 + countUpTo(emptyLines, row),
		async *rows() {
			let isFirst = true;
			for await (const batch of records()) {
				const rows = isFirst ? batch.slice(1) : batch;
				if (batch.length > 0) isFirst = false;
				yield rows.map((row) => checkWidth(row, names.length));
			}
		},
	};
}

async function readDelimiter(functions: IExecuteFunctions, property: string): Promise<string> {
	const candidates = Object.values(SOURCE_DELIMITERS).flatMap((known) => known ?? []);
	try {
		for await (const text of decodeText(pieces(functions, property), false))
			if (text !== '') return detectedDelimiter(text, candidates) ?? ',';
	} catch (error) {
		rethrow(error instanceof UnreadableText ? unreadable(property, error.message) : error);
	}
	return ',';
}
