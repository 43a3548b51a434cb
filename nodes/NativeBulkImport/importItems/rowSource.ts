import type { IExecuteFunctions } from 'n8n-workflow';

import { TimeSlice } from '../../shared/execution/timeSlice';
import { RowRefused } from '../../shared/importFile/delimitedRows';
import type { FileRow } from '../../shared/importFile/importFiles';
import { messageOf } from '../../shared/service/serviceErrors';
import { itemProperties } from '../file/itemProperty';
import { columnIndex, columnProblem, type SourceFile } from '../file/sourceFile';
import { type MappedRows, plainProperty, type PlannedColumn } from './importMapping';

/** Where the rows of an import come from. */
export interface RowSource extends MappedRows {
	/** What a row is called in messages. */
	noun: 'item' | 'row';
	/** Names of the properties that rows have. */
	properties(): Promise<readonly string[]>;
	/**
	 * The values of every row in the order of the columns, from the first row on each time. The column
	 * without an expression holds the number of the row, from 1.
	 */
	rows(columns: readonly PlannedColumn[]): AsyncGenerator<readonly FileRow[]>;
}

/** Rows that are made and written in far less than a time slice. */
const BATCH = 500;
const BATCH_OF_EXPRESSIONS = 5;

/** One row per input item. */
export function itemRows(functions: IExecuteFunctions): RowSource {
	const items = functions.getInputData();
	const newSlice = (): TimeSlice => new TimeSlice(functions.getExecutionCancelSignal());
	return {
		noun: 'item',
		properties: async () => await itemProperties(items, newSlice()),
		unreadable: () => undefined,
		async *rows(columns) {
			let batch = BATCH;
			// Reading a property directly is some hundred times cheaper than an expression, and nearly
			// every column is one.
			const readers = columns.map(({ expression }): ((item: number) => unknown) => {
				if (expression === undefined) return (item) => item + 1;
				const property = plainProperty(expression);
				if (property !== undefined) return (item) => items[item]?.json[property];
				batch = BATCH_OF_EXPRESSIONS;
				return (item) => functions.evaluateExpression(expression.slice(1), item);
			});
			const row = (item: number): FileRow => {
				let column = -1;
				try {
					return readers.map((read, index) => {
						column = index;
						return read(item);
					});
				} catch (error) {
					return new RowRefused(
						`Column "${columns[column]?.name ?? ''}"`,
						`cannot be filled in: ${messageOf(error).replace(/\.$/, '')}.`,
					);
				}
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
	return {
		noun: 'row',
		properties: async () => await Promise.resolve(file.columns),
		unreadable: (expression) => {
			const property = plainProperty(expression);
			if (property === undefined)
				return 'must be one column of the file, e.g. {{ $json["First Name"] }}, or a fixed value. For other expressions use Extract From File and the source Input Items.';
			return columnProblem(file, property);
		},
		async *rows(columns) {
			const indexes = columns.map(({ expression }) =>
				expression === undefined ? -1 : columnIndex(file, plainProperty(expression) ?? ''),
			);
			let number = 0;
			const read = (row: string[] | RowRefused): FileRow => {
				number++;
				if (row instanceof RowRefused) return row;
				return indexes.map((index) => (index < 0 ? number : row[index]));
			};
			for await (const batch of file.rows()) yield batch.map(read);
		},
	};
}
