import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { DatabaseWait } from '../../wait/databaseWait';
import { startedJobError } from '../../../shared/execution/importJobOutput';
import type { ServiceContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { ROW_STATUSES, type RowStatus } from '../../../shared/importFile/importReport';
import { counted } from '../../../shared/service/counted';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import { problemSentence } from '../../../shared/service/invalidInput';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { CallCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { type ImportRows, rowName } from '../../rows/importRows';
import type { OutcomeView } from '../feature';
import {
	type FoundRows,
	isInService,
	leftOutBy,
	type Part,
	type RowResult,
	type RowsAgain,
	type StartedImport,
	withoutOutcome,
} from '../model';
import {
	failureDetails,
	hasUnreadEnd,
	jobIdsOf,
	mayHoldAnyRow,
	rowsText,
} from '../start/startedImport';
import { failureText, isPartlyStored, type JobResults, readJobResults } from './jobResults';

const NOT_MENTIONED =
	'The results of the entered jobs do not list this row, and the service does not say which rows the jobs had. Pass the items of "Import Items", or check in the service before importing the row again.';

/** Words for each status in a sentence, with the advice on importing again. */
const STATUS_TEXTS: Record<RowStatus, string> = {
	imported: 'imported',
	failed: 'failed',
	missing: 'missing from the results (check before importing again)',
	invalid: 'invalid and not sent',
	duplicate: 'duplicate and not sent',
	unchanged: 'unchanged and not sent',
	notSent: 'not sent (safe to import again)',
	unknown: 'unknown (do not import again)',
};

const LEFT_OUT: readonly RowStatus[] = ['duplicate', 'unchanged'];

/** Counted between two looks at the clock. */
const ROWS_AT_ONCE = 100;

const NO_ROWS = mapValues(STATUS_TEXTS, () => 0);

/** The IDs of the jobs: `import jobs 5, 6 (5 continued, not started again)`. */
export function jobsText(parts: readonly Part[]): string {
	const ids = jobIdsOf(parts);
	const continued = jobIdsOf(parts.filter(({ isContinued }) => isContinued));
	const note =
		continued.length > 0 ? ` (${continued.join(', ')} continued, not started again)` : '';
	if (ids.length === 0) return 'no import job';
	return `import job${ids.length === 1 ? '' : 's'} ${ids.join(', ')}${note}`;
}

/**
 * Adds the started jobs to an unforeseen error, which must not hide them.
 * @param others what is known of the rows after those tried first, if the import did not get beyond these
 */
export function addStartedJobs(parts: readonly Part[], error: unknown, others?: string): unknown {
	const [jobId, ...otherJobs] = new Set(jobIdsOf(parts));
	const isStop = error instanceof CallCancelled || error instanceof DatabaseWait;
	if (jobId === undefined || isStop) return error;
	const started = startedJobError(jobId, others === undefined ? 'results' : 'end', error);
	if (!(started instanceof ServiceError)) return started;
	const more = [
		...(others === undefined ? [] : [`It has ${parts.map(rowsText).join()}. ${others}`]),
		...(otherJobs.length > 0 ? [`The other jobs of this import are ${otherJobs.join(', ')}.`] : []),
	];
	return started.with({ description: [started.details.description, ...more].join(' ') });
}

export class ImportOutcome implements OutcomeView {
	counts: Readonly<Record<RowStatus, number>> = NO_ROWS;
	/** The part of the row that was asked for last. */
	private current = 0;
	private asked = 0;
	private readonly failures = new Map<unknown, IDataObject>();
	private again: RowsAgain | undefined;
	private readonly ofEachRow: FoundRows['ofEachRow'];
	/** Whether no row has an outcome yet: all are in files that were sent. */
	private readonly isOpen: boolean;

	/** @param results undefined before the jobs have ended: then only rows that were not sent have an outcome */
	constructor(
		private readonly context: Pick<ServiceContext, 'functions' | 'service'>,
		readonly source: Pick<ImportRows, 'noun' | 'lineOf'>,
		/** Includes what the results say, once they are read. */
		readonly started: StartedImport,
		readonly results?: JobResults,
	) {
		this.nameOf = rowName(source);
		this.ofEachRow = started.found.find((each) => each.ofEachRow)?.ofEachRow;
		this.isOpen =
			results === undefined &&
			started.invalid.size === 0 &&
			!started.found.some(({ leftOut }) => leftOut && leftOut.count > 0) &&
			!started.parts.some((part) => part.failure !== undefined || mayHoldAnyRow(part));
	}

	/** @param keepsImported whether the details of imported rows are needed */
	static async read(
		context: ImportOutcome['context'],
		source: ImportOutcome['source'],
		started: StartedImport,
		ended: ReadonlyMap<number, WaitedJob>,
		keepsImported: boolean,
	): Promise<ImportOutcome> {
		const results = await readJobResults(context.service, started, ended, keepsImported);
		const outcome = new ImportOutcome(context, source, results.started, results);
		await outcome.countRows();
		return outcome;
	}

	/** Replaces the outcomes of rows that were imported again. */
	async replace(again: RowsAgain): Promise<void> {
		this.again = again;
		await this.countRows();
	}

	get allParts(): readonly Part[] {
		return [...this.started.parts, ...(this.again?.parts ?? [])];
	}

	get repeated(): JobResults['repeated'] {
		return this.results?.repeated ?? { rows: 0, records: [] };
	}

	/** Rows that are in the service, now or from an earlier import. */
	get settledRows(): number {
		return ROW_STATUSES.filter(isInService).reduce((sum, status) => sum + this.counts[status], 0);
	}

	/** Whether rows are in no file, or in one that was not sent. */
	get hasUnsentRows(): boolean {
		const { found, invalid, parts } = this.started;
		const hasFailed = parts.some(({ failure }) => failure !== undefined);
		const leavesOut = found.some(
			({ leftOut }) => leftOut && leftOut.count > 0 && !isInService(leftOut.status),
		);
		return hasFailed || invalid.size > 0 || leavesOut;
	}

	/** Whether no row has an outcome because every job ended in an error. */
	get isUnknown(): boolean {
		// Rows that were imported before have one.
		const isKnown = this.started.found.some(
			({ leftOut }) => leftOut && leftOut.count > 0 && isInService(leftOut.status),
		);
		if (isKnown || this.results?.rows.hasAny) return false;
		const { allParts } = this;
		return allParts.length > 0 && allParts.every(({ failure }) => failure !== undefined);
	}

	/** The number of a row in messages: of its line in a file, or of its item. */
	numberOf(position: number): number {
		return this.source.lineOf?.(position + 1) ?? position + 1;
	}

	readonly nameOf: (position: number) => string;

	get corrected(): readonly number[] {
		return [...(this.again?.results.keys() ?? [])];
	}

	/** The rows as far as they can be read, if the outcome says where they end. */
	async *readGiven(rows: ImportRows): ReturnType<ImportRows['readGiven']> {
		try {
			yield* rows.readGiven();
		} catch (error) {
			// The outcome already reports that the file cannot be read to its end.
			if (!hasUnreadEnd(this.started.parts)) rethrow(error);
		}
	}

	/** By position from 0; undefined if the row is in a file that was not sent. */
	statusAt(position: number): RowStatus | undefined {
		return this.again?.results.get(position)?.status ?? this.find(position)?.status;
	}

	/** A row as it was imported first, with its file, and the error of that file if the row has no outcome itself. */
	private find(position: number): { status: RowStatus; part?: Part; error?: unknown } | undefined {
		if (this.isOpen) return undefined;
		if (this.started.invalid.has(position)) return { status: 'invalid' };
		const leftOut = leftOutBy(this.started.found, position)?.leftOut;
		if (leftOut) return { status: leftOut.status };
		const part = this.partOf(position);
		if (!part) return undefined;
		// A result of the row itself outranks an error of its file.
		const status = this.results?.rows.statusOf(position) ?? 'missing';
		if (status !== 'missing') return { status, part };
		if (mayHoldAnyRow(part)) return { status: 'unknown', part };
		if (part.failure) return { ...part.failure, part };
		return this.results && { status, part };
	}

	/** By position from 0; undefined if the row is in a file that was not sent. */
	resultAt(position: number): RowResult | undefined {
		const { ofEachRow } = this;
		const again = this.again?.results.get(position);
		if (again) return { ...again, ...this.placeOf(position), ...ofEachRow };
		const found = this.find(position);
		if (!found) return undefined;
		const { status, part, error } = found;
		const [same] = this.started.found.flatMap((each) => each.sameAs?.(position) ?? []);
		const jobId = part?.jobId ?? null;
		const hasOutcome = part && error === undefined && status !== 'unknown';
		const outcome = hasOutcome ? this.results?.rows.of(position, jobId) : undefined;
		const reason =
			outcome && outcome.status !== 'imported'
				? failureText(outcome, this.source.noun)
				: this.reasonAt(position, status);
		return {
			...this.placeOf(position),
			...(same && { duplicateOf: this.numberOf(same.position) }),
			...(outcome ?? withoutOutcome(status, error === undefined ? null : jobId)),
			...(reason !== undefined && { reason }),
			...ofEachRow,
		};
	}

	private placeOf(position: number): Pick<RowResult, 'row' | 'line'> {
		const line = this.source.lineOf?.(position + 1);
		return {
			...(this.source.noun === 'row' && { row: position + 1 }),
			...(line !== undefined && { line }),
		};
	}

	/** Why a row is in no result file, or whose duplicate it is. */
	private reasonAt(position: number, status: RowStatus): string | undefined {
		const { invalid, found } = this.started;
		const row = invalid.get(position);
		if (row) return problemSentence({ field: row.field, text: row.reason });
		const leftOut = leftOutBy(found, position);
		if (leftOut) return leftOut.reasonAt(position, this.nameOf);
		const failure = this.failureAt(position);
		if (failure) return String(failure.message);
		if (status === 'unknown') return NOT_MENTIONED;
		return found.flatMap((each) => each.reasonAt(position, this.nameOf) ?? [])[0];
	}

	/**
	 * A row as a failed item: n8n sends items that hold only an error to the error output.
	 * @param values of the row, if no input item has them
	 */
	failedRow(position: number, result: RowResult, values?: IDataObject): IDataObject {
		const details = this.failureAt(position) ?? {
			message: result.reason ?? '',
			description: this.adviceAt(position, result),
			httpCode: null,
			// The service would reject the row again, and its imported parts could be duplicated.
			replayable: false,
			outcomeUnknown: result.status === 'missing' || result.status === 'unknown',
			request: null,
		};
		return { error: { ...details, importResult: result, ...(values && { values }) } };
	}

	private adviceAt(position: number, result: RowResult): string {
		// The reason why a row is left out says what to do.
		const isLeftOut = leftOutBy(this.started.found, position) !== undefined;
		const advice = isLeftOut ? '' : rowAdvice(this.source.noun, result);
		return [rowPlace(result), advice].filter(Boolean).join(' ');
	}

	/** The counts as a sentence, with the job IDs; zero counts are left out. */
	sentence(): string {
		const { totalRows, blankIds, found } = this.started;
		const { noun } = this.source;
		const texts = ROW_STATUSES.flatMap((status) =>
			this.counts[status] > 0 ? [`${this.counts[status]} ${STATUS_TEXTS[status]}`] : [],
		);
		const { unmatched = 0, repeated } = this.results ?? {};
		const again = repeated?.rows ?? 0;
		return [
			totalRows > 0
				? [counted(totalRows, noun), texts.join(', ')].filter(Boolean).join(': ')
				: `No ${noun}s in the list`,
			...Object.entries(blankIds).map(([name, rows]) => `${rows} without ${name}`),
			...found.map((each) => each.sentence?.(noun)),
			unmatched > 0 && `${counted(unmatched, 'result row')} without a matching ${noun}`,
			again > 0 && `${counted(again, 'has', 'have')} the record ID of an earlier ${noun}`,
			this.again?.sentence,
			jobsText(this.allParts),
		]
			.filter(Boolean)
			.join('; ');
	}

	summary(): IDataObject {
		const { totalRows, blankIds, found } = this.started;
		const { unmatched = 0, repeated } = this.results ?? {};
		// Rows that the user wants left out are counted only if there are any.
		const isShown = (status: RowStatus): boolean =>
			this.counts[status] > 0 || !LEFT_OUT.includes(status);
		const counts = ROW_STATUSES.filter(isShown).map((status) => [status, this.counts[status]]);
		return {
			rows: totalRows,
			...(Object.fromEntries(counts) as IDataObject),
			unmatchedResults: unmatched,
			...found.reduce<IDataObject>((all, each) => ({ ...all, ...each.summary?.() }), {}),
			...(repeated && repeated.rows > 0 && { sameRecord: repeated.rows }),
			...(Object.keys(blankIds).length > 0 && { blankIds }),
			...this.again?.summary,
			jobs: this.allParts.map(({ jobId, rows, isContinued, failure }) => ({
				jobId: jobId ?? null,
				rows,
				...(isContinued && { continued: true }),
				...(failure && { error: this.detailsOf(failure.error).message }),
			})),
		};
	}

	/** The only place that counts outcomes. Before the jobs have ended, those of rows that were not sent. */
	async countRows(): Promise<void> {
		const slice = new TimeSlice(this.context.service.signal);
		const counts: Record<RowStatus, number> = { ...NO_ROWS };
		for (let position = 0; position < this.started.totalRows; position++) {
			if (position % ROWS_AT_ONCE === 0 && slice.isOver) await slice.yield();
			const status = this.statusAt(position);
			if (status !== undefined) counts[status]++;
		}
		this.counts = counts;
	}

	/** Whether a row is in no file. */
	isUnsent(position: number): boolean {
		return this.find(position)?.part === undefined;
	}

	/** The error of the row's file as output; undefined if the row has an outcome of its own. */
	failureAt(position: number): IDataObject | undefined {
		const error = this.errorAt(position);
		return error === undefined ? undefined : this.detailsOf(error);
	}

	/** In output form, built once for all rows of a file. */
	private detailsOf(error: unknown): IDataObject {
		const known = this.failures.get(error) ?? failureDetails(this.context.functions, error);
		this.failures.set(error, known);
		return known;
	}

	errorAt(position: number): unknown {
		return this.find(position)?.error;
	}

	private partOf(position: number): Part | undefined {
		// Several parts can have the row: it belongs to the first, in whatever order the rows are read.
		if (position < this.asked) this.current = 0;
		this.asked = position;
		while (position >= (this.started.parts[this.current]?.end ?? Number.POSITIVE_INFINITY))
			this.current++;
		return this.started.parts[this.current];
	}
}

function rowPlace({ row, line, jobId }: RowResult): string {
	return [
		...(line === undefined ? [] : [`Line ${line} of the file.`]),
		...(row === undefined || line !== undefined ? [] : [`Row ${row}.`]),
		...(jobId === null ? [] : [`Import job ${jobId}.`]),
	].join(' ');
}

function rowAdvice(noun: string, result: RowResult): string {
	const { status, primaryKey, primaryKeyType } = result;
	if (status === 'missing' || status === 'unknown')
		return `Check in the service whether it is there before you correct the ${noun} and import it again.`;
	if (primaryKey !== null)
		return `The record exists as ${primaryKeyType ?? 'ID'} ${primaryKey}. Fix the rejected values in the service, or import the corrected ${noun} with this ID: without it, the record may be stored twice.`;
	if (isPartlyStored(result))
		return `Fix the rejected values in the service. Do not import the ${noun} again: the stored part could be stored twice.`;
	return `Correct the ${noun} and import it again; the others are not affected.`;
}
