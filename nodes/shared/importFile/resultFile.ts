import { readRecords } from './delimitedText';

/** One row of a result file: service-facts 2.3. */
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
	/** Whether every mapping type went in. */
	succeeded: boolean;
}

/** Which column of a result file holds what. */
export interface ResultLayout {
	row: number;
	primaryKey: number;
	primaryKeyType: number;
	included: ReadonlyArray<readonly [name: string, index: number]>;
	outcomes: ReadonlyArray<readonly [name: string, index: number]>;
}

const FIXED_COLUMNS = ['bulkuploaddataid', 'ulfileid', 'primarykey', 'primarykeytype'];

/** A mapping type's default label: its name and a number, e.g. `Phones_1834`. */
const DEFAULT_LABEL = /^[A-Za-z]+_\d+$/;

/**
 * Tells the columns of a result file apart.
 *
 * After the fixed columns come those that were asked for, then one per mapping type. Where the asked
 * ones are not known, the first column with a default label begins the mapping types; if there is no
 * such label, the last column is one, because every job has at least one mapping type.
 * @param header names in the first line
 * @param includedColumns names asked for with columnsToIncludeInResultsFile; undefined if not known
 */
export function resultLayout(
	header: string[],
	includedColumns: string[] | undefined,
): ResultLayout {
	const names = header.map((name) => name.trim());
	const fixed = names.map((name) => FIXED_COLUMNS.indexOf(name.toLowerCase()));
	const free = names.flatMap((name, index) =>
		fixed[index] === -1 ? [[name, index] as const] : [],
	);
	const asked = includedColumns?.map((name) => name.toLowerCase());
	const firstLabel = free.findIndex(([name]) => DEFAULT_LABEL.test(name));
	const firstOutcome = firstLabel === -1 ? free.length - 1 : firstLabel;
	const isIncluded = (name: string, position: number): boolean =>
		asked ? asked.includes(name.toLowerCase()) : position < firstOutcome;
	return {
		row: fixed.indexOf(0),
		primaryKey: fixed.indexOf(2),
		primaryKeyType: fixed.indexOf(3),
		included: free.filter(([name], position) => isIncluded(name, position)),
		outcomes: free.filter(([name], position) => !isIncluded(name, position)),
	};
}

/** An outcome that is no complaint: the service processed the mapping, or it did not apply to the row. */
export function isGood(outcome: string): boolean {
	return outcome === '' || /^processed\.?$/i.test(outcome);
}

function asKey(text: string | undefined): number | string | null {
	if (text === undefined || text === '') return null;
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/** Reads one record of a result file. */
export function resultRow(layout: ResultLayout, record: string[]): ResultRow {
	const cell = (index: number): string | undefined =>
		index < 0 ? undefined : record[index]?.trim();
	const row = asKey(cell(layout.row));
	const outcomes = Object.fromEntries(
		layout.outcomes.map(([name, index]) => [name, cell(index) ?? '']),
	);
	return {
		row: typeof row === 'number' ? row : null,
		primaryKey: asKey(cell(layout.primaryKey)),
		primaryKeyType: cell(layout.primaryKeyType) || null,
		columns: Object.fromEntries(
			layout.included.map(([name, index]) => [name, record[index] ?? '']),
		),
		outcomes,
		succeeded: Object.values(outcomes).every(isGood),
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
 * Throws {@link NotAResultFile} when the file is empty or its first line does not name a primary key.
 */
export async function* readResultRows(
	chunks: AsyncIterable<Uint8Array>,
	includedColumns: string[] | undefined,
): AsyncGenerator<ResultRow[]> {
	let layout: ResultLayout | undefined;
	for await (const records of readRecords(chunks)) {
		let rows = records;
		if (!layout) {
			const [header = [], ...rest] = records;
			layout = resultLayout(header, includedColumns);
			if (layout.primaryKey < 0) throw new NotAResultFile(header.join(',').slice(0, 200));
			rows = rest;
		}
		const known = layout;
		yield rows.map((record) => resultRow(known, record));
	}
	if (!layout) throw new NotAResultFile('');
}
