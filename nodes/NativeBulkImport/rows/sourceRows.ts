import { countBy, sortedLastIndex } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { batchesInSlices, TimeSlice } from '../../shared/execution/timeSlice';
import { isBlank } from '../../shared/importFile/columnValues';
import { looksLikeEmail } from '../../shared/importFile/valueKinds';
import { InvalidRow, invalidValue } from '../../shared/importFile/delimitedRows';
import {
	decodeText,
	detach,
	readRecords,
	UnreadableText,
} from '../../shared/importFile/delimitedText';
import { distinctNames, findName, visibleName } from '../../shared/importFile/fileColumns';
import {
	detectedDelimiter,
	findHeaderLine,
	READ_RECORDS,
} from '../../shared/importFile/headerLine';
import type { FileRow } from '../../shared/importFile/importFiles';
import { MORE_VALUES, RejectedRows, withoutReason } from '../../shared/importFile/rejectedRows';
import { modelValue } from '../../shared/parameters/modelValues';
import { InvalidInput } from '../../shared/service/invalidInput';
import { messageOf } from '../../shared/service/serviceErrors';
import { rethrow } from '../../shared/transport/rethrow';
import {
	expressionPath,
	isSameForAllRows,
	joinedProperties,
	namedProperties,
	pathExpression,
	plainProperty,
} from './columnExpressions';
import {
	blankRowCheck,
	columnReaders,
	type ImportRows,
	MOST_PROPERTIES,
	OUTCOME_PROPERTIES,
	ownValues,
	pathReader,
	type Reader,
	type RowChecksums,
	type RowColumn,
} from './importRows';

const BATCH = 100;

/** The values of an item, or why it cannot be sent. */
function readRow(
	columns: readonly RowColumn[],
	readers: ReadonlyArray<Reader<IDataObject>>,
	json: IDataObject,
	number: number,
): FileRow {
	let column = 0;
	try {
		const values = new Array<unknown>(readers.length);
		for (; column < readers.length; column++) values[column] = readers[column]?.(json, number);
		return values;
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
	): AsyncGenerator<Iterable<FileRow>> {
		const known = await this.properties();
		const readers = columnReaders(columns, (expression) => {
			const path = expressionPath(expression);
			return path ? pathReader(known, path) : this.expressionReader(expression);
		});
		const checkBlank = blankRowCheck(columns);
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		yield* batchesInSlices(this.items, slice, ({ json }, index) => {
			checksums?.addValues(json);
			const own = ownValues(json);
			// Expressions can read the parts of an earlier outcome that the row's own values do not hide.
			const values = own === json ? json : { ...json, ...own };
			return checkBlank(readRow(columns, readers, values, index + 1));
		});
	}

	async *readGiven(): AsyncGenerator<Iterable<() => IDataObject>> {
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		yield* batchesInSlices(this.items, slice, ({ json }) => {
			return () => ownValues(json);
		});
	}

	async ownProperties(): Promise<readonly string[]> {
		const known = await this.properties();
		const haveOutcomes = OUTCOME_PROPERTIES.some((name) => known.includes(name));
		return withoutReason(haveOutcomes ? await this.propertiesOf(ownValues) : known);
	}

	async newRejectedRows(): Promise<RejectedRows> {
		return new RejectedRows(await this.ownProperties());
	}

	private async propertiesOf(valuesOf: (json: IDataObject) => IDataObject): Promise<string[]> {
		const properties = new Set<string>();
		/** Kept by place: nearly all items have their properties in one order. */
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
			const value = this.functions.evaluateExpression(expression.slice(1), number - 1);
			return modelValue(expression, value);
		};
	}
}

/** A row of a file with more or fewer values than the file has columns. */
class UnevenRow extends InvalidRow {
	constructor(
		readonly values: readonly string[],
		columns: number,
	) {
		const { length } = values;
		super(
			'Values',
			`There ${length === 1 ? 'is' : 'are'} ${length}, but the line that names the columns has ${columns}. Quote values that contain the delimiter or a line break.`,
		);
	}
}

