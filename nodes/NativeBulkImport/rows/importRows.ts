import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isBlank, joinTexts } from '../../shared/importFile/columnValues';
import { InvalidRow, invalidValue } from '../../shared/importFile/delimitedRows';
import { findName } from '../../shared/importFile/fileColumns';
import type { FileRow, Slice } from '../../shared/importFile/importFiles';
import { isRowStatus } from '../../shared/importFile/importReport';
import { type RejectedRows, stableText } from '../../shared/importFile/rejectedRows';
import { GrowingInts, mixHash } from '../../shared/importFile/samePerson';
import { LONGEST_VALUE } from '../../shared/importFile/valueKinds';
import {
	joinedExpression,
	namedProperties,
	pathExpression,
	spelledExpression,
} from './columnExpressions';

export interface RowColumn {
	name: string;
	/** What messages call it, if not by its name. */
	title?: string;
	/** Undefined for the column that the node adds itself. */
	expression: string | undefined;
	/** False for a column that is only looked at. */
	isImported?: false;
	/** Makes the value to write: the ID of a name, a date in the service's format, or the key of a row. */
	convert?: ValueConverter;
	/** Expressions of other values of the row, which `convert` can read. */
	beside?: readonly string[];
}

/** Reads one of the other values of the same row, by its place in `beside`. Most conversions need none. */
export type ReadBeside = (index: number) => unknown;

/**
 * The value to write for a value of a row. An invalid value makes its row invalid.
 * @param row its number, from 1
 */
export type ValueConverter = (value: unknown, readBeside: ReadBeside, row: number) => unknown;

/** The rows of an import: all that differs between items and the rows of a file. */
export interface ImportRows {
	noun: 'item' | 'row';
	/**
	 * Only of a file: the line of a row that was read, as spreadsheet programs number it: with the first line
	 * and empty ones, and a value with line breaks in one.
	 * @param row from 1, without the first line
	 */
	lineOf?: (row: number) => number;
	properties(): Promise<readonly string[]>;
	/** The properties of the list itself, without what an earlier import of its rows added. */
	ownProperties(): Promise<readonly string[]>;
	/** Only of a file: positions of the columns without a header, from 1. */
	readonly unnamedColumns?: readonly number[];
	/** What users should know of how the rows were read. */
	readonly notes?: readonly string[];
	/** Why these rows cannot give the expression's value; undefined if they can. */
	unreadable(expression: string): string | undefined;
	/**
	 * Values of all rows from the first one, in the order of the columns; the column without an expression gets
	 * the row number, from 1. The checksums get every row unchanged. Each row is read when it is asked for, and
	 * a batch ends with the time slice.
	 */
	read(columns: readonly RowColumn[], checksums?: RowChecksums): AsyncGenerator<Iterable<FileRow>>;
	/** Readers of all rows as they were given, in order and in such batches; undefined for a row that cannot be read. */
	readGiven(): AsyncGenerator<Iterable<() => IDataObject | undefined>>;
	/** A file for the rows to correct, still empty. */
	newRejectedRows(): Promise<RejectedRows>;
}

/** Whether the rows are those that an earlier import returned, to be corrected and imported again. */
export async function areRejected(rows: ImportRows): Promise<boolean> {
	const own = new Set(await rows.ownProperties());
	return (await rows.properties()).some((name) => !own.has(name));
}

/** No list of people has more, and comparing tens of thousands with the fields would block n8n. */
export const MOST_PROPERTIES = 2000;

/** How messages name a row: `line 17`. */
export function rowName({ noun, lineOf }: Pick<ImportRows, 'noun' | 'lineOf'>) {
	return (position: number): string =>
		lineOf ? `line ${lineOf(position + 1)}` : `${noun} ${position + 1}`;
}

/** Visits all rows of a reading with their positions from 0, and returns how many there are. */
export async function visitRows<Row>(
	batches: AsyncIterable<Iterable<Row>>,
	visit: (row: Row, position: number) => void,
): Promise<number> {
	let position = 0;
	for await (const batch of batches) for (const row of batch) visit(row, position++);
	return position;
}

