import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failedJobError } from '../../shared/execution/importJobOutput';
import { resultRowBatches } from '../../shared/execution/importResults';
import { failedItem, toNodeError } from '../../shared/execution/nodeErrors';
import { jobState } from '../../shared/service/importJobRecord';
import { waitForJobs, type WaitedJob, type WaitPlan } from '../../shared/service/importJobWait';
import { InvalidInput, problemSentence } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { messageOf, ServiceError, startedJobError } from '../../shared/service/serviceErrors';
import { adviceOnLink } from './hosting';
import type { InvalidRows, Part } from './part';
import { failureText, type RowOutcome, RowOutcomes } from './rowOutcomes';

/** What is put out as `importResult` of a row. */
export interface RowResult extends Omit<RowOutcome, 'status'> {
	/** Its number in the file it came from, from 1; the first line of the file is not counted. */
	row?: number;
	/** `refused`: never sent. `error`: its job was not started, has failed, or its end is not known. */
	status: RowOutcome['status'] | 'error' | 'refused';
	/** Why it was not imported. */
	reason?: string;
}

/** The jobs of an import and the outcome of every row. */
export class ImportOutcome {
	readonly parts: Part[] = [];
	readonly invalid: InvalidRows = new Map();
	private rows: RowOutcomes | undefined;
	private current = 0;
	private readonly failures = new Map<Part, IDataObject>();

