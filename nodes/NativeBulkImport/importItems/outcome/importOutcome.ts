import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toNodeError } from '../../../shared/execution/nodeErrors';
import type { ServiceContext } from '../../../shared/execution/operation';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { ROW_STATUSES, type RowStatus } from '../../../shared/importFile/importReport';
import type { WaitedJob } from '../../../shared/service/importJobWait';
import { problemSentence } from '../../../shared/service/invalidInput';
import { rethrow } from '../../../shared/transport/rethrow';
import { type ImportRows, rowName } from '../rows/importRows';
import {
	failureDetails,
	hasUnreadEnd,
	leftOutAs,
	mayHoldAnyRow,
	type Part,
	type StartedImport,
} from '../start/startedImport';
import {
	type Corrections,
	failureText,
	type JobResults,
	readJobResults,
	type RowResult,
	withoutOutcome,
} from './jobResults';
import { jobsText } from './outcomeTexts';

const UNCHANGED = 'Imported before with the same values and fields; not sent again.';

const NOT_MENTIONED =
	'None of the given jobs mentions this row in its results, and the service does not say which rows they had. Give the items of "Import Items", or check in the service before importing the row again.';

/** Words for each status in a sentence, with the advice on importing again. */
const STATUS_TEXTS: Record<RowStatus, string> = {
	imported: 'imported',
	failed: 'failed',
	missing: 'missing in the results (check before importing again)',
	invalid: 'invalid and not sent',
	duplicate: 'duplicate and not sent',
	unchanged: 'unchanged and not sent',
	notSent: 'not sent (safe to import again)',
	unknown: 'unknown (do not import again)',
};

const NO_ROWS = mapValues(STATUS_TEXTS, () => 0);

/** What the rows of an import came to. */
export class ImportOutcome {
	/** Once the results are read. */
	counts: Readonly<Record<RowStatus, number>> = NO_ROWS;
	/** The part of the row that was asked for last. */
	private current = 0;
	private asked = 0;
	private readonly failures = new Map<unknown, IDataObject>();
	private corrections: Corrections | undefined;

	/** @param results undefined before the jobs have ended: then only rows that were not sent have an outcome */
	constructor(
		private readonly context: Pick<ServiceContext, 'functions' | 'service'>,
		readonly source: Pick<ImportRows, 'noun' | 'lineOf'>,
		/** With what the results say, once they are read. */
		readonly started: StartedImport,
		readonly results?: JobResults,
	) {
		this.nameOf = rowName(source);
	}

	/**
	 * Reads the outcomes of jobs that have ended or could not be read.
	 * @param keepsImported whether the details of imported rows are needed
	 */
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

	/** Replaces the outcomes of the rows that were corrected and imported again. */
	async correct(corrections: Corrections): Promise<void> {
		this.corrections = corrections;
		await this.countRows();
	}

	/** With those of corrected rows. */
	get allParts(): readonly Part[] {
		return [...this.started.parts, ...(this.corrections?.parts ?? [])];
	}

	/** Whether rows are in no file. */
	get hasUnsentRows(): boolean {
		const { duplicates, invalid } = this.started;
		return invalid.size > 0 || (duplicates.areLeftOut && duplicates.count > 0);
	}

	/** Whether no row has an outcome because every job ended in an error. */
	get isUnknown(): boolean {
		// Rows that were imported before have one.
		if (this.started.changed?.unchanged || this.results?.rows.hasAny) return false;
		return this.allParts.every(({ failure }) => failure !== undefined);
	}

	/** The number of a row in messages: of its line in a file, or of its item. */
	numberOf(position: number): number {
		return this.source.lineOf?.(position + 1) ?? position + 1;
	}

