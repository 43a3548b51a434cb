import { sortedLastIndex } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { TimeSlice } from '../../shared/execution/timeSlice';
import { InvalidRow, invalidValue } from '../../shared/importFile/delimitedRows';
import {
	decodeText,
	detach,
	detectedDelimiter,
	readRecords,
	UnreadableText,
} from '../../shared/importFile/delimitedText';
import { distinctNames, findName, visibleName } from '../../shared/importFile/fileColumns';
import type { FileRow } from '../../shared/importFile/importFiles';
import { RejectedRows, withoutReason } from '../../shared/importFile/rejectedRows';
import { counted } from '../../shared/service/counted';
import { InvalidInput } from '../../shared/service/invalidInput';
import { messageOf } from '../../shared/service/serviceErrors';
import { rethrow } from '../../shared/transport/rethrow';
import {
	expressionPath,
	joinedProperties,
	namedProperties,
	pathExpression,
	plainProperty,
} from './columnExpressions';
import {
	columnReaders,
	type ImportRows,
	MOST_PROPERTIES,
	ownValues,
	pathReader,
	type Reader,
	type RowChecksums,
	type RowColumn,
	withoutBlankRow,
} from './importRows';

/** Rows per batch: cleaned, written and compared within a few milliseconds. */
const BATCH = 100;
const BATCH_OF_EXPRESSIONS = 5;

/** The values of an item, or why it cannot be sent. */
function readRow(
	columns: readonly RowColumn[],
	readers: ReadonlyArray<Reader<IDataObject>>,
	json: IDataObject,
	number: number,
): FileRow {
	let column = -1;
	try {
		return readers.map((read, index) => {
			column = index;
			return read(json, number);
		});
	} catch (error) {
		return invalidValue(
			columns[column]?.title ?? columns[column]?.name ?? '',
			`cannot be filled in: ${messageOf(error).replace(/\.$/, '')}.`,
		);
	}
}

export class ItemRows implements ImportRows {
	/** Whether the items are the input, so that each gets an outcome of its own. */
	readonly isInput: boolean;
	readonly noun: ImportRows['noun'];
	private known: Promise<readonly string[]> | undefined;

	constructor(
		private readonly functions: IExecuteFunctions,
		readonly items: readonly INodeExecutionData[] = functions.getInputData(),
	) {
		this.isInput = items === functions.getInputData();
		this.noun = this.isInput ? 'item' : 'row';
	}

	async properties(): Promise<readonly string[]> {
		return await (this.known ??= this.propertiesOf((json) => json));
	}

	unreadable(): undefined {
		return undefined;
	}

	async *read(
		columns: readonly RowColumn[],
		checksums?: RowChecksums,
	): AsyncGenerator<readonly FileRow[]> {
		const known = await this.properties();
		let batch = BATCH;
		const readers = columnReaders(columns, (expression) => {
			const path = expressionPath(expression);
			if (path) return pathReader(known, path);
			batch = BATCH_OF_EXPRESSIONS;
			return this.expressionReader(expression);
		});
		let number = 0;
		for await (const items of this.batches(batch)) {
			yield items.map(({ json }) => {
				checksums?.addValues(json);
				const own = ownValues(json);
				// Of an earlier outcome, expressions read what the row's own values do not hide.
				const values = own === json ? json : { ...json, ...own };
				return withoutBlankRow(columns, readRow(columns, readers, values, ++number));
			});
		}
	}

	async *readGiven(): AsyncGenerator<Array<() => IDataObject>> {
		for await (const items of this.batches(BATCH))
			yield items.map(({ json }) => {
				return () => ownValues(json);
			});
	}

	async ownProperties(): Promise<readonly string[]> {
		return withoutReason(await this.propertiesOf(ownValues));
	}

	async newRejectedRows(): Promise<RejectedRows> {
		return new RejectedRows(await this.ownProperties());
	}

	private async propertiesOf(valuesOf: (json: IDataObject) => IDataObject): Promise<string[]> {
		const properties = new Set<string>();
		/** By place: nearly all items have their properties in one order. */
		const usual: string[] = [];
		for await (const items of this.batches(BATCH))
			for (const { json } of items) {
				let place = 0;
				for (const property in valuesOf(json)) {
					if (usual[place] !== property) {
						usual[place] = property;
						properties.add(property);
					}
					place++;
				}
			}
		return [...properties];
	}

