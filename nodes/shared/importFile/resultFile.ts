import { isItemColumn } from '../service/importJobFile';
import { UnreadableText } from './decodeText';
import { readRecords } from './delimitedText';
import { distinctNames, simplifyName } from './fileColumns';

/** One row of a result file: service.md 2.8. */
export interface ResultRow {
	/** Row number in the imported file, from 1; null if the file does not say. */
	row: number | null;
	/** ID of the record the row was imported into; null if there is none. */
	primaryKey: number | string | null;
	/** Kind of ID, e.g. `NativeID`. */
	primaryKeyType: string | null;
	/** The columns requested with columnsToIncludeInResultsFile. */
	columns: Record<string, string>;
	/** Outcome of the row by mapping type, as the file labels it. */
	outcomes: Record<string, string>;
	/** Whether the service reports that the row was imported, and no mapping type failed. */
	succeeded: boolean;
}

/** Which column of a result file holds what. */
interface ResultLayout {
	row: number;
	primaryKey: number;
	primaryKeyType: number;
	included: ReadonlyArray<readonly [name: string, index: number]>;
	outcomes: ReadonlyArray<readonly [name: string, index: number]>;
}

const FIXED_COLUMNS = ['bulkuploaddataid', 'ulfileid', 'primarykey', 'primarykeytype'];

/** Far more than a job can ask for; to name tens of thousands would stop n8n. */
const MOST_COLUMNS = 2000;

/** The first position of each name; -1 if it is missing. Names have only letters and digits (service.md 2.1). */
function firstPositions(header: string[], names: readonly string[]): number[] {
	const simple = header.map(simplifyName);
	return names.map((name) => simple.indexOf(simplifyName(name)));
}

/** Makes names unique, to keep every value and every outcome of a repeated label. */
function distinct(columns: Array<readonly [string, number]>): Array<readonly [string, number]> {
	const names = distinctNames(columns.map(([name]) => name));
	return columns.map(([name, index], position) => [names[position] ?? name, index]);
}

export class NotAResultFile extends Error {
	constructor(readonly firstLine: string) {
		super('The file does not begin with the columns of a result file.');
		this.name = 'NotAResultFile';
	}
}

/**
 * Identifies the columns of a result file.
 *
 * After the fixed columns come the requested ones, then one per mapping type (service.md 2.8). A file
 * does not mark where the mapping types begin, and they can have any label. So every column counts as
 * an outcome unless it is known to be requested: a value read as an outcome only hides a success, an
 * outcome read as a value would hide a rejection. A requested name counts once, because a mapping type
 * may have the same label.
 * Throws {@link NotAResultFile} if none holds the primary key, or there are too many.
 * @param header names in the first line
 * @param includedColumns names requested with columnsToIncludeInResultsFile, as far as known
 * @param labels of all mapping types, if known: a file with all of them has no other outcomes
 */
