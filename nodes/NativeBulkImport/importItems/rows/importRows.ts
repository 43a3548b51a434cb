import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mapInSlices, TimeSlice } from '../../../shared/execution/timeSlice';
import {
	type DelimitedFormat,
	InvalidRow,
	lineWriter,
} from '../../../shared/importFile/delimitedRows';
import { detach } from '../../../shared/importFile/delimitedText';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { RejectedRows } from '../../../shared/importFile/rejectedRows';
import { findName } from '../../../shared/importFile/fileColumns';
import { messageOf } from '../../../shared/service/serviceErrors';
import { itemProperties } from '../../file/itemProperty';
import { columnProblem, type SourceFile } from '../../file/sourceFile';
import { ownValues, readableValues } from './outcomeRow';
import type { RowChecksums } from './rowChecksums';

/** A column to read from the rows. */
export interface RowColumn {
	name: string;
	/** Undefined for the column that the node adds itself. */
	expression: string | undefined;
	/** Makes the value to write: the ID of a name, a date in the service's format, or the key of a row. */
	convert?: ValueConverter;
	/** Expressions of other values of the row, which `convert` gets, too. */
	beside?: readonly string[];
}

/** The value to write for a value of a row. An invalid value makes its row invalid. */
export type ValueConverter = (value: unknown, ...beside: unknown[]) => unknown;

/** The rows of an import: all that differs between items and the rows of a file. */
export interface ImportRows {
	/** Word for a row in messages. */
	noun: 'item' | 'row';
	/** See {@link SourceFile}; only of a file. */
	lineOf?: SourceFile['lineOf'];
	properties(): Promise<readonly string[]>;
	/** Why these rows cannot give the expression's value; undefined if they can. */
	unreadable(expression: string): string | undefined;
	/**
	 * Values of all rows in the order of the columns; each call starts at the first row. The column
	 * without an expression gets the row number, from 1.
	 * @param checksums gets every row unchanged
	 */
	read(columns: readonly RowColumn[], checksums?: RowChecksums): AsyncGenerator<readonly FileRow[]>;
	/** Readers of all rows as they were given, in order; undefined for a row that cannot be read. */
	readGiven(): AsyncGenerator<ReadonlyArray<() => IDataObject | undefined>>;
	/** A file for the rows to correct, still empty. */
	newRejectedRows(): Promise<RejectedRows>;
}

/** The values of all rows as a file has them; a row that cannot be written says why. */
export async function* readWritten(
	rows: Pick<ImportRows, 'read'>,
	columns: readonly RowColumn[],
	format: DelimitedFormat,
): AsyncGenerator<readonly FileRow[]> {
	const names = columns.map(({ name }) => name);
	const line = lineWriter(format, names);
	for await (const batch of rows.read(columns)) {
		yield batch.map((row) => {
			const written = row instanceof InvalidRow ? row : line(row);
			return written instanceof InvalidRow ? written : row;
		});
	}
}

const STEP = String.raw`\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[(?:("(?:[^"\\]|\\.)*")|'([^'\\]*)'|(\d+))\]`;
const PATH = new RegExp(
	String.raw`^=\{\{\s*\$json((?:${STEP.replaceAll(/\((?!\?)/g, '(?:')})+)\s*\}\}$`,
);

/**
 * The path of an expression such as `={{ $json.address["city"] }}`, which needs no expression engine.
 * Undefined for all other expressions.
 */
export function expressionPath(expression: string): string[] | undefined {
	const path = PATH.exec(expression)?.[1];
	if (path === undefined) return undefined;
	return [...path.matchAll(new RegExp(STEP, 'g'))].map(
		([, dotted, doubleQuoted, singleQuoted, index]) =>
			dotted ??
			singleQuoted ??
			index ??
			(doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string)),
	);
}

/** The property, if the expression only names one. */
export function plainProperty(expression: string): string | undefined {
	const path = expressionPath(expression);
	return path?.length === 1 ? path[0] : undefined;
}

/** The properties that an expression reads, as far as its text shows. */
export function namedProperties(expression: string): string[] {
	const names = [...expression.matchAll(new RegExp(String.raw`\$json(?:${STEP})`, 'g'))].map(
		([, dotted, doubleQuoted, singleQuoted]) =>
			dotted ??
			singleQuoted ??
			(doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string)),
	);
	return [...new Set(names.filter((name) => name !== ''))];
}

/** Value of the key column of a row, from 1. Names the run, so that results of other runs do not match. */
export function rowKey(run: string, row: number): string {
	return `${run}-${row}`;
}