	private async *batches(size: number): AsyncGenerator<readonly INodeExecutionData[]> {
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		for (let first = 0; first < this.items.length; first += size) {
			if (slice.isOver) await slice.yield();
			yield this.items.slice(first, first + size);
		}
	}

	private expressionReader(expression: string): Reader<IDataObject> {
		const names = namedProperties(expression);
		return (json, number) => {
			const given = this.items[number - 1]?.json ?? json;
			// n8n evaluates with the outcome of an earlier import, which may hide a column.
			const hidden = given === json ? undefined : names.find((name) => given[name] !== json[name]);
			if (hidden !== undefined)
				throw new Error(
					`$json["${hidden}"] is the outcome of an earlier import. Remove the fields of that outcome before this node`,
				);
			return this.functions.evaluateExpression(expression.slice(1), number - 1);
		};
	}
}

/** Bytes read at a time: as many rows. */
const PIECE = 16 * 1024;

export function unreadableFile(property: string, text: string): InvalidInput {
	return new InvalidInput([{ field: `File in "${property}"`, text }]);
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

	/** @param property the binary field of the first input item */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly property: string,
	) {}

	/**
	 * Reads the first line. Throws InvalidInput if it names no columns or cannot be read.
	 * @param delimiter the chosen one, or the ones to detect it from
	 */
	async readHead(delimiter: string | undefined, known: readonly string[]): Promise<void> {
		this.delimiter = delimiter ?? (await this.detectDelimiter(known)) ?? ',';
		for await (const [columns] of this.records()) {
			if (!columns) continue;
			this.columns = columns.map(visibleName);
			break;
		}
		const { length } = this.columns;
		if (!this.columns.some((name) => name !== ''))
			throw unreadableFile(this.property, 'is empty. Its first line must name the columns.');
		// Only a chosen delimiter can be wrong; the file is opened again only where it seems so.
		const detected = length === 1 && delimiter ? await this.detectDelimiter(known) : undefined;
		if (detected !== undefined && detected !== delimiter)
			throw unreadableFile(
				this.property,
				`has only one column, but its first line looks separated by ${JSON.stringify(detected)}. Set Source Delimiter to Detect.`,
			);
		if (length > MOST_PROPERTIES)
			throw unreadableFile(
				this.property,
				`has ${length} columns in its first line; at most ${MOST_PROPERTIES} can be read. Check its delimiter and quotation marks.`,
			);
		this.names = distinctNames(this.columns);
	}

	async properties(): Promise<readonly string[]> {
		return await Promise.resolve(this.columns);
	}

	async ownProperties(): Promise<readonly string[]> {
		return await Promise.resolve(withoutReason(this.columns));
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
				const isInvalid = row instanceof InvalidRow;
				number++;
				checksums?.addRow(this.columns, isInvalid ? undefined : row);
				if (isInvalid) return row;
				return withoutBlankRow(
					columns,
					readers.map((readValue) => readValue(row, number)),
				);
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
		const columns = await this.ownProperties();
		return new RejectedRows(columns, this.delimiter, this.names.slice(0, columns.length));
	}

	/** By the name of a column, or the one that it has in the output. */
	private indexOf(name: string): number {
		const column = findName(this.columns, name);
		return column === undefined ? this.names.indexOf(name) : this.columns.indexOf(column);
	}

	private async detectDelimiter(candidates: readonly string[]): Promise<string | undefined> {
		for await (const text of this.readable(decodeText(this.pieces(), true)))
			if (text !== '') return detectedDelimiter(text, candidates);
		return undefined;
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
				const reason = `There ${row.length === 1 ? 'is' : 'are'} ${row.length}, but the first line of the file names ${counted(width, 'column')}. Quote values that contain the delimiter or a line break.`;
				return new InvalidRow('Values', reason);
			});
		}
	}

	private async *records(): AsyncGenerator<string[][]> {
		let seen = 0;
		let seenEmpty = 0;
		const isRow = (record: readonly string[]): boolean => {
			// Spreadsheet programs also write lines of nothing but delimiters.
			const isEmpty = record.length !== 1 && record.every((value) => value.trim() === '');
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

	private async *readable<T>(texts: AsyncIterable<T>): AsyncGenerator<T> {
		try {
			yield* texts;
		} catch (error) {
			rethrow(
				error instanceof UnreadableText ? unreadableFile(this.property, error.message) : error,
			);
		}
	}
}