export function resultLayout(
	header: string[],
	includedColumns: readonly string[],
	labels: readonly string[] = [],
): ResultLayout {
	const names = header.slice(0, MOST_COLUMNS).map((name) => name.trim());
	const fixed = firstPositions(names, FIXED_COLUMNS);
	const [row = -1, , primaryKey = -1, primaryKeyType = -1] = fixed;
	if (primaryKey < 0 || header.length > MOST_COLUMNS)
		throw new NotAResultFile(header.join(',').slice(0, 200));
	const free = names.flatMap((name, index) =>
		fixed.includes(index) ? [] : [[name, index] as const],
	);
	const freeNames = free.map(([name]) => name);
	const asked = new Set(firstPositions(freeNames, includedColumns));
	// "Import Items" requests nothing else, so its own column is the first.
	if (isItemColumn(freeNames[0] ?? '')) asked.add(0);
	const rest = freeNames.map((name, position) => (asked.has(position) ? '' : name));
	const labelled = firstPositions(rest, labels);
	if (labels.length > 0 && !labelled.includes(-1)) {
		rest.forEach((_, position) => {
			if (!labelled.includes(position)) asked.add(position);
		});
	}
	return {
		row,
		primaryKey,
		primaryKeyType,
		included: distinct(free.filter((_, position) => asked.has(position))),
		outcomes: distinct(free.filter((_, position) => !asked.has(position))),
	};
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NOT_APPLIED = '';

/** Whether the service processed the mapping. */
export function isProcessed(outcome: string): boolean {
	return outcome === 'Processed' || /^processed\.?$/i.test(outcome);
}

/** Whether the service processed the mapping, or it did not apply to the row. */
export function isSuccessOutcome(outcome: string): boolean {
	return outcome === NOT_APPLIED || isProcessed(outcome);
}

function asKey(text: string | undefined): number | string | null {
	if (text === undefined || text === '') return null;
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

function cell(record: string[], index: number): string | undefined {
	return record[index]?.trim();
}

/** Reads one record of a result file. Builds no list: it runs a million times in a row. */
export function resultRow(layout: ResultLayout, record: string[]): ResultRow {
	const row = asKey(cell(record, layout.row));
	const columns: Record<string, string> = {};
	for (const [name, index] of layout.included) columns[name] = record[index] ?? '';
	const outcomes: Record<string, string> = {};
	// A row without outcomes or cut short is not known to be imported.
	let isEachGood = true;
	let isAnyProcessed = false;
	for (const [name, index] of layout.outcomes) {
		const outcome = cell(record, index);
		const processed = outcome !== undefined && isProcessed(outcome);
		outcomes[name] = outcome ?? NOT_APPLIED;
		isAnyProcessed ||= processed;
		isEachGood &&= processed || outcome === NOT_APPLIED;
	}
	return {
		row: typeof row === 'number' ? row : null,
		primaryKey: asKey(cell(record, layout.primaryKey)),
		primaryKeyType: cell(record, layout.primaryKeyType) || null,
		columns,
		outcomes,
		succeeded: isEachGood && isAnyProcessed,
	};
}

/**
 * Whether the last record of a file without a final line end is cut: columns are missing, or its last value
 * could become "Processed".
 */
function isCut(record: string[], columns: number): boolean {
	const last = record.at(-1)?.replace(/^"/, '').toLowerCase() ?? '';
	const isBegun = last !== '' && last !== 'processed' && 'processed'.startsWith(last);
	return record.length < columns || isBegun;
}

/**
 * The rows of a result file that arrives in chunks, in batches.
 * Throws {@link NotAResultFile} if the file is empty or its first line names no primary key, and
 * UnreadableText if it is not text or, after its complete rows, if it ends within a line.
 */
export async function* readResultRows(
	chunks: AsyncIterable<Uint8Array>,
	includedColumns: readonly string[],
	labels?: readonly string[],
): AsyncGenerator<ResultRow[]> {
	let layout: ResultLayout | undefined;
	let columns = 0;
	let hasLineEnd = false;
	let lastByte: number | undefined;
	/** Known to be complete only when more follows. */
	let last: string[] | undefined;
	async function* watchLineEnds(): AsyncGenerator<Uint8Array> {
		for await (const chunk of chunks) {
			hasLineEnd ||= chunk.includes(LINE_FEED) || chunk.includes(CARRIAGE_RETURN);
			// The last character of UTF-16 may end with a zero.
			lastByte = chunk.findLast((byte) => byte !== 0) ?? lastByte;
			yield chunk;
		}
	}
	for await (const lines of readRecords(watchLineEnds(), false)) {
		const records = lines.filter(({ length }) => length > 0);
		if (records.length === 0) continue;
		let rows = last ? [last, ...records] : records;
		if (!layout) {
			const [header = [], ...rest] = records;
			layout = resultLayout(header, includedColumns, labels);
			columns = header.length;
			rows = rest;
		}
		last = rows.pop();
		const known = layout;
		yield rows.map((record) => resultRow(known, record));
	}
	if (!layout) throw new NotAResultFile('');
	const endsInLine = lastByte !== LINE_FEED && lastByte !== CARRIAGE_RETURN;
	if (!hasLineEnd || (last && endsInLine && isCut(last, columns))) {
		throw new UnreadableText(
			`ends within its ${hasLineEnd ? 'last' : 'first'} line`,
			'Read the results again later.',
		);
	}
	// An empty value at the end may be the beginning of any outcome.
	if (endsInLine && last?.at(-1) === '') last.pop();
	if (last) yield [resultRow(layout, last)];
}
