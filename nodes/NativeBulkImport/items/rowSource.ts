import type { IExecuteFunctions } from 'n8n-workflow';

import { RowRefused } from '../../shared/importFile/delimitedRows';
import type { FileRow, FileRows } from '../../shared/importFile/importFiles';
import { suggestion } from '../../shared/service/nearestName';
import { itemProperties } from '../file/itemProperties';
import type { SourceFile } from '../file/sourceFile';
import type { MappedRows, PlannedColumn } from './importMapping';

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
	rows(columns: readonly PlannedColumn[]): FileRows;
}

/** `={{ $json.name }}` and `={{ $json["name"] }}`, which need no expression engine. */
const PLAIN_PROPERTY =
	/^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*")\]|\['([^'\\]*)'\])\s*\}\}$/;

function plainProperty(expression: string): string | undefined {
	const match = PLAIN_PROPERTY.exec(expression);
	if (!match) return undefined;
	const [, dotted, doubleQuoted, singleQuoted] = match;
	return dotted ?? singleQuoted ?? (JSON.parse(doubleQuoted ?? '""') as string);
}

/** One row per input item. */
export function itemRows(functions: IExecuteFunctions): RowSource {
	const items = functions.getInputData();
	return {
		noun: 'item',
		properties: async () => await itemProperties(items),
		unreadable: () => undefined,
		rows: (columns) => {
			// Reading a property directly is some hundred times cheaper than an expression, and nearly
			// every column is one.
			const readers = columns.map(({ expression }): ((item: number) => unknown) => {
				if (expression === undefined) return (item) => item + 1;
				const property = plainProperty(expression);
				if (property !== undefined) return (item) => items[item]?.json[property];
				return (item) => functions.evaluateExpression(expression.slice(1), item);
			});
			const rows = function* (): Generator<FileRow> {
				for (let item = 0; item < items.length; item++) yield readers.map((read) => read(item));
			};
			return [rows()];
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
			return file.columns.includes(property)
				? undefined
				: `"${property}" is not a column of the file.${suggestion(property, file.columns)}`;
		},
		async *rows(columns) {
			const indexes = columns.map(({ expression }) =>
				expression === undefined ? -1 : file.columns.indexOf(plainProperty(expression) ?? ''),
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