/** What a cell looks like, to tell whether it stands in its column. */
function shapeOf(cell: string): 'blank' | 'email' | 'number' | 'text' {
	const text = cell.slice(0, LONGEST_SHAPED).trim();
	if (text === '') return 'blank';
	if (looksLikeEmail(text)) return 'email';
	return /^[\d\s().,+/:-]+$/.test(text) ? 'number' : 'text';
}

const LONGEST_SHAPED = 100;

/** Lines that a value with line breaks may take up. */
const MOST_BROKEN_LINES = 10;

/**
 * Gives rows as many values as there are columns. Programs leave out blank cells at the end of a row, or end
 * each row with a delimiter. Short rows between whole ones that together are one row, and look like one, are
 * a value with a line break without quotation marks.
 */
class EvenRows {
	private short: string[][] = [];
	private whole: readonly string[] = [];
	/** Whether the short rows are more than those of one value. */
	private isLong = false;

	constructor(private readonly width: number) {}

	add(row: string[]): Array<string[] | UnevenRow> {
		if (row.length < this.width) {
			this.short.push(row);
			if (this.short.length <= MOST_BROKEN_LINES) return [];
			this.isLong = true;
			return this.end();
		}
		this.whole = row;
		const before = this.end();
		this.isLong = false;
		return [...before, this.withoutBlanks(row)];
	}

	/** The short rows before a whole one, or before the end. */
	end(): Array<string[] | UnevenRow> {
		const { short, width } = this;
		this.short = [];
		const isBroken = short.length > 1 && !this.isLong && this.isOneRow(short);
		return short.map((row) =>
			isBroken || (row.length === 1 && width > 2)
				? new UnevenRow(row, width)
				: [...row, ...Array<string>(width - row.length).fill('')],
		);
	}

	private isOneRow(short: ReadonlyArray<readonly string[]>): boolean {
		const { whole, width } = this;
		const joined: string[] = [];
		for (const [first = '', ...more] of short) {
			joined.push(`${joined.pop() ?? ''}${first}`, ...more);
			if (joined.length > width) return false;
		}
		const looksLikeRow = (row: readonly string[]): boolean =>
			row.every((cell, index) => {
				const [shape, usual] = [cell, whole[index] ?? ''].map(shapeOf);
				return shape === usual || shape === 'blank' || usual === 'blank';
			});
		const isLikely = whole.length > 0 && joined.length === width && looksLikeRow(joined);
		return isLikely && short.some((row) => !looksLikeRow(row));
	}

	private withoutBlanks(row: string[]): string[] | UnevenRow {
		if (row.length === this.width) return row;
		const isBlankAfter = row.every((value, index) => index < this.width || value.trim() === '');
		return isBlankAfter ? row.slice(0, this.width) : new UnevenRow(row, this.width);
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
	/** The names as the file spells them; they may repeat. */
	private columns: readonly string[] = [];
	/** The same, without the names of empty columns that repeat the name of another one. */
	private named: readonly string[] = [];
	/** The same, each with a name of its own, for output. */
	names: readonly string[] = [];
	private delimiter = ',';
	/** Records above the one that names the columns. */
	private recordsAbove = 0;
	/** Records before each empty line. */
	private readonly emptyLines: number[] = [];

	/** @param property the binary field of the first input item */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly property: string,
	) {}

	/**
	 * Reads the line that names the columns. Throws InvalidInput if none does, or if it cannot be read.
	 * @param delimiter the chosen one, or the ones to detect it from
	 */
	async readHead(delimiter: string | undefined, known: readonly string[]): Promise<void> {
		const likely = await this.detectDelimiter(known);
		this.delimiter = delimiter ?? likely ?? ',';
		const first = await this.readFirst();
		this.recordsAbove = this.findHeader(first);
		this.columns = (first[this.recordsAbove] ?? []).map(visibleName);
		const { length } = this.columns;
		if (!this.columns.some((name) => name !== ''))
			throw unreadableFile(this.property, 'is empty. Its first line must name the columns.');
		// Only a chosen delimiter can be wrong.
		const detected = length === 1 && delimiter ? likely : undefined;
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
		this.named = await this.withoutEmptyRepeats();
	}

