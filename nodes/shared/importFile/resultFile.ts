import { isItemColumn } from '../service/importJobFile';
import { CARRIAGE_RETURN, LINE_FEED, readRecords, UnreadableText } from './delimitedText';
import { distinctNames, simplifyName } from './fileColumns';

export interface ResultRow {
	/** Row number in the imported file, from 1; null if the file does not say. */
	row: number | null;
	/** ID of the record the row was imported into; null if there is none. */
	primaryKey: number | string | null;
	primaryKeyType: string | null;
	/** The columns requested with columnsToIncludeInResultsFile. */
	columns: Record<string, string>;
	/** Outcome of the row by mapping type, as the file labels it. */
	outcomes: Record<string, string>;
	/** Whether the service reports that the row was imported, and no mapping type failed. */
	succeeded: boolean;
}

type NamedColumns = ReadonlyArray<readonly [name: string, index: number]>;

interface ResultLayout {
	row: number;
	primaryKey: number;
	primaryKeyType: number;
	included: NamedColumns;
	outcomes: NamedColumns;
}

const FIXED_COLUMNS = ['bulkuploaddataid', 'ulfileid', 'primarykey', 'primarykeytype'];

/** Far more than a job can ask for; to name tens of thousands would stop n8n. */
const MOST_COLUMNS = 2000;

export class NotAResultFile extends Error {
	constructor(readonly firstLine: string) {
		super('The file does not begin with the columns of a result file.');
		this.name = 'NotAResultFile';
	}
}

/**
 * Which column holds what. After the fixed columns come the requested ones, then one per mapping type
 * (service.md 2.8). A file does not mark where these begin, and they can have any label. So every column
 * counts as an outcome unless it is known to be requested: a value read as an outcome only hides a success,
 * an outcome read as a value would hide a rejection. A requested name counts once, because a mapping type
 * may have the same label.
 * Throws {@link NotAResultFile} if none holds the primary key, or there are too many.
 * @param labels of all mapping types, if known: a file with all of them has no other outcomes
 */
export function resultLayout(
	header: string[],
	includedColumns: readonly string[],
	labels: readonly string[] = [],
): ResultLayout {
	const names = header.slice(0, MOST_COLUMNS).map((name) => name.trim());
	const simple = names.map(simplifyName);
	const fixed = FIXED_COLUMNS.map((name) => simple.indexOf(name));
	const [row = -1, , primaryKey = -1, primaryKeyType = -1] = fixed;
	if (primaryKey < 0 || header.length > MOST_COLUMNS)
		throw new NotAResultFile(header.join(',').slice(0, 200));
	const free = [...names.keys()].filter((index) => !fixed.includes(index));
	/** The first column of each name; -1 if there is none. */
	const find = (among: readonly number[], wanted: readonly string[]): number[] =>
		wanted.map(simplifyName).map((name) => among.find((index) => simple[index] === name) ?? -1);
	const asked = new Set(find(free, includedColumns));
	const [first = -1] = free;
	// "Import Items" requests nothing else, so its own column is the first.
	if (isItemColumn(names[first] ?? '')) asked.add(first);
	const rest = free.filter((index) => !asked.has(index));
	const labelled = find(rest, labels);
	if (labels.length > 0 && !labelled.includes(-1))
		for (const index of rest) if (!labelled.includes(index)) asked.add(index);
	// Distinct names keep every value and every outcome of a repeated label.
	const named = (columns: readonly number[]): NamedColumns => {
		const distinct = distinctNames(columns.map((index) => names[index] ?? ''));
		return columns.map((index, position) => [distinct[position] ?? '', index]);
	};
	return {
		row,
		primaryKey,
		primaryKeyType,
		included: named(free.filter((index) => asked.has(index))),
		outcomes: named(free.filter((index) => !asked.has(index))),
	};
}

export function isProcessed(outcome: string): boolean {
	return outcome === 'Processed' || /^processed\.?$/i.test(outcome);
}

/** Whether the service processed the mapping, or it did not apply to the row. */
export function isSuccessOutcome(outcome: string): boolean {
	return outcome === '' || isProcessed(outcome);
}

/** What the service says against a row, by mapping type. */
export function complaintsIn(outcomes: ResultRow['outcomes']): Array<[string, string]> {
	return Object.entries(outcomes).filter(([, text]) => !isSuccessOutcome(text));
}

/** Without a complaint and without "Processed", the outcome of a row is unknown. */
export function statusOf({ succeeded, outcomes }: ResultRow): 'imported' | 'failed' | 'missing' {
	if (succeeded) return 'imported';
	return complaintsIn(outcomes).length > 0 ? 'failed' : 'missing';
}

/** What two mentions of a row say: for each mapping type, a rejection wins. */
export function mergeOutcomes(
	before: ResultRow['outcomes'],
	now: ResultRow['outcomes'],
): ResultRow['outcomes'] {
	const outcomes = { ...before };
	for (const [mappingType, text] of Object.entries(now)) {
		const known = Object.hasOwn(before, mappingType) ? (before[mappingType] ?? '') : '';
		if (isSuccessOutcome(known)) outcomes[mappingType] = text || known;
	}
	return outcomes;
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
		outcomes[name] = outcome ?? '';
		isAnyProcessed ||= processed;
		isEachGood &&= processed || outcome === '';
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

/** Whether a last line is cut: columns are missing, or its last value could become "Processed". */
function isCut(record: string[], columns: number): boolean {
	const last = record.at(-1)?.replace(/^"/, '').toLowerCase() ?? '';
	const isBegun = last !== '' && last !== 'processed' && 'processed'.startsWith(last);
	return record.length < columns || isBegun;
}

/**
 * The rows of a result file (service.md 2.8) in batches.
 * Throws {@link NotAResultFile} if its first line names no primary key, and UnreadableText if it is not text
 * or, after its complete rows, if it ends within a line.
 */
export async function* readResultRows(
	chunks: AsyncIterable<Uint8Array>,
	includedColumns: readonly string[],
	labels?: readonly string[],
): AsyncGenerator<ResultRow[]> {
	let lastByte = LINE_FEED;
	async function* watchEnd(): AsyncGenerator<Uint8Array> {
		for await (const chunk of chunks) {
			// The last character of UTF-16 may end with a zero.
			lastByte = chunk.findLast((byte) => byte !== 0) ?? lastByte;
			yield chunk;
		}
	}
	let layout: ResultLayout | undefined;
	let columns = 0;
	/** Known to be complete only when more follows. */
	let last: string[] | undefined;
	for await (const records of readRecords(watchEnd(), false)) {
		const rows: ResultRow[] = [];
		for (const record of records) {
			if (record.length === 0) continue;
			if (layout) {
				if (last) rows.push(resultRow(layout, last));
				last = record;
			} else {
				layout = resultLayout(record, includedColumns, labels);
				columns = record.length;
			}
		}
		yield rows;
	}
	if (!layout) throw new NotAResultFile('');
	const endsInLine = lastByte !== LINE_FEED && lastByte !== CARRIAGE_RETURN;
	if (endsInLine && (!last || isCut(last, columns))) {
		throw new UnreadableText(
			`ends within its ${last ? 'last' : 'first'} line`,
			'Read the results again later.',
		);
	}
	// An empty value at the end may be the beginning of any outcome.
	if (endsInLine && last?.at(-1) === '') last.pop();
	if (last) yield [resultRow(layout, last)];
}
