import { isItemColumn } from '../service/importJob';
import { UnreadableText } from './decodeText';
import { readRecords } from './delimitedText';

/** One row of a result file: service.md 2.8. */
export interface ResultRow {
	/** Number of the row in the imported file, from 1; null if the file does not say. */
	row: number | null;
	/** Identifier of the record the row went into; null if there is none. */
	primaryKey: number | string | null;
	/** What kind of identifier it is, e.g. `NativeID`. */
	primaryKeyType: string | null;
	/** The columns that were asked for with columnsToIncludeInResultsFile. */
	columns: Record<string, string>;
	/** What the service says of the row, by mapping type as the file labels it. */
	outcomes: Record<string, string>;
	/** Whether the service says that the row went in, and complains about no mapping type. */
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

/** The positions of the given names, each where it first appears, in any casing; -1 if it does not. */
function firstPositions(header: string[], names: readonly string[]): number[] {
	const lowered = header.map((name) => name.toLowerCase());
	return names.map((name) => lowered.indexOf(name.toLowerCase()));
}

/** Names that differ, so that one outcome does not replace another with the same label. */
function distinct(columns: Array<readonly [string, number]>): Array<readonly [string, number]> {
	const counts = new Map<string, number>();
	return columns.map(([name, index]) => {
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return [count === 1 ? name : `${name} (${count})`, index];
	});
}

/**
 * Tells the columns of a result file apart.
 *
 * After the fixed columns come those that were asked for, then one per mapping type (service.md 2.8).
 * Nothing in a file says where the mapping types begin, since they can have any label. So every column
 * is one unless it is known that it was asked for: a value taken for an outcome only hides a success, an
 * outcome taken for a value would hide that the service refused the row. A name counts once, because a
 * mapping type may be labelled like a column before it.
 * @param header names in the first line
 * @param includedColumns names asked for with columnsToIncludeInResultsFile, as far as they are known
 * @param labels of all mapping types, if they are known: a file that has each of them has no other outcomes
 */
export function resultLayout(
	header: string[],
	includedColumns: readonly string[],
	labels: readonly string[] = [],
): ResultLayout {
	const names = header.map((name) => name.trim());
	const fixed = firstPositions(names, FIXED_COLUMNS);
	const [row = -1, , primaryKey = -1, primaryKeyType = -1] = fixed;
	const free = names.flatMap((name, index) =>
		fixed.includes(index) ? [] : [[name, index] as const],
	);
	const freeNames = free.map(([name]) => name);
	const asked = new Set(firstPositions(freeNames, includedColumns));
	// "Import Items" asks for nothing else, so its own column is the first one.
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
		included: free.filter((_, position) => asked.has(position)),
		outcomes: distinct(free.filter((_, position) => !asked.has(position))),
	};
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NOT_APPLIED = '';

function isProcessed(outcome: string): boolean {
	return outcome === 'Processed' || /^processed\.?$/i.test(outcome);
}

/** An outcome that is no complaint: the service processed the mapping, or it did not apply to the row. */
export function isGood(outcome: string): boolean {
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

/** Reads one record of a result file. A million of them are read in a row, so no list is made on the way. */
export function resultRow(layout: ResultLayout, record: string[]): ResultRow {
	const row = asKey(cell(record, layout.row));
	const columns: Record<string, string> = {};
	for (const [name, index] of layout.included) columns[name] = record[index] ?? '';
	const outcomes: Record<string, string> = {};
	// A row of which nothing is said, or that is cut short, is not known to have gone in.
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

/** The file is not a result file. */
export class NotAResultFile extends Error {
	constructor(readonly firstLine: string) {
		super('The file does not begin with the columns of a result file.');
		this.name = 'NotAResultFile';
	}
}

/**
 * The rows of a result file that arrives in pieces, in batches.
 * Throws {@link NotAResultFile} when the file is empty or its first line does not name a primary key,
 * UnreadableText when it is no text or ends within its first line.
 */
export async function* readResultRows(
	chunks: AsyncIterable<Uint8Array>,
	includedColumns: readonly string[],
	labels?: readonly string[],
): AsyncGenerator<ResultRow[]> {
	let layout: ResultLayout | undefined;
	let hasLineEnd = false;
	async function* watched(): AsyncGenerator<Uint8Array> {
		for await (const chunk of chunks) {
			hasLineEnd ||= chunk.includes(LINE_FEED) || chunk.includes(CARRIAGE_RETURN);
			yield chunk;
		}
	}
	for await (const records of readRecords(watched())) {
		let rows = records;
		if (!layout) {
			const [header = [], ...rest] = records;
			layout = resultLayout(header, includedColumns, labels);
			if (layout.primaryKey < 0) throw new NotAResultFile(header.join(',').slice(0, 200));
			rows = rest;
		}
		const known = layout;
		yield rows.map((record) => resultRow(known, record));
	}
	if (!layout) throw new NotAResultFile('');
	if (!hasLineEnd) {
		throw new UnreadableText('ends within its first line', 'Read the results again later.');
	}
}
