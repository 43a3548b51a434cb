import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mapInSlices, TimeSlice } from '../../../shared/execution/timeSlice';
import { joinTexts } from '../../../shared/importFile/columnValues';
import {
	type DelimitedFormat,
	InvalidRow,
	lineWriter,
} from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import { RejectedRows } from '../../../shared/importFile/rejectedRows';
import { findName } from '../../../shared/importFile/fileColumns';
import { messageOf } from '../../../shared/service/serviceErrors';
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
	/**
	 * Only of a file: the line of a row that was read, as spreadsheet programs number it: with the first line
	 * and empty ones, and a value with line breaks in one.
	 * @param row from 1, without the first line
	 */
	lineOf?: (row: number) => number;
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

/** No list of people has more; comparing tens of thousands with the fields would stop n8n. */
export const MOST_PROPERTIES = 2000;

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

function stepName([, dotted, doubleQuoted, singleQuoted, index]: RegExpMatchArray): string {
	const name = dotted ?? singleQuoted ?? index;
	return name ?? (doubleQuoted === undefined ? '' : (JSON.parse(doubleQuoted) as string));
}

/**
 * The path of an expression such as `={{ $json.address["city"] }}`, which needs no expression engine.
 * Undefined for all other expressions.
 */
export function expressionPath(expression: string): string[] | undefined {
	const path = PATH.exec(expression)?.[1];
	return path === undefined ? undefined : [...path.matchAll(new RegExp(STEP, 'g'))].map(stepName);
}

/** The expression of a path. */
export function pathExpression(path: readonly string[]): string {
	return `={{ $json${path.map((step) => `[${JSON.stringify(step)}]`).join('')} }}`;
}

/** The property, if the expression only names one. */
export function plainProperty(expression: string): string | undefined {
	const path = expressionPath(expression);
	return path?.length === 1 ? path[0] : undefined;
}

/** The properties that an expression reads, as far as its text shows. */
export function namedProperties(expression: string): string[] {
	return [...expression.matchAll(new RegExp(String.raw`\$json(?:${STEP})`, 'g'))].map(stepName);
}

/** Stands for the values of some properties one after the other, which n8n need not evaluate: see {@link joinTexts}. */
export function joinedExpression(properties: readonly string[]): string {
	const values = properties.map((name) => `$json[${JSON.stringify(name)}]`).join(', ');
	return `={{ [${values}].join(" ") /* as one line */ }}`;
}

/** The properties, if an expression only puts them together. */
export function joinedProperties(expression: string): string[] | undefined {
	const names = namedProperties(expression);
	return expression === joinedExpression(names) ? names : undefined;
}

/** What people call the column or columns of an expression: `House Number + Street Name`. */
export function columnTitle(expression: string): string | undefined {
	return plainProperty(expression) ?? joinedProperties(expression)?.join(' + ');
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

/** Reads a value of a row. */
type Reader<R> = (row: R, number: number) => unknown;

/**
 * The readers of the columns.
 * @param readerOf the reader of an expression
 */
export function columnReaders<R>(
	columns: readonly RowColumn[],
	readerOf: (expression: string) => Reader<R>,
): Array<Reader<R>> {
	const reader = (expression: string): Reader<R> => {
		const joined = joinedProperties(expression)?.map((name) => readerOf(pathExpression([name])));
		return joined
			? (row, number) => joinTexts(joined.map((read) => read(row, number)))
			: readerOf(expression);
	};
	return columns.map(({ expression, convert, beside = [] }): Reader<R> => {
		const read = expression === undefined ? (_: R, number: number) => number : reader(expression);
		if (!convert) return read;
		const others = beside.map(reader);
		return (row, number) =>
			convert(read(row, number), ...others.map((other) => other(row, number)));
	});
}

/** Reading a property is some hundred times cheaper than an expression, and nearly every column is one. */
function pathReader(
	properties: readonly string[],
	[first = '', ...more]: readonly string[],
): Reader<IDataObject> {
	const path = [findName(properties, first) ?? first, ...more];
	return (json) => {
		let value: unknown = json;
		for (const step of path) {
			if (value === null || typeof value !== 'object') return undefined;
			value = Object.hasOwn(value, step) ? (value as IDataObject)[step] : undefined;
		}
		return value;
	};
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
		return new InvalidRow(
			`Column "${columns[column]?.name ?? ''}"`,
			`cannot be filled in: ${messageOf(error).replace(/\.$/, '')}.`,
		);
	}
}

/** All properties of the items, in order of first appearance. */
async function itemProperties(
	items: ReadonlyArray<Pick<INodeExecutionData, 'json'>>,
	slice: TimeSlice,
): Promise<string[]> {
	const properties = new Set<string>();
	for (const { json } of items) {
		if (slice.isOver) await slice.yield();
		for (const property in json) properties.add(property);
	}
	return [...properties];
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
		const readers = columnReaders(columns, (expression) => {
			const path = expressionPath(expression);
			if (path) return pathReader(known, path);
			batch = BATCH_OF_EXPRESSIONS;
			return this.expressionReader(expression);
		});
		for await (const { first, items } of this.batches(batch)) {
			yield items.map(({ json }, index) => {
				checksums?.addItem(json);
				return readRow(columns, readers, readableValues(json), first + index + 1);
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

	private expressionReader(expression: string): Reader<IDataObject> {
		const names = namedProperties(expression);
		return (json, number) => {
			checkHidden(names, this.items[number - 1]?.json ?? {}, json);
			return this.functions.evaluateExpression(expression.slice(1), number - 1);
		};
	}
}