	/** Exports of merged records have `Phone` several times, and values in one of them. */
	private async withoutEmptyRepeats(): Promise<string[]> {
		const { columns } = this;
		const counts = countBy(columns);
		const empty = new Set(columns.flatMap((name, at) => ((counts[name] ?? 0) > 1 ? [at] : [])));
		// Only such a file is read again, and only until all have a value.
		if (empty.size > 0)
			for await (const batch of this.rows()) {
				for (const at of empty)
					if (batch.some((row) => !isBlank((row instanceof UnevenRow ? row.values : row)[at])))
						empty.delete(at);
				if (empty.size === 0) break;
			}
		const filled = new Set(columns.filter((_, at) => !empty.has(at)));
		return columns.map((name, at) => {
			const isRepeat = filled.has(name) || columns.indexOf(name) !== at;
			return empty.has(at) && isRepeat ? '' : name;
		});
	}

	private async readFirst(): Promise<string[][]> {
		const first: string[][] = [];
		try {
			for await (const batch of this.records()) {
				first.push(...batch.slice(0, READ_RECORDS - first.length));
				if (first.length === READ_RECORDS) break;
			}
		} catch (error) {
			// Damage below the first line is found when the rows are read.
			if (first.length === 0 || !(error instanceof InvalidInput)) rethrow(error);
		}
		return first;
	}

	/** Which of the first records names the columns. Throws InvalidInput if it is not clear. */
	private findHeader(first: readonly string[][]): number {
		const found = findHeaderLine(first);
		if ('at' in found) return found.at;
		if ('rivals' in found) {
			const [one, other] = found.rivals.map((record) => this.lineOfRecord(record));
			throw unreadableFile(
				this.property,
				`has two lines that could name its columns: ${one} and ${other}. Delete the lines above the right one, and import lists that follow one another as separate files.`,
			);
		}
		throw unreadableFile(
			this.property,
			`has no line that names its columns: the first one looks like a person, with "${found.value.slice(0, 40)}". Add a first line, e.g. First Name,Last Name,Email.`,
		);
	}

	get notes(): readonly string[] {
		if (this.recordsAbove === 0) return [];
		const line = this.lineOfRecord(this.recordsAbove);
		return [`Line ${line} names the columns; the lines above it were left out.`];
	}

	get unnamedColumns(): readonly number[] {
		return this.columns.flatMap((name, at) => (name === '' ? [at + 1] : []));
	}

	async properties(): Promise<readonly string[]> {
		return await Promise.resolve(this.named.filter((name, index) => name === this.columns[index]));
	}

	async ownProperties(): Promise<readonly string[]> {
		return await Promise.resolve(withoutReason(this.columns));
	}

	unreadable(expression: string): string | undefined {
		const joined = joinedProperties(expression);
		if (joined) return joined.map((name) => this.unreadable(pathExpression([name]))).find(Boolean);
		if (isSameForAllRows(expression)) return undefined;
		const property = plainProperty(expression);
		if (property === undefined)
			return 'must be one column of the file, e.g. {{ $json["First Name"] }}, or the same for all rows. For other expressions use Extract from File and the source Input Items.';
		const name = findName(this.named, property);
		// A property that no row has is reported for all rows alike.
		if (name === undefined) return undefined;
		const first = this.named.indexOf(name);
		const last = this.named.lastIndexOf(name);
		return first === last
			? undefined
			: `"${name}" is the name of several columns of the file, for instance columns ${first + 1} and ${last + 1}. Give each a unique name in the first line of the file.`;
	}

	// The empty lines above a row are those with at most as many records before them.
	readonly lineOf = (row: number): number => this.lineOfRecord(this.recordsAbove + row);