/** @returns undefined if the text is no key */
export function parseRowKey(text: string): { run: string; row: number } | undefined {
	const [, run, row] = /^\s*([a-z0-9]+)-(\d{1,15})\s*$/.exec(text) ?? [];
	return run === undefined ? undefined : { run, row: Number(row) };
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

/** Reading a property is some hundred times cheaper than an expression, and nearly every column is one. */
function pathReader(properties: readonly string[], [first = '', ...more]: string[]): ItemReader {
	const property = findName(properties, first) ?? first;
	return more.length === 0
		? (_, json) => json[property]
		: (_, json) => readPath(json, [property, ...more]);
}

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
	columns: readonly RowColumn[],
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
		this.known ??= itemProperties(this.items, this.newSlice());
		return await this.known;
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
		const reader = (expression: string): ItemReader => {
			const path = expressionPath(expression);
			if (!path) batch = BATCH_OF_EXPRESSIONS;
			return path ? pathReader(known, path) : this.expressionReader(expression);
		};
		const readers = columns.map(({ expression, convert, beside = [] }): ItemReader => {
			const read = expression === undefined ? (item: number) => item + 1 : reader(expression);
			if (!convert) return read;
			const others = beside.map(reader);
			return (item, json) => convert(read(item, json), ...others.map((other) => other(item, json)));
		});
		for await (const { first, items } of this.batches(batch)) {
			yield items.map(({ json }, index) => {
				checksums?.addItem(json);
				return readRow(columns, readers, first + index, readableValues(json));
			});
		}
	}

	async *readGiven(): AsyncGenerator<Array<() => IDataObject>> {
		for await (const { items } of this.batches(BATCH))
			yield items.map(
				({ json }) =>
					(): IDataObject =>
						ownValues(json),
			);
	}

	/** Without what an earlier import added. */
	async newRejectedRows(): Promise<RejectedRows> {
		const slice = this.newSlice();
		const own = await mapInSlices(this.items, slice, ({ json }) => ({ json: ownValues(json) }));
		return new RejectedRows(await itemProperties(own, slice));
	}

	private newSlice(): TimeSlice {
		return new TimeSlice(this.functions.getExecutionCancelSignal());
	}

	private async *batches(
		size: number,
	): AsyncGenerator<{ first: number; items: readonly INodeExecutionData[] }> {
		const slice = this.newSlice();
		for (let first = 0; first < this.items.length; first += size) {
			if (slice.isOver) await slice.yield();
			yield { first, items: this.items.slice(first, first + size) };
		}
	}

	private expressionReader(expression: string): ItemReader {
		const names = namedProperties(expression);
		return (item, json) => {
			checkHidden(names, this.items[item]?.json ?? {}, json);
			return this.functions.evaluateExpression(expression.slice(1), item);
		};
	}
}

/** One row per row of a delimited file. */
export class FileRows implements ImportRows {
	readonly noun = 'row';
	readonly lineOf: SourceFile['lineOf'];

	constructor(private readonly file: SourceFile) {
		this.lineOf = file.lineOf;
	}

	/** The columns as the output has them. */
	get names(): readonly string[] {
		return this.file.names;
	}

	async properties(): Promise<readonly string[]> {
		return await Promise.resolve(this.file.columns);
	}

	unreadable(expression: string): string | undefined {
		const property = plainProperty(expression);
		if (property === undefined)
			return 'must be one column of the file, e.g. {{ $json["First Name"] }}, or a fixed value. For other expressions use Extract From File and the source Input Items.';
		const index = this.indexOf(property);
		// A property that no row has is reported for all rows alike.
		return index < 0 ? undefined : columnProblem(this.file, this.file.columns[index] ?? '');
	}

	async *read(
		columns: readonly RowColumn[],
		checksums?: RowChecksums,
	): AsyncGenerator<readonly FileRow[]> {
		const readers = columns.map(
			({ expression, convert, beside = [] }): ((row: string[], number: number) => unknown) => {
				if (expression === undefined) return (_, number) => (convert ? convert(number) : number);
				const index = this.indexOf(plainProperty(expression) ?? '');
				if (!convert) return (row) => row[index];
				const others = beside.map((other) => this.indexOf(plainProperty(other) ?? ''));
				return (row) => convert(row[index], ...others.map((other) => row[other]));
			},
		);
		let number = 0;
		const read = (row: string[] | InvalidRow): FileRow => {
			number++;
			checksums?.addRow(this.file.columns, row instanceof InvalidRow ? undefined : row);
			if (row instanceof InvalidRow) return row;
			return readers.map((readValue) => readValue(row, number));
		};
		for await (const batch of this.file.rows()) yield batch.map(read);
	}

	async *readGiven(): AsyncGenerator<Array<() => IDataObject | undefined>> {
		const { names } = this.file;
		for await (const batch of this.file.rows()) {
			yield batch.map((row) => () => {
				if (row instanceof InvalidRow) return undefined;
				return detach(Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
			});
		}
	}

	async newRejectedRows(): Promise<RejectedRows> {
		return await Promise.resolve(new RejectedRows(this.file.columns, this.file.delimiter));
	}

	private indexOf(name: string): number {
		return this.file.columns.indexOf(findName(this.file.columns, name) ?? '');
	}
}