	/** A row in messages, e.g. `line 17`. */
	readonly nameOf: (position: number) => string;

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
		return this.corrections?.results.get(position)?.status ?? this.firstStatusAt(position);
	}

	/** Without corrections. */
	private firstStatusAt(position: number): RowStatus | undefined {
		if (this.started.invalid.has(position)) return 'invalid';
		const leftOut = leftOutAs(this.started, position);
		if (leftOut) return leftOut;
		const part = this.partOf(position);
		// A result of the row itself outranks an error of its file.
		const said = this.results?.rows.statusOf(position) ?? 'missing';
		if (said !== 'missing') return said;
		if (part && mayHoldAnyRow(part)) return 'unknown';
		if (part?.failure) return part.failure.status;
		return this.results && part ? 'missing' : undefined;
	}

	/** By position from 0; undefined if the row is in a file that was not sent. */
	resultAt(position: number): RowResult | undefined {
		const corrected = this.corrections?.results.get(position);
		return corrected ? { ...corrected, ...this.placeOf(position) } : this.firstResultAt(position);
	}

	private placeOf(position: number): Pick<RowResult, 'row' | 'line'> {
		const line = this.source.lineOf?.(position + 1);
		return {
			...(this.source.noun === 'row' && { row: position + 1 }),
			...(line !== undefined && { line }),
		};
	}

	private firstResultAt(position: number): RowResult | undefined {
		const status = this.firstStatusAt(position);
		if (status === undefined) return undefined;
		const row = this.placeOf(position);
		const unmentioned = (reason: string, jobId?: number): RowResult => ({
			...row,
			...withoutOutcome(status, jobId),
			reason,
		});
		const same = this.started.duplicates.sameAs(position);
		const sameReason = this.started.duplicates.reasonAt(position, this.nameOf);
		Object.assign(row, same && { duplicateOf: this.numberOf(same.position) });
		const invalidRow = this.started.invalid.get(position);
		if (invalidRow) {
			const { field, reason } = invalidRow;
			return unmentioned(problemSentence({ field, text: reason }));
		}
		if (status === 'duplicate') return unmentioned(sameReason ?? '');
		if (status === 'unchanged') return unmentioned(UNCHANGED);
		const part = this.partOf(position);
		const failure = this.failureAt(position);
		if (part && failure) return unmentioned(String(failure.message), part.jobId);
		if (!this.results || !part) return undefined;
		if (status === 'unknown') return unmentioned(NOT_MENTIONED);
		const outcome = this.results.rows.of(position, part.jobId ?? null);
		return outcome.status === 'imported'
			? { ...row, ...outcome, ...(sameReason !== undefined && { reason: sameReason }) }
			: { ...row, ...outcome, reason: failureText(outcome, this.source.noun) };
	}

	/**
	 * A row that was not imported, as a failed item: n8n sends items that hold only an error to the error
	 * output.
	 * @param values of the row, if no input item has them
	 */
	failedRow(position: number, result: RowResult, values?: IDataObject): IDataObject {
		const details = this.failureAt(position) ?? {
			message: result.reason ?? '',
			description: rowAdvice(this.source.noun, result),
			httpCode: null,
			// The service would reject the row again, and its imported parts could be duplicated.
			replayable: false,
			outcomeUnknown: result.status === 'missing' || result.status === 'unknown',
			request: null,
		};
		return { error: { ...details, importResult: result, ...(values && { values }) } };
	}

	/** The counts as a sentence, with the job IDs; zero counts are left out. */
	sentence(): string {
		const { totalRows, blankIds, duplicates } = this.started;
		const { noun } = this.source;
		const texts = ROW_STATUSES.flatMap((status) =>
			this.counts[status] > 0 ? [`${this.counts[status]} ${STATUS_TEXTS[status]}`] : [],
		);
		const { unmatched = 0, repeated } = this.results ?? {};
		const repeatedRows = repeated?.rows ?? 0;
		return [
			`${totalRows} ${noun}s: ${texts.join(', ') || 'none'}`,
			...Object.entries(blankIds).map(([name, rows]) => `${rows} without ${name}`),
			duplicates.sentence(noun),
			unmatched > 0 && `${unmatched} result rows belong to no ${noun}`,
			repeatedRows > 0 && `${repeatedRows} have the record ID of an earlier ${noun}`,
			this.corrections && `${this.corrections.results.size} of them corrected`,
			jobsText(this.allParts),
		]
			.filter(Boolean)
			.join('; ');
	}

	summary(): IDataObject {
		const { totalRows, blankIds } = this.started;
		const { unmatched = 0, repeated } = this.results ?? {};
		return {
			rows: totalRows,
			...this.shownCounts(),
			unmatchedResults: unmatched,
			...this.started.duplicates.counts(),
			...(repeated && repeated.rows > 0 && { sameRecord: repeated.rows }),
			...(Object.keys(blankIds).length > 0 && { blankIds }),
			...(this.corrections && { corrected: this.corrections.results.size }),
			jobs: this.allParts.map(({ jobId, rows, isContinued, failure }) => ({
				jobId: jobId ?? null,
				rows,
				...(isContinued && { continued: true }),
				...(failure && {
					error: toNodeError(this.context.functions.getNode(), failure.error, 0).message,
				}),
			})),
		};
	}

	/** Duplicates and unchanged rows are counted only where the user wants them left out. */
	private shownCounts(): Partial<Record<RowStatus, number>> {
		const { duplicate, unchanged, ...others } = this.counts;
		return {
			...others,
			...(duplicate > 0 && { duplicate }),
			...(this.started.changed && { unchanged }),
		};
	}

	/** The only place that counts outcomes. */
	private async countRows(): Promise<void> {
		const slice = new TimeSlice(this.context.service.signal);
		const counts: Record<RowStatus, number> = { ...NO_ROWS };
		for (let position = 0; position < this.started.totalRows; position++) {
			if (slice.isOver) await slice.yield();
			const status = this.statusAt(position);
			if (status !== undefined) counts[status]++;
		}
		this.counts = counts;
	}

	/** Whether a row is in no file. */
	isUnsent(position: number): boolean {
		return this.started.invalid.has(position) || leftOutAs(this.started, position) !== undefined;
	}

	/** The error of the row's file; undefined if the row has its own outcome. */
	errorAt(position: number): unknown {
		const part = this.partOf(position);
		const isOwn =
			this.isUnsent(position) || (this.results?.rows.statusOf(position) ?? 'missing') !== 'missing';
		return part && !isOwn && !mayHoldAnyRow(part) ? part.failure?.error : undefined;
	}

	/** {@link errorAt} as output. */
	failureAt(position: number): IDataObject | undefined {
		const error = this.errorAt(position);
		if (error === undefined) return undefined;
		const known = this.failures.get(error) ?? failureDetails(this.context.functions, error);
		this.failures.set(error, known);
		return known;
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

/** What to do about a row that was not imported. */
function rowAdvice(
	noun: string,
	{ row, line, status, jobId, primaryKey, primaryKeyType }: RowResult,
): string {
	const where = [
		...(line === undefined ? [] : [`Line ${line} of the file.`]),
		...(row === undefined || line !== undefined ? [] : [`Row ${row}.`]),
		...(jobId === null ? [] : [`Import job ${jobId}.`]),
	];
	const what =
		status === 'missing'
			? `Check in the service whether it is there before you correct the ${noun} and import it again.`
			: primaryKey === null
				? `Correct the ${noun} and import it again; the others are not affected.`
				: `The record exists as ${primaryKeyType ?? 'ID'} ${primaryKey}. Fix the rejected values in the service, or import the corrected ${noun} with this ID: without it, the record may be stored twice.`;
	return [...where, what].join(' ');
}