/** Reads a value of a row, whose number counts from 1. */
export type Reader<R> = (row: R, number: number) => unknown;

/** The value of a row in one of several spellings of a header; a row with two values is invalid. */
function onlyValue(names: readonly string[], values: readonly unknown[]): unknown {
	const filled = names.flatMap((name, index) => {
		const value = values[index];
		return isBlank(value) ? [] : { name, value };
	});
	const [first, ...others] = filled;
	const other = others.find(({ value }) => !isEqual(value, first?.value));
	if (first && other)
		return invalidValue(
			first.name,
			`has another value than column "${other.name}", which is the same field. Keep one of them.`,
		);
	return first ? first.value : values.find((value) => (value ?? null) !== null);
}

const NO_VALUE = new InvalidRow(
	'Row',
	'has no value in any column that is imported, so the service would store a record without data. Delete it from the list.',
);

/** Makes a row invalid that has only the key of the node: it says nothing about anybody. */
export function blankRowCheck(columns: readonly RowColumn[]): (row: FileRow) => FileRow {
	const imported = [...columns.keys()].filter((index) => columns[index]?.isImported !== false);
	const mapped = imported.filter((index) => columns[index]?.expression !== undefined);
	if (mapped.length === 0 || mapped.length === imported.length) return (row) => row;
	return (row) => {
		if (row instanceof InvalidRow) return row;
		for (const index of mapped) if (!isBlank(row[index])) return row;
		return NO_VALUE;
	};
}

/** A reader whose values can be worked on in one turn of the event loop; a longer one makes its row invalid. */
function boundedReader<R>(read: Reader<R>, column: string): Reader<R> {
	return (row, number) => {
		const value = read(row, number);
		if (typeof value !== 'string' || value.length <= LONGEST_VALUE) return value;
		return invalidValue(
			column,
			`has ${value.length} characters; a value may have at most ${LONGEST_VALUE}. Shorten it.`,
		);
	};
}

export function columnReaders<R>(
	columns: readonly RowColumn[],
	readerOf: (expression: string) => Reader<R>,
): Array<Reader<R>> {
	const reader = (expression: string, column: string): Reader<R> => {
		const names = namedProperties(expression);
		const isJoined = expression === joinedExpression(names);
		const isSpelled = names.length > 1 && expression === spelledExpression(names);
		if (!isJoined && !isSpelled) return boundedReader(readerOf(expression), column);
		const readers = names.map((name) => boundedReader(readerOf(pathExpression([name])), name));
		return (row, number) => {
			const values = readers.map((read) => read(row, number));
			return isJoined ? joinTexts(values) : onlyValue(names, values);
		};
	};
	return columns.map(({ name, title = name, expression, convert, beside = [] }): Reader<R> => {
		const read =
			expression === undefined ? (_: R, number: number) => number : reader(expression, title);
		if (!convert) return read;
		const others = beside.map((each) => reader(each, title));
		let currentRow: R | undefined;
		let currentNumber = 0;
		const readBeside: ReadBeside = (index) =>
			currentRow === undefined ? undefined : others[index]?.(currentRow, currentNumber);
		if (others.length === 0) return (row, number) => convert(read(row, number), readBeside, number);
		return (row, number) => {
			currentRow = row;
			currentNumber = number;
			return convert(read(row, number), readBeside, number);
		};
	});
}

/** Reading a property is some hundred times cheaper than an expression, and nearly every column is one. */
export function pathReader(
	properties: readonly string[],
	[first = '', ...more]: readonly string[],
): Reader<IDataObject> {
	const name = findName(properties, first) ?? first;
	// What no object inherits need not be asked whether it is inherited.
	if (more.length === 0 && !(name in {})) return (json) => json[name];
	const path = [name, ...more];
	return (json) => {
		let value: unknown = json;
		for (const step of path) {
			if (value === null || typeof value !== 'object') return undefined;
			value = Object.hasOwn(value, step) ? (value as IDataObject)[step] : undefined;
		}
		return value;
	};
}