	/** @param noun what a row is called */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly service: NativeService,
		private readonly noun: 'item' | 'row',
		private readonly itemColumn: string,
	) {}

	/** Result rows that belong to no row of this import. */
	get unmatched(): number {
		return this.rows?.unmatched ?? 0;
	}

	/** Whether every job ended in an error, so that no row has an outcome. */
	get isUnknown(): boolean {
		return this.parts.every(({ error }) => error !== undefined);
	}

	/**
	 * Waits for the jobs of all parts and reads the outcomes of their rows.
	 * @param keepsImported see {@link RowOutcomes}
	 */
	async waitForEnd(wait: WaitPlan, rowCount: number, keepsImported: boolean): Promise<void> {
		this.rows = new RowOutcomes(this.itemColumn, rowCount, keepsImported);
		const ended = await waitForJobs(
			this.service,
			this.parts.flatMap(({ jobId }) => jobId ?? []),
			wait,
		);
		for (const part of this.parts) {
			const end = part.jobId === undefined ? undefined : ended.get(part.jobId);
			if (part.jobId === undefined || !end) continue;
			part.error = await this.readResults(part.jobId, part.sourceUrl ?? '', end, this.rows);
		}
	}

	/** The outcome of a row, by its position from 0; undefined if it is in a file that was not sent. */
	resultAt(position: number): RowResult | undefined {
		const row = this.noun === 'row' ? { row: position + 1 } : {};
		const blank = { ...row, jobId: null, primaryKey: null, primaryKeyType: null, outcomes: {} };
		const refusal = this.invalid.get(position);
		if (refusal) {
			const { field, reason } = refusal;
			return { ...blank, status: 'refused', reason: problemSentence({ field, text: reason }) };
		}
		const part = this.partOf(position);
		// What the service says of a row holds, whatever went wrong with its file.
		const isKnown = this.rows !== undefined && this.rows.statusOf(position) !== 'missing';
		if (part?.error !== undefined && !isKnown) {
			const reason = String(this.failureOf(part).message);
			return { ...blank, status: 'error', jobId: part.jobId ?? null, reason };
		}
		if (!this.rows || !part) return undefined;
		const outcome = this.rows.of(position, part.jobId ?? null);
		const isImported = outcome.status === 'imported';
		return { ...row, ...outcome, ...(!isImported && { reason: failureText(outcome, this.noun) }) };
	}

	/**
	 * A row that was not imported as n8n recognises a failed item: it sends items that hold nothing but an
	 * error to the error output.
	 * @param values of the row, where no input item has them
	 */
	failedRow(position: number, result: RowResult, values?: IDataObject): IDataObject {
		const part = this.partOf(position);
		const details =
			result.status === 'error' && part
				? this.failureOf(part)
				: {
						message: result.reason ?? '',
						description: this.advice(result),
						httpCode: null,
						// The service would reject the same row again, and its imported parts could double.
						replayable: false,
						outcomeUnknown: result.status === 'missing',
						request: null,
					};
		return { error: { ...details, importResult: { ...result }, ...(values && { values }) } };
	}

	/** The summary of an import of a file. */
	summary(): IDataObject {
		const { parts, invalid, rows: outcomes } = this;
		const counts = { imported: 0, failed: 0, missing: 0, error: 0 };
		for (const { first, end, rows, error } of parts) {
			if (error !== undefined) {
				counts.error += rows;
				continue;
			}
			for (let row = first; row < end; row++)
				if (!invalid.has(row)) counts[outcomes?.statusOf(row) ?? 'missing']++;
		}
		return {
			rows: invalid.size + parts.reduce((sum, { rows }) => sum + rows, 0),
			...counts,
			refused: invalid.size,
			unmatchedResults: this.unmatched,
			jobs: parts.map(({ jobId, rows, error }) => ({
				jobId: jobId ?? null,
				rows,
				...(error !== undefined && {
					error: toNodeError(this.functions.getNode(), error, 0).message,
				}),
			})),
		};
	}

	/** Why no row has an outcome: the error of the only file, or that of each. */
	error(): unknown {
		const { parts } = this;
		const [first, ...others] = parts;
		if (!first || others.length === 0) return first?.error;
		const messages = parts.map(({ error }) => messageOf(error));
		const all = messages.map(
			(message, index) => `Part ${index + 1}: ${message.replace(/\.$/, '')}.`,
		);
		const details = parts.flatMap(({ error }) =>
			error instanceof ServiceError ? error.details : [],
		);
		return new ServiceError({
			message: messages[0] ?? '',
			description: `This import has several parts. Look at each before you import any of its rows again. ${all.join(' ')}`,
			httpCode: details[0]?.httpCode,
			replayable: parts.every(
				({ error }) =>
					error instanceof InvalidInput ||
					(error instanceof ServiceError && error.details.replayable),
			),
			outcomeUnknown: details.some(({ outcomeUnknown }) => outcomeUnknown),
			request: details[0]?.request ?? { method: 'POST', path: '(jobs of the import)' },
			serviceErrors: [],
		});
	}

	/** @returns why the outcomes of the rows of an ended job could not be read; undefined if they could */
	private async readResults(
		jobId: number,
		sourceUrl: string,
		end: WaitedJob,
		outcomes: RowOutcomes,
	): Promise<unknown> {
		if ('error' in end) return startedJobError(jobId, 'end', end.error);
		const state = jobState(end.record.status);
		const files = end.record.resultFiles ?? [];
		if (state === 'failed' && files.length === 0) {
			const { details } = failedJobError(this.service, jobId, end.record);
			return new ServiceError({
				...details,
				description: details.description + adviceOnLink(sourceUrl),
			});
		}
		const unmatchedBefore = outcomes.unmatched;
		let read = 0;
		try {
			for (const [index, file] of files.entries()) {
				const batches = resultRowBatches(this.service, file, index + 1, [this.itemColumn]);
				for await (const rows of batches) {
					for (const row of rows) outcomes.add(jobId, row);
					read += rows.length;
				}
			}
			const unmatched = outcomes.unmatched - unmatchedBefore;
			if (files.length > 0 && (read === 0 || read > unmatched)) return undefined;
			// One row without a result was rejected; where no row has one, nothing is known.
			throw new Error(
				files.length === 0
					? 'the service gives no result file'
					: `none of the ${read} result rows could be matched to an input row`,
			);
		} catch (error) {
			return startedJobError(jobId, 'results', error);
		}
	}

	private partOf(position: number): Part | undefined {
		if (position < (this.parts[this.current]?.first ?? 0)) this.current = 0;
		while (position >= (this.parts[this.current]?.end ?? Number.POSITIVE_INFINITY)) this.current++;
		return this.parts[this.current];
	}

	/** The error of every row of a part that ended in one. */
	private failureOf(part: Part): IDataObject {
		const known = this.failures.get(part);
		if (known) return known;
		const nodeError = toNodeError(this.functions.getNode(), part.error, 0);
		const failure = failedItem(part.error, nodeError).error as IDataObject;
		this.failures.set(part, failure);
		return failure;
	}

	private advice({ row, status, jobId, primaryKey, primaryKeyType }: RowResult): string {
		const where = [
			...(row === undefined ? [] : [`Row ${row} of the file.`]),
			...(jobId === null ? [] : [`Import job ${jobId}.`]),
		];
		const what =
			status === 'missing'
				? `Check in the service whether it is there before you correct the ${this.noun} and import it again.`
				: primaryKey === null
					? `Correct the ${this.noun} and import it again; the others are not affected.`
					: `The record exists as ${primaryKeyType ?? 'ID'} ${primaryKey}. Fix the rejected values in the service, or import the corrected ${this.noun} with this ID: without it, the record may be stored twice.`;
		return [...where, what].join(' ');
	}
}
