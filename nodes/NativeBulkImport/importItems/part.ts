import type { RowRefused } from '../../shared/importFile/delimitedRows';

/** Why rows are in no file, by their position from 0. */
export type InvalidRows = Map<number, RowRefused>;

/** The rows of one file of an import, by position: all from `first` to before `end` that are valid. */
export interface RowRange {
	first: number;
	end: number;
	/** How many there are. */
	rows: number;
	/** Of all of them, invalid ones included: see RowChecksums. Empty if unknown. */
	checksum: string;
}

/** A file of the import before its job is started. */
export type BuiltPart = RowRange & { zip: Buffer };

/** Why the rows of a part have no outcome of their own. */
export interface PartFailure {
	/**
	 * `failed`: the service rejected the job as a whole. `notSent`: the job was not started, so importing
	 * again is safe. `unknown`: it was started, or may have been; importing again could store rows twice.
	 */
	status: 'failed' | 'notSent' | 'unknown';
	error: unknown;
}

/** One file of the import and its job. */
export interface Part extends RowRange {
	jobId?: number;
	/** What to check if the service could not fetch the file. */
	fetchAdvice?: string;
	/** When the job was started, in ISO 8601. */
	startedAt?: string;
	/** What the job is called at the service. */
	description?: string;
	failure?: PartFailure;
}
