import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { TimeSlice } from '../../shared/execution/timeSlice';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import type { FileRow } from '../../shared/importFile/importFiles';
import { findName } from '../../shared/importFile/visibleName';
import { messageOf } from '../../shared/service/serviceErrors';
import { itemProperties } from '../file/itemProperty';
import { columnProblem, type SourceFile } from '../file/sourceFile';
import { expressionPath, namedProperties, plainProperty } from './expressionPath';
import type { MappedRows, PlannedColumn } from './importMapping';
import { readableValues } from './outcomeRow';
import type { RowChecksums } from './rowChecksums';

/** Where the rows of an import come from. */
export interface RowSource extends MappedRows {
	/** Word for a row in messages. */
	noun: 'item' | 'row';
	/** See {@link SourceFile}; only of a file. */
	lineOf?: SourceFile['lineOf'];
	properties(): Promise<readonly string[]>;
	/**
	 * Values of all rows in the order of the columns; each call starts at the first row. The column
	 * without an expression gets the row number, from 1.
	 * @param checksums gets every row unchanged
	 */
	rows(
		columns: readonly PlannedColumn[],
		checksums?: RowChecksums,
	): AsyncGenerator<readonly FileRow[]>;
}

/** Rows per batch: built and written in far less than a time slice. */
const BATCH = 500;
const BATCH_OF_EXPRESSIONS = 5;

/** Undefined if the path leads nowhere. */
function readPath(json: IDataObject, [first = '', ...more]: readonly string[]): unknown {
	let value: unknown = json[first];
	for (const step of more) {
		if (value === null || typeof value !== 'object') return undefined;
		value = Object.hasOwn(value, step) ? (value as IDataObject)[step] : undefined;
	}
	return value;
}

type ItemReader = (item: number, json: IDataObject) => unknown;

/** n8n evaluates expressions with the outcome of an earlier import, which may hide a column. */
function checkHidden(names: readonly string[], given: IDataObject, own: IDataObject): void {
	const hidden = given === own ? undefined : names.find((name) => given[name] !== own[name]);
	if (hidden !== undefined)
		throw new Error(
			`$json["${hidden}"] is the outcome of an earlier import. Remove the fields of that outcome before this node`,
		);
}

/** The values of an item, or why it cannot be sent. */
function readRow(
	columns: readonly PlannedColumn[],
	readers: readonly ItemReader[],
	item: number,
	json: IDataObject,
): FileRow {
	let column = -1;
	try {
		return readers.map((read, index) => {
			column = index;
			return read(item, json);
		});
	} catch (error) {
		return new InvalidRow(
			`Column "${columns[column]?.name ?? ''}"`,
			`cannot be filled in: ${messageOf(error).replace(/\.$/, '')}.`,
		);
	}
}

/** One row per item. */
export function itemRows(
	functions: IExecuteFunctions,
	items: readonly INodeExecutionData[] = functions.getInputData(),
	noun: RowSource['noun'] = 'item',
): RowSource {
	const newSlice = (): TimeSlice => new TimeSlice(functions.getExecutionCancelSignal());
	let properties: Promise<readonly string[]> | undefined;
	const readProperties = async (): Promise<readonly string[]> => {
		properties ??= itemProperties(items, newSlice());
		return await properties;
	};
	return {
		noun,
		properties: readProperties,
		unreadable: () => undefined,
		async *rows(columns, checksums) {
			const known = await readProperties();
			let batch = BATCH;
			// Reading a property is some hundred times cheaper than an expression, and nearly every
			// column is a property.
			const reader = (expression: string): ItemReader => {
				const [first, ...more] = expressionPath(expression) ?? [];
				if (first === undefined) {
					batch = BATCH_OF_EXPRESSIONS;
					const names = namedProperties(expression);
					return (item, json) => {
						checkHidden(names, items[item]?.json ?? {}, json);
						return functions.evaluateExpression(expression.slice(1), item);
					};
				}
				const property = findName(known, first) ?? first;
				return more.length === 0
					? (_, json) => json[property]
					: (_, json) => readPath(json, [property, ...more]);
			};
			const readers = columns.map(({ expression, convert }): ItemReader => {
				const read = expression === undefined ? (item: number) => item + 1 : reader(expression);
				return convert ? (item, json) => convert(read(item, json)) : read;
			});
			const row = (item: number): FileRow => {
				const given = items[item]?.json ?? {};
				checksums?.addItem(given);
				return readRow(columns, readers, item, readableValues(given));
			};
			const slice = newSlice();
			for (let start = 0; start < items.length; start += batch) {
				if (slice.isOver) await slice.yield();
				const end = Math.min(items.length, start + batch);
				yield Array.from({ length: end - start }, (_, index) => row(start + index));
			}
		},
	};
}

/** One row per row of a delimited file. */
export function fileRows(file: SourceFile): RowSource {
	const indexOf = (name: string): number =>
		file.columns.indexOf(findName(file.columns, name) ?? '');
	return {
		noun: 'row',
		lineOf: file.lineOf,
		properties: async () => await Promise.resolve(file.columns),
		unreadable: (expression) => {
			const property = plainProperty(expression);
			if (property === undefined)
				return 'must be one column of the file, e.g. {{ $json["First Name"] }}, or a fixed value. For other expressions use Extract From File and the source Input Items.';
			const index = indexOf(property);
			// A property that no row has is reported for all sources alike.
			return index < 0 ? undefined : columnProblem(file, file.columns[index] ?? '');
		},
		async *rows(columns, checksums) {
			const readers = columns.map(
				({ expression, convert }): ((row: string[], number: number) => unknown) => {
					if (expression === undefined) return (_, number) => (convert ? convert(number) : number);
					const index = indexOf(plainProperty(expression) ?? '');
					return convert ? (row) => convert(row[index]) : (row) => row[index];
				},
			);
			let number = 0;
			const read = (row: string[] | InvalidRow): FileRow => {
				number++;
				checksums?.addRow(file.columns, row instanceof InvalidRow ? undefined : row);
				if (row instanceof InvalidRow) return row;
				return readers.map((readValue) => readValue(row, number));
			};
			for await (const batch of file.rows()) yield batch.map(read);
		},
	};
}