/**
 * Value of the key column of a row, from 1. Names the run, so that results of other runs do not match.
 * @param mark by which another run finds the row
 */
export function rowKey(run: string, row: number, mark?: string): string {
	return mark === undefined ? `${run}-${row}` : `${run}-${row}-${mark}`;
}

const ROW_KEY = /^\s*([a-z0-9]+)-(\d{1,15})(?:-([0-9a-f]{16}-\d{1,9}))?\s*$/;

/** @returns undefined if the text is not a key */
export function parseRowKey(
	text: string,
): { run: string; row: number; mark: string | undefined } | undefined {
	const [, run, row, mark] = ROW_KEY.exec(text) ?? [];
	return run === undefined ? undefined : { run, row: Number(row), mark };
}

/** A row's own column with the name of a field of the outcome, e.g. `status (row)`. */
const OWN = ' (row)';

/** Fields of an outcome apart from the row. */
const FIELDS = ['status', 'reason', 'primaryKey', 'importResult', 'error'];

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}

function isOutcome(value: unknown): boolean {
	const { status, jobId, outcomes } = asObject(value);
	return isRowStatus(status) && jobId !== undefined && outcomes !== undefined;
}

/** Where an earlier import puts what it adds to a row. */
export const OUTCOME_PROPERTIES = ['importResult', 'error'] as const;

/** The row as it was before an earlier import added its outcome: rejected rows are imported again. */
export function ownValues(row: IDataObject): IDataObject {
	if (row.importResult === undefined && row.error === undefined) return row;
	const earlier = asObject(row.importResult);
	const failure = asObject(row.error);
	const hasOutcome = isOutcome(earlier);
	const hasFailure = isOutcome(failure.importResult);
	if (!hasOutcome && !hasFailure) return row;
	const isAdded = (name: string): boolean => {
		if (name === 'error') return hasFailure;
		if (!hasOutcome || !FIELDS.includes(name)) return false;
		return name === 'importResult' || (row[name] ?? null) === (earlier[name] ?? null);
	};
	const own = Object.entries(row).flatMap(([name, value]): Array<[string, unknown]> => {
		if (isAdded(name)) return [];
		const field = name.endsWith(OWN) ? name.slice(0, -OWN.length) : name;
		return [[isAdded(field) ? field : name, value]];
	});
	const { error } = asObject(failure.values);
	if (hasFailure && error !== undefined) own.push(['error', error]);
	return Object.fromEntries(own) as IDataObject;
}

/**
 * An output row with its outcome, which wins over columns of the same name: those come out as
 * `status (row)`. `error` is such a name, too, because n8n takes items with it for failed.
 */
export function addOutcome(
	before: IDataObject,
	given: IDataObject,
	after: IDataObject,
): IDataObject {
	const row = ownValues(given);
	const isTaken = (name: string): boolean =>
		name === 'error' || Object.hasOwn(before, name) || Object.hasOwn(after, name);
	// To a clone of `before`, V8 would add the columns with a shape per row: 20 times slower, and 2 kB each.
	const output: IDataObject = {};
	if (!FIELDS.some((name) => isTaken(name) && Object.hasOwn(row, name)))
		return { ...output, ...before, ...row, ...after };
	const ownName = (name: string): string => {
		let own = name;
		while (isTaken(own) || (own !== name && Object.hasOwn(row, own))) own += OWN;
		return own;
	};
	const own = Object.entries(row).map(([name, value]) => [ownName(name), value]);
	return { ...output, ...before, ...(Object.fromEntries(own) as IDataObject), ...after };
}

const PRIME = 16_777_619;
const START = 0x811c9dc5;

function hashText(start: number, text: string): number {
	let hash = start;
	for (let index = 0; index < text.length; index++)
		hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
	return hash;
}