	async *read(
		columns: readonly RowColumn[],
		checksums?: RowChecksums,
	): AsyncGenerator<Iterable<FileRow>> {
		const readers = columnReaders(columns, (expression) => {
			if (isSameForAllRows(expression)) {
				const given = this.functions.evaluateExpression(expression.slice(1), 0);
				const value = modelValue(expression, given);
				return () => value;
			}
			const index = this.indexOf(plainProperty(expression) ?? '');
			return (row: readonly string[]) => row[index];
		});
		const checkBlank = blankRowCheck(columns);
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		let number = 0;
		for await (const batch of this.rows())
			yield* batchesInSlices(batch, slice, (row) => {
				const isUneven = row instanceof UnevenRow;
				number++;
				checksums?.addRow(this.columns, isUneven ? row.values : row);
				return isUneven ? row : checkBlank(readers.map((readValue) => readValue(row, number)));
			});
	}

	async *readGiven(): AsyncGenerator<Iterable<() => IDataObject | undefined>> {
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		for await (const batch of this.rows())
			yield* batchesInSlices(batch, slice, (row) => () => {
				const values = row instanceof UnevenRow ? row.values : row;
				const more = values.slice(this.names.length);
				return detach({
					...Object.fromEntries(this.names.map((name, index) => [name, values[index] ?? ''])),
					...(more.length > 0 && { [MORE_VALUES]: more.join(this.delimiter) }),
				});
			});
	}

	async newRejectedRows(): Promise<RejectedRows> {
		const columns = await this.ownProperties();
		return new RejectedRows(columns, this.delimiter, this.names.slice(0, columns.length));
	}

	/** Finds a column by its name, or by its name in the output. */
	private indexOf(name: string): number {
		const column = findName(this.named, name);
		return column === undefined ? this.names.indexOf(name) : this.named.indexOf(column);
	}

	/** Throws InvalidInput for a web page, which some programs save with the name of a table. */
	private checkedText(text: string): string {
		if (!/^\s*<(!doctype|html|\?xml|table|meta)\b/i.test(text.slice(0, 1000))) return text;
		throw unreadableFile(
			this.property,
			'is a web page or XML, not delimited text. Open it in a spreadsheet program, and save it as "CSV UTF-8".',
		);
	}

	/** @param record from 0 */
	private lineOfRecord(record: number): number {
		return record + 1 + sortedLastIndex(this.emptyLines, record);
	}

	private async detectDelimiter(candidates: readonly string[]): Promise<string | undefined> {
		for await (const text of this.readable(decodeText(this.pieces(), true)))
			if (text !== '') return detectedDelimiter(this.checkedText(text), candidates);
		return undefined;
	}

	/** The rows below the line that names the columns, in batches. */
	private async *rows(): AsyncGenerator<Array<string[] | UnevenRow>> {
		const reader = new EvenRows(this.columns.length);
		let above = this.recordsAbove + 1;
		for await (const batch of this.records()) {
			const records = batch.slice(above);
			above -= batch.length - records.length;
			yield records.flatMap((record) => reader.add(record));
		}
		yield reader.end();
	}

	private async *records(): AsyncGenerator<string[][]> {
		let seen = 0;
		let seenEmpty = 0;
		const isRow = (record: readonly string[]): boolean => {
			// Programs also write lines of nothing but delimiters or blanks.
			// In a file of one column, quotation marks are a row without a value.
			const isBlankValue = record.length === 1 && record[0] === '';
			const isEmpty = !isBlankValue && record.every((value) => value.trim() === '');
			if (!isEmpty) seen++;
			// The file is read several times.
			else if (seenEmpty++ === this.emptyLines.length) this.emptyLines.push(seen);
			return !isEmpty;
		};
		const slice = new TimeSlice(this.functions.getExecutionCancelSignal());
		for await (const batch of this.readable(readRecords(this.pieces(), true, this.delimiter))) {
			if (slice.isOver) await slice.yield();
			yield batch.filter(isRow);
		}
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
