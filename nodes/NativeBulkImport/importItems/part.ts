import type { InvalidRow } from '../../shared/importFile/delimitedRows';

/** Why rows are in no file, by their position from 0. */
export type InvalidRows = Map<number, InvalidRow>;

/** The rows of one file by position: the valid ones from `first` to before `end`. */
export interface RowRange {
	first: number;
	end: number;
	/** Number of valid rows. */
	rows: number;
	/** RowChecksums of all rows, invalid ones included. Empty if unknown. */
	checksum: string;
}

/** The rows from a position on that cannot be read. */
export function rangeFrom(first: number): RowRange {
	return { first, end: Number.POSITIVE_INFINITY, rows: 0, checksum: '' };
}

/** The rows of a file that this run writes. */
export interface WrittenRange extends RowRange {
	/** Checksum of what the import does with the valid rows. Empty without a Run Key. */
	written: string;
}

/** A file of the import before its job is started. */
export type BuiltPart = WrittenRange & { zip: Buffer };

/** Why the rows of a part have no outcomes. */
export interface PartFailure {
	/**
	 * `failed`: the service rejected the job. `notSent`: the job was not started; importing again is safe.
	 * `unknown`: it was or may have been started; importing again could store rows twice.
	 */
	status: 'failed' | 'notSent' | 'unknown';
	error: unknown;
}

/** One file of the import and its job. */
export interface Part extends RowRange {
	jobId?: number;
	/** The run that wrote the file; undefined if only the job ID is known. */
	run?: string;
	/** Whether an earlier run started the job. */
	isContinued?: boolean;
	/** What to check if the service could not fetch the file. */
	fetchAdvice?: string;
	/** ISO 8601. */
	startedAt?: string;
	/** The job's description at the service. */
	description?: string;
	failure?: PartFailure;
}

/** Columns of the result files that an import added. */
export interface OwnColumns {
	/** Holds the keys of the rows. */
	itemColumn: string;
	/** Labels of the outcome columns; empty if unknown. */
	labels: readonly string[];
}

/** An import whose jobs were started: all that reading its outcome needs, now or in another execution. */
export interface StartedImport {
	/** The run that started it; undefined if only its jobs are known. */
	run?: string;
	/** Invalid rows included. */
	totalRows: number;
	/** In the order of their rows. */
	parts: readonly Part[];
	invalid: ReadonlyMap<number, InvalidRow>;
	columns: OwnColumns;
	/** Rows without a record ID that other rows have, by its name. */
	blankIds: Readonly<Record<string, number>>;
	/** Problems that did not stop the import. */
	warnings: readonly string[];
}

export function jobIdsOf(parts: readonly Part[]): number[] {
	return parts.flatMap(({ jobId }) => jobId ?? []);
}

/** Whether only the ID of a job is known, not its rows. */
export function mayHoldAnyRow({ jobId, end }: Part): boolean {
	return jobId !== undefined && !Number.isFinite(end);
}

/** Whether the file could not be read to its end. */
export function hasUnreadEnd(parts: readonly Part[]): boolean {
	return parts.some(({ jobId, end }) => jobId === undefined && !Number.isFinite(end));
}