function checksumText(hash: number): string {
	return (mixHash(hash) >>> 0).toString(16).padStart(8, '0');
}

/** A longer value counts by its length and its beginning: its row is not sent. */
function valueHash(text: string): number {
	return text.length > LONGEST_VALUE
		? hashText(START, `${text.length} ${text.slice(0, LONGEST_VALUE)}`)
		: hashText(START, text);
}

/** Of the name of a column, for {@link cellHash}. */
export function nameHash(name: string): number {
	return Math.imul(hashText(START, name), 0x9e3779b1);
}

/** Of a value and the column in which it is; a row is the sum of them, so that their order does not count. */
export function cellHash(ofName: number, ofValue: number): number {
	return mixHash((ofName + ofValue) | 0);
}

const ROWS_AT_A_TIME = 10_000;

/** Short checksums of row ranges, to recognise imported rows. */
export class RowChecksums {
	private readonly rows = new GrowingInts();
	count = 0;
	/** Kept by place, with their hashes: nearly all rows have their values in one order. */
	private readonly names: string[] = [];
	private readonly nameHashes: number[] = [];
	/** The values of the row that was added last, with their hashes. */
	private readonly texts: string[] = [];
	private readonly hashes: number[] = [];

	/**
	 * Every value counts, except blank ones; their order does not.
	 * @param values undefined if the row cannot be read
	 */
	addRow(names: readonly string[], values: readonly unknown[] = []): void {
		let hash = 0;
		for (let index = 0; index < names.length; index++)
			hash = (hash + this.cell(names[index] ?? '', index, values[index])) | 0;
		this.addHash(hash);
	}

	/** The same for the values of an object, of which no list has to be made. */
	addValues(values: IDataObject): void {
		let hash = 0;
		let place = 0;
		for (const name in values) {
			// All objects of a list inherit the same names: one in its usual place was asked about before.
			if (this.names[place] !== name && !Object.hasOwn(values, name)) continue;
			hash = (hash + this.cell(name, place++, values[name])) | 0;
		}
		this.addHash(hash);
	}

	/** A row whose hash is known. */
	addHash(hash: number): void {
		this.rows.set(this.count++, hash);
	}

	/** Where the values of a column are; -1 if no row had it. */
	placeOf(name: string): number {
		return this.names.indexOf(name);
	}

	nameAt(place: number): string | undefined {
		return this.names[place];
	}

	/** The hash of a text. @param place where the row that was added last probably has it */
	hashOf(text: string, place: number): number {
		return this.texts[place] === text ? (this.hashes[place] ?? 0) : valueHash(text);
	}

	/** Of one row, by position; 0 if it has no values. */
	at(row: number): number {
		return this.rows.get(row);
	}

	/** Rows `first` to before `end`, and what they have in common, as eight hexadecimal digits. */
	async of(first: number, end: number, slice: Slice, common = ''): Promise<string> {
		const last = Math.min(end, this.count);
		let hash = hashText(START, common);
		for (let row = first; row < last; row++) {
			// A look at the clock for each row would take most of the time.
			if (row % ROWS_AT_A_TIME === 0 && slice.isOver) await slice.yield();
			hash = Math.imul(hash ^ this.rows.get(row), PRIME) + row;
		}
		return checksumText(hash);
	}

	private cell(name: string, place: number, value: unknown): number {
		const text = stableText(value);
		if (text === '') return 0;
		if (this.names[place] !== name) {
			this.names[place] = name;
			this.nameHashes[place] = nameHash(name);
		}
		const hash = valueHash(text);
		this.texts[place] = text;
		this.hashes[place] = hash;
		return cellHash(this.nameHashes[place] ?? 0, hash);
	}
}

/** Of rows in any order, by the sum of their hashes. */
export function anyOrderChecksum(sum: number, count: number): string {
	return checksumText(hashText(sum | 0, String(count)));
}

/** The hash of one text, as eight hexadecimal digits. */
export function textChecksum(text: string): string {
	return checksumText(hashText(START, text));
}
