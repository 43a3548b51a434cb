import { sortedLastIndex } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { NodeContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { decodeText, UnreadableText } from '../../../shared/importFile/decodeText';
import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import { detach, detectedDelimiter, readRecords } from '../../../shared/importFile/delimitedText';
import { distinctNames, findName, visibleName } from '../../../shared/importFile/fileColumns';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { RejectedRows } from '../../../shared/importFile/rejectedRows';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { rethrow } from '../../../shared/transport/rethrow';
import { fileProperty, isSpreadsheet, SOURCE_DELIMITERS } from '../../file/sourceFields';
import {
	columnReaders,
	type ImportRows,
	ItemRows,
	joinedProperties,
	MOST_PROPERTIES,
	pathExpression,
	plainProperty,
	type RowColumn,
} from './importRows';
import type { RowChecksums } from './rowChecksums';

/** Bytes read at a time: few enough not to block n8n. */
const PIECE = 64 * 1024;

function unreadable(property: string, text: string): InvalidInput {
	return new InvalidInput([{ field: `File in "${property}"`, text }]);
}

/** Throws {@link InvalidInput} for several items, and for a spreadsheet, which is no text. */
function checkInput(functions: IExecuteFunctions, property: string, mayHaveOthers: boolean): void {
	const count = functions.getInputData().length;
	if (count > 1 && !mayHaveOthers) {
		const text = `There are ${count} input items, but a file is read from one. Put a Loop Over Items node before this one to import several files.`;
		throw new InvalidInput([{ field: 'Source', text }]);
	}
	if (isSpreadsheet(functions.helpers.assertBinaryData(0, property)))
		throw unreadable(
			property,
			'is a spreadsheet. Put an "Extract from File" node before this one, with the operation for its format, such as "Extract From XLSX"; then each row is an item.',
		);
}

/** Spreadsheet programs also write lines of nothing but delimiters. */
function isEmptyLine(record: readonly string[]): boolean {
	return record.length !== 1 && record.every((value) => value.trim() === '');
}

/** One row per row of a delimited file, which can be read repeatedly and is never held in memory as a whole. */
export class FileRows implements ImportRows {
	readonly noun = 'row';
	/** As the first line spells them; names may repeat. */
	private columns: readonly string[] = [];
	/** The same, each with a name of its own, for output. */
	names: readonly string[] = [];
	private delimiter = ',';
	/** Records before each empty line. */
	private readonly emptyLines: number[] = [];

	private constructor(
		private readonly functions: IExecuteFunctions,
		private readonly property: string,
	) {}

	/**
	 * The file in a binary field of the only input item.
	 * Throws {@link InvalidInput} if it has no columns or cannot be read.
	 * @param mayHaveOthers whether further items without a file are allowed
	 */
	static async open(
		{ functions, parameters }: NodeContext,
		property: string,
		mayHaveOthers: boolean,
	): Promise<FileRows> {
		checkInput(functions, property, mayHaveOthers);
		const file = new FileRows(functions, property);
		file.delimiter =
			SOURCE_DELIMITERS[parameters.text('sourceDelimiter')] ?? (await file.detectDelimiter());
		const columns = await file.readColumns();
		if (!columns.some((name) => visibleName(name) !== ''))
			throw unreadable(property, 'is empty. Its first line must name the columns.');
		if (columns.length > MOST_PROPERTIES)
			throw unreadable(
				property,
				`has ${columns.length} columns in its first line; at most ${MOST_PROPERTIES} can be read. Check its delimiter and quotation marks.`,
			);
		file.columns = columns.map(visibleName);
		file.names = distinctNames(file.columns);
		return file;
	}

	async properties(): Promise<readonly string[]> {
		return await Promise.resolve(this.columns);
	}

	unreadable(expression: string): string | undefined {
		const joined = joinedProperties(expression);
		if (joined) return joined.map((name) => this.unreadable(pathExpression([name]))).find(Boolean);
		const property = plainProperty(expression);
		if (property === undefined)
			return 'must be one column of the file, e.g. {{ $json["First Name"] }}, or a fixed value. For other expressions use Extract From File and the source Input Items.';
		const name = findName(this.columns, property);
		// A property that no row has is reported for all rows alike.
		if (name === undefined) return undefined;
		const first = this.columns.indexOf(name);
		const last = this.columns.lastIndexOf(name);
		return first === last
			? undefined
			: `"${name}" is the name of several columns of the file, for instance columns ${first + 1} and ${last + 1}. Give each a name of its own in the first line of the file.`;
	}

	// The empty lines above a row are those with at most as many records before them.
	readonly lineOf = (row: number): number => row + 1 + sortedLastIndex(this.emptyLines, row);

	async *read(
		columns: readonly RowColumn[],
		checksums?: RowChecksums,
	): AsyncGenerator<readonly FileRow[]> {
		const readers = columnReaders(columns, (expression) => {
			const index = this.indexOf(plainProperty(expression) ?? '');
			return (row: readonly string[]) => row[index];
		});
		let number = 0;
		for await (const batch of this.rows()) {
			yield batch.map((row) => {
				number++;
				checksums?.addRow(this.columns, row instanceof InvalidRow ? undefined : row);
				return row instanceof InvalidRow ? row : readers.map((readValue) => readValue(row, number));
			});
		}
	}

	async *readGiven(): AsyncGenerator<Array<() => IDataObject | undefined>> {
		for await (const batch of this.rows()) {
			yield batch.map((row) => () => {
				if (row instanceof InvalidRow) return undefined;
				return detach(
					Object.fromEntries(this.names.map((name, index) => [name, row[index] ?? ''])),
				);
			});
		}
	}

	async newRejectedRows(): Promise<RejectedRows> {
		return await Promise.resolve(new RejectedRows(this.columns, this.delimiter));
	}

	/** By the name of a column, or the one that it has in the output. */
	private indexOf(name: string): number {
		const column = findName(this.columns, name);
		return column === undefined ? this.names.indexOf(name) : this.columns.indexOf(column);
	}

	private async detectDelimiter(): Promise<string> {
		const candidates = Object.values(SOURCE_DELIMITERS).flatMap((known) => known ?? []);
		for await (const text of this.readable(decodeText(this.pieces(), true)))
			if (text !== '') return detectedDelimiter(text, candidates) ?? ',';
		return ',';
	}

	private async readColumns(): Promise<string[]> {
		for await (const [columns] of this.records()) if (columns) return columns;
		return [];
	}

	/** The rows below the first line, in batches. */
	private async *rows(): AsyncGenerator<Array<string[] | InvalidRow>> {
		const width = this.columns.length;
		let isFirst = true;
		for await (const batch of this.records()) {
			const rows = isFirst ? batch.slice(1) : batch;
			if (batch.length > 0) isFirst = false;
			yield rows.map((row) => {
				if (row.length === width) return row;
				const reason = `There are ${row.length}, but the first line of the file names ${width} columns. Quote values that contain the delimiter or a line break.`;
				return new InvalidRow('Values', reason);
			});
		}
	}

	private async *records(): AsyncGenerator<string[][]> {
		let seen = 0;
		let seenEmpty = 0;
		const isRow = (record: readonly string[]): boolean => {
			const isEmpty = isEmptyLine(record);
			if (!isEmpty) seen++;
			// The file is read several times.
			else if (seenEmpty++ === this.emptyLines.length) this.emptyLines.push(seen);
			return !isEmpty;
		};
		for await (const batch of this.readable(readRecords(this.pieces(), true, this.delimiter)))
			yield batch.filter(isRow);
	}

	/** The file in pieces; cancelling the execution stops reading. */
	private async *pieces(): AsyncGenerator<Uint8Array> {
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		const { helpers } = this.functions;
		const { id } = helpers.assertBinaryData(0, this.property);
		const chunks =
			id === undefined
				? [await helpers.getBinaryDataBuffer(0, this.property)]
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

	/** Throws {@link InvalidInput} for what cannot be read. */
	private async *readable<T>(texts: AsyncIterable<T>): AsyncGenerator<T> {
		try {
			yield* texts;
		} catch (error) {
			rethrow(error instanceof UnreadableText ? unreadable(this.property, error.message) : error);
		}
	}
}

/**
 * The rows of the chosen source.
 * @param mayHaveOthers whether further items beside that of a file are allowed
 */
export async function openRows(node: NodeContext, mayHaveOthers = false): Promise<ImportRows> {
	const property = fileProperty(node);
	return property === undefined
		? new ItemRows(node.functions)
		: await FileRows.open(node, property, mayHaveOthers);
}
