import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failedItem, toNodeError } from '../../shared/execution/nodeErrors';
import { InvalidInput, problemSentence } from '../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../shared/service/serviceErrors';
import type { Part, RefusedRows } from './importParts';
import { failureText, type RowOutcome, type RowOutcomes } from './rowOutcomes';

/** What is put out as `importResult` of a row. */
export interface RowResult extends Omit<RowOutcome, 'status'> {
	/** Its number in the file it came from, from 1; the first line of the file is not counted. */
	row?: number;
	/** `refused`: never sent. `error`: its job was not started, has failed, or its end is not known. */
	status: RowOutcome['status'] | 'error' | 'refused';
	/** Why it did not go in. */
	reason?: string;
}

/** The results of the rows of one import, asked in the order of the rows. */
export class RowResults {
	private current = 0;
	private readonly failures = new Map<Part, IDataObject>();

	/**
	 * @param noun what a row is called
	 * @param outcomes undefined if nothing was sent
	 */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly noun: 'item' | 'row',
		private readonly refused: RefusedRows,
		private readonly parts: readonly Part[],
		private readonly outcomes: RowOutcomes | undefined,
	) {}

	/** What became of a row, by its position from 0; undefined if it is in a file that was not sent. */
	at(position: number): RowResult | undefined {
		const row = this.noun === 'row' ? { row: position + 1 } : {};
		const blank = { ...row, jobId: null, primaryKey: null, primaryKeyType: null, outcomes: {} };
		const refusal = this.refused.get(position);
		if (refusal) {
			const { field, reason } = refusal;
			return { ...blank, status: 'refused', reason: problemSentence({ field, text: reason }) };
		}
		const part = this.partOf(position);
		// What the service says of a row holds, whatever went wrong with its file.
		const isKnown = this.outcomes !== undefined && this.outcomes.statusOf(position) !== 'missing';
		if (part?.error !== undefined && !isKnown) {
			const reason = String(this.failureOf(part).message);
			return { ...blank, status: 'error', jobId: part.jobId ?? null, reason };
		}
		if (!this.outcomes || !part) return undefined;
		const outcome = this.outcomes.of(position, part.jobId ?? null);
		const isGood = outcome.status === 'imported';
		return { ...row, ...outcome, ...(!isGood && { reason: failureText(outcome, this.noun) }) };
	}

	/**
	 * A row that did not go in as n8n recognises a failed item: it sends items that hold nothing but an
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
						// The same row would be refused again, and what did go in of it could double.
						replayable: false,
						outcomeUnknown: result.status === 'missing',
						request: null,
					};
		return { error: { ...details, importResult: { ...result }, ...(values && { values }) } };
	}

	private partOf(position: number): Part | undefined {
		while (position >= (this.parts[this.current]?.end ?? Number.POSITIVE_INFINITY)) this.current++;
		return this.parts[this.current];
	}

	/** What is told of every row of a part that ended in an error. */
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
				? `Look in the service whether it is there before you correct the ${this.noun} and import it again.`
				: primaryKey === null
					? `Correct the ${this.noun} and import it again; the others are not affected.`
					: `The record itself is in the service, as ${primaryKeyType ?? 'ID'} ${primaryKey}. Correct what was refused there, or import the corrected ${this.noun} with this ID: without it, the record may be stored twice.`;
		return [...where, what].join(' ');
	}
}

/** Why nothing is known to have gone in: what is wrong with the only file, or with each. */
export function importError(parts: readonly Part[]): unknown {
	const [first, ...others] = parts;
	if (!first || others.length === 0) return first?.error;
	const messages = parts.map(({ error }) => messageOf(error));
	const all = messages.map((message, index) => `Part ${index + 1}: ${message.replace(/\.$/, '')}.`);
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
