import { detach } from '../../shared/importFile/detach';
import { RecordIds } from '../../shared/importFile/repeatedRecords';
import { isSuccessOutcome, type ResultRow } from '../../shared/importFile/resultFile';
import { parseRowKey } from './startedFile';

/** The rows that a job imports. */
export interface JobRows {
	jobId: number;
	/** The run that wrote its file. If it is unknown, the first row tells it. */
	run?: string;
	/** From `first` to before `end`, by position. */
	first: number;
	end: number;
}

/**
 * `joined`: the row is one of this import. `foreign`: the row of another run or file, so the file of the
 * job was replaced. `unmatched`: it names no row.
 */
export type Match = 'joined' | 'foreign' | 'unmatched';

export interface RowOutcome {
	status: 'imported' | 'failed' | 'missing';
	/** Null if no job has the row. */
	jobId: number | null;
	/** ID of the record; null if the service returns none. */
	primaryKey: number | string | null;
	primaryKeyType: string | null;
	/** The service's words by mapping type. */
	outcomes: Record<string, string>;
}

/** Outcomes of a row, in the order of summaries. */
export const ROW_STATUSES = [
	'imported',
	/** The service rejected at least one mapping, or the job as a whole. */
	'failed',
	/** No result mentions the row. */
	'missing',
	/** A value could not be written; nothing was sent. */
	'invalid',
	/** Its job was not started: importing again is safe. */
	'notSent',
	/** Its job was or may have been started and the outcome could not be read: do not import again. */
	'unknown',
] as const;

export type RowStatus = (typeof ROW_STATUSES)[number];

/** Output as `importResult` of a row. */
export type RowResult = Omit<RowOutcome, 'status'> & {
	/** Number in the source file, from 1, without the header line. */
	row?: number;
	/** Its line in the source file, as spreadsheet programs number it. */
	line?: number;
	status: RowStatus;
	/** Why it was not imported. */
	reason?: string;
};

const MISSING = 0;
const IMPORTED = 1;
const FAILED = 2;

/** Merges two mentions of a row: for each mapping type, a rejection wins. */
function merged(
	before: Record<string, string> | undefined,
	now: Record<string, string>,
): Record<string, string> {
	if (!before) return now;
	const outcomes = { ...before };
	for (const [mappingType, text] of Object.entries(now)) {
		const known = outcomes[mappingType] ?? '';
		if (isSuccessOutcome(known)) outcomes[mappingType] = text || known;
	}
	return outcomes;
}

/**
 * Joins result rows to input rows by the node's own column; order, gaps and repetitions do not matter.
 * A row mentioned several times, e.g. in a result file per mapping type, is imported only if every
 * mention says so.
 */
export class RowOutcomes {
	readonly recordIds: RecordIds;
	private readonly statuses: Uint8Array;
	/** By position. Unlike a map, an array grows without a pause at a million rows. */
	private readonly details: Array<RowOutcome | undefined> = [];
	/** The item column as the result file spells it. */
	private spelling: string;

	/**
	 * @param keepsImported whether to keep the details of imported rows. If not, memory grows only with the
	 * other rows, which lack their mentions before the first rejection
	 */
	constructor(
		private readonly itemColumn: string,
		private readonly rowCount: number,
		private readonly keepsImported: boolean,
	) {
		this.statuses = new Uint8Array(rowCount);
		this.spelling = itemColumn;
		this.recordIds = new RecordIds(rowCount);
	}

	/**
	 * Adds a mention of a row; a repeated mention changes nothing.
	 * @param job whose results have the row
	 */
	add(job: JobRows, row: ResultRow): Match {
		const key = parseRowKey(this.keyOf(row));
		if (!key) return 'unmatched';
		job.run ??= key.run;
		const { jobId, run, first, end } = job;
		const position = key.row - 1;
		if (key.run !== run || position < first || position >= Math.min(end, this.rowCount))
			return 'foreign';
		this.recordIds.add(position, row);
		const before = this.details[position];
		if (row.succeeded) this.statuses[position] ||= IMPORTED;
		// Without a complaint and without "Processed", the outcome is unknown.
		else if (!Object.values(row.outcomes).every(isSuccessOutcome)) this.statuses[position] = FAILED;
		const status = this.statusOf(position);
		if (status === 'imported' && !this.keepsImported) {
			if (before) this.details[position] = undefined;
			return 'joined';
		}
		const outcome: RowOutcome = {
			status,
			jobId,
			primaryKey: row.primaryKey ?? before?.primaryKey ?? null,
			primaryKeyType: row.primaryKeyType ?? before?.primaryKeyType ?? null,
			outcomes: merged(before?.outcomes, row.outcomes),
		};
		this.details[position] = status === 'imported' ? outcome : detach(outcome);
		return 'joined';
	}

	/** The value of the node's own column. */
	private keyOf({ columns }: ResultRow): string {
		if (!(this.spelling in columns)) {
			const wanted = this.itemColumn.toLowerCase();
			this.spelling =
				Object.keys(columns).find((name) => name.toLowerCase() === wanted) ?? this.spelling;
		}
		return columns[this.spelling] ?? '';
	}

	get hasAny(): boolean {
		return this.statuses.some((status) => status !== MISSING);
	}

	/** Whether a result mentions the row, even without an outcome. */
	mentions(position: number): boolean {
		return this.statusOf(position) !== 'missing' || this.details[position] !== undefined;
	}

	statusOf(position: number): RowOutcome['status'] {
		const status = this.statuses[position] ?? MISSING;
		if (status === MISSING) return 'missing';
		return status === FAILED ? 'failed' : 'imported';
	}

	/** @param position from 0 */
	of(position: number, jobId: number | null): RowOutcome {
		return (
			this.details[position] ?? {
				status: this.statusOf(position),
				jobId,
				primaryKey: null,
				primaryKeyType: null,
				outcomes: {},
			}
		);
	}
}

/** Why a row was not imported, in the service's words. */
export function failureText({ status, outcomes }: RowOutcome, noun: string): string {
	if (status === 'missing' && Object.keys(outcomes).length > 0)
		return `The result file lists this ${noun} without an outcome.`;
	if (status === 'missing') {
		return `The service does not mention this ${noun} in its results. The service probably rejected the whole ${noun}, for instance because a required value is blank.`;
	}
	const complaints = Object.entries(outcomes).filter(([, text]) => !isSuccessOutcome(text));
	return complaints.map(([mappingType, text]) => `${mappingType}: ${text}`).join('; ');
}
