import { InvalidRow } from '../../../shared/importFile/delimitedRows';
import type { FileRow } from '../../../shared/importFile/importFiles';
import type { RowColumn } from '../../rows/importRows';
import type { ColumnCounts } from '../mapping/columnCounts';
import {
	type FoundRows,
	type InvalidRows,
	isInService,
	leftOutBy,
	type RowJudge,
	type RowVisitor,
} from '../model';

/** A reader of its own columns, and where these are in a row that is read. */
interface OwnPlace<Reader> {
	reader: Reader;
	from: number;
	to: number;
	/** Values of the row that is read. Reused, because new lists for each row would take most of the time. */
	values: unknown[];
}

/** Places the own columns of all readers one after the other. */
function placeColumns<Reader extends { columns?: readonly RowColumn[] }>(
	readers: readonly Reader[],
	start: number,
): Array<OwnPlace<Reader>> {
	let to = start;
	return readers.map((reader) => {
		const from = to;
		to += reader.columns?.length ?? 0;
		return { reader, from, to, values: [] };
	});
}

const NO_VALUES: readonly unknown[] = [];

/** The values of the own columns, valid until the next row. */
function ownOf(row: FileRow, { from, to, values }: OwnPlace<unknown>): readonly unknown[] {
	if (row instanceof InvalidRow) return NO_VALUES;
	for (let index = from; index < to; index++) values[index - from] = row[index];
	return values;
}

/** What is known of the rows of a reading, and what their files have. */
interface RowsOfReading {
	/** A row as its file has it. */
	rowOfFile: (row: FileRow, position: number) => FileRow;
	/** Counts the rows that are sent. */
	counts: ColumnCounts;
	/** Why rows are in no file; those that cannot be written are added meanwhile. */
	invalid: InvalidRows;
	/** What leaves rows out; undefined if nothing does. */
	found: readonly FoundRows[] | undefined;
}

/**
 * The rows of a reading as their files get them. Each is visited when the next one is asked for: only then is it
 * known whether it can be written. A generator would be resumed for each row, which takes longer than most visits.
 */
export class VisitedRows implements IterableIterator<FileRow> {
	/** What the judges and the visitors read, behind the columns of the files. */
	readonly columns: readonly RowColumn[];
	private readonly judges: ReadonlyArray<OwnPlace<RowJudge>>;
	private readonly visits: ReadonlyArray<OwnPlace<RowVisitor>>;
	private batch: Iterator<FileRow> = [][Symbol.iterator]();
	/** The row that is not visited yet. */
	private last: FileRow | undefined;
	private position = 0;

	/** @param columns of the files: how many there are */
	constructor(
		columns: number,
		judges: readonly RowJudge[],
		visitors: readonly RowVisitor[],
		private readonly rows: RowsOfReading,
	) {
		this.judges = placeColumns(judges, columns);
		this.visits = placeColumns(visitors, this.judges.at(-1)?.to ?? columns);
		this.columns = [...this.judges, ...this.visits]
			.flatMap(({ reader }) => reader.columns ?? [])
			.map((column) => ({ ...column, isImported: false as const }));
	}

	/** The rows of the next batch. */
	begin(batch: Iterable<FileRow>): this {
		this.batch = batch[Symbol.iterator]();
		return this;
	}

	[Symbol.iterator](): this {
		return this;
	}

	next(): IteratorResult<FileRow, undefined> {
		if (this.last !== undefined) this.visit(this.last);
		this.last = undefined;
		const { done, value } = this.batch.next();
		if (done) return { done: true, value: undefined };
		this.last = this.judged(value);
		return { done: false, value: this.rows.rowOfFile(this.last, this.position) };
	}

	private judged(row: FileRow): FileRow {
		if (row instanceof InvalidRow) return row;
		for (const place of this.judges) {
			const problem = place.reader.judge(row, ownOf(row, place));
			if (problem) return problem;
		}
		return row;
	}

	private visit(row: FileRow): void {
		const { position } = this;
		const { invalid, found, counts } = this.rows;
		const problem = invalid.get(position);
		// What the list has, not only what has changed in it.
		const leftOut = found && leftOutBy(found, position)?.leftOut;
		if (!problem && (!leftOut || isInService(leftOut.status))) counts.add(row);
		for (const place of this.visits)
			place.reader.visit(problem ?? row, position, ownOf(row, place));
		this.position++;
	}
}
