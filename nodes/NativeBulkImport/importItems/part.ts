import type { RowRefused } from '../../shared/importFile/delimitedRows';

/** Why rows are in no file, by their position from 0. */
export type InvalidRows = Map<number, RowRefused>;

/** The rows of one file of an import, by position: all from `first` to before `end` that are valid. */
export interface RowRange {
	first: number;
	end: number;
	/** How many there are. */
	rows: number;
}

/** A file of the import before its job is started. */
export type BuiltPart = RowRange & { zip: Buffer };

/** One file of the import and its job. */
export interface Part extends RowRange {
	jobId?: number;
	/** Where the service finds the file. */
	sourceUrl?: string;
	/** Why there is no job, or why its outcome could not be read. */
	error?: unknown;
}
