import { groupBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	asItems,
	type ItemOutput,
	type ItemResults,
	type NodeContext,
} from '../../../shared/execution/operation';
import { mapInSlices, TimeSlice } from '../../../shared/execution/timeSlice';
import { showHint } from '../../../shared/execution/showHint';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { addOutcome, type ImportRows, ownValues, visitRows } from '../../rows/importRows';
import { FileRows, ItemRows } from '../../rows/sourceRows';
import type { FeatureHooks, OutputChoice } from '../feature';
import { shownNames } from '../mapping/shownNames';
import { isInService, type Part, type RowResult } from '../model';
import type { ImportOutcome } from './importOutcome';
import { outcomeAdvice } from './jobResults';

/** A duplicate is not sent because the user wants it so. */
function isFailure({ status }: RowResult): boolean {
	return !isInService(status) && status !== 'duplicate';
}

/** Without an output for errors, rejected rows are normal results: one must not hide the other outcomes. */
function hasErrorOutput({ functions }: NodeContext): boolean {
	return functions.getNode().onError === 'continueErrorOutput';
}

/** Adds the outcomes to rows. */
function rowWriter(node: NodeContext, outcome: ImportOutcome, isInput: boolean) {
	const toErrors = hasErrorOutput(node);
	return (
		{ json: row, binary }: INodeExecutionData,
		position: number,
		importResult: RowResult,
	): INodeExecutionData => {
		const { status, reason = null, primaryKey } = importResult;
		if (toErrors && isFailure(importResult)) {
			// n8n adds the error to the input item, in place of a column of that name.
			const own = ownValues(row);
			const values = isInput && !('error' in own) ? undefined : own;
			const json = outcome.failedRow(position, importResult, values);
			return binary ? { json, binary } : { json };
		}
		const json = addOutcome({ status, reason, primaryKey }, row, { importResult });
		return binary ? { json, binary } : { json };
	};
}

function fileProblem(error: unknown): string {
	const message = `${messageOf(error).replace(/\.$/, '')}.`;
	const details = error instanceof ServiceError ? error.details : undefined;
	// Only its description finds a job whose ID was lost.
	const isLost = details?.outcomeUnknown === true && details.jobId === undefined;
	return isLost ? `${message} ${details.description}` : message;
}

/** Why no row has an outcome: the errors of all files. */
function importError(parts: readonly Part[]): unknown {
	const errors = parts.flatMap(({ failure }) => (failure ? [failure.error] : []));
	const [first, ...others] = errors;
	if (others.length === 0) return first;
	const problems = groupBy([...errors.keys()], (index) => fileProblem(errors[index]));
	const all = Object.entries(problems).map(([problem, files]) => {
		const numbers = shownNames(files.map((index) => String(index + 1)));
		return `File${files.length > 1 ? 's' : ''} ${numbers}: ${problem}`;
	});
	const started = parts.filter(({ jobId }) => jobId !== undefined);
	if (started.length > 0) all.push(outcomeAdvice(started));
	const details = errors.flatMap((error) => (error instanceof ServiceError ? error.details : []));
	return new ServiceError({
		message: messageOf(first),
		description: `This import has several files. Check each before importing any of its rows again. ${all.join(' ')}`,
		httpCode: details[0]?.httpCode,
		replayable: errors.every(
			(error) =>
				error instanceof InvalidInput ||
				(error instanceof ServiceError && error.details.replayable),
		),
		outcomeUnknown: details.some(({ outcomeUnknown }) => outcomeUnknown),
	});
}

/** The error that stops the workflow: every job ended in an error, and no row has an outcome. */
function stopError(
	{ functions }: NodeContext,
	{ started: { parts }, isUnknown }: ImportOutcome,
): { error: unknown } | undefined {
	const isStopped = isUnknown && parts.length > 0 && !functions.continueOnFail();
	return isStopped ? { error: importError(parts) } : undefined;
}

/** What to do with jobs without an outcome; each row only says what happened. */
function showProblem({ functions }: NodeContext, { started: { parts }, isUnknown }: ImportOutcome) {
	const error = isUnknown && parts.length > 0 ? importError(parts) : undefined;
	if (error instanceof ServiceError)
		showHint(functions, `${error.message}. ${error.details.description}`, 'warning');
}

const NO_OUTPUT: { value: ItemOutput } = { value: [] };

/** One outcome per item. */
class ItemsOutput {
	readonly keepsImported = true;

	constructor(
		private readonly node: NodeContext,
		private readonly rows: ItemRows,
	) {}

	async ended(outcome: ImportOutcome): Promise<ItemResults> {
		const { functions } = this.node;
		const { items, isInput } = this.rows;
		const stop = stopError(this.node, outcome);
		if (stop) return isInput ? items.map(() => stop) : [stop];
		const write = rowWriter(this.node, outcome, isInput);
		const outputs = await mapInSlices(items, this.newSlice(), (item, position) => {
			const result = outcome.resultAt(position);
			if (!result) throw new Error(`Item ${position} is in no file of the import.`);
			return write(item, position, result);
		});
		showHint(functions, outcome.sentence());
		showProblem(this.node, outcome);
		return isInput ? outputs.map((output) => ({ value: [output] })) : [{ value: outputs }];
	}

	/** For each item: the started files that begin with it, then the item if it is in no file. */
	async started(outcome: ImportOutcome, started: IDataObject[]): Promise<ItemResults> {
		const write = rowWriter(this.node, outcome, this.rows.isInput);
		const files = new Map(started.map((file) => [file.firstRow, file]));
		return await mapInSlices(this.rows.items, this.newSlice(), (item, position) => {
			const file = files.get(position + 1);
			const result = outcome.resultAt(position);
			if (!file && !result) return NO_OUTPUT;
			const row = result ? [write(item, position, result)] : [];
			return { value: file ? [...asItems(file), ...row] : row };
		});
	}

	/** The output is that of the first valid item; the others come out as they are. */
	async unstarted(outcome: ImportOutcome, output: ItemOutput): Promise<ItemResults> {
		const { invalid } = outcome.started;
		const { items, isInput } = this.rows;
		const write = rowWriter(this.node, outcome, isInput);
		const results = await mapInSlices(items, this.newSlice(), (item, position): ItemOutput => {
			const result = invalid.has(position) && outcome.resultAt(position);
			return result ? [write(item, position, result)] : [];
		});
		const first = Math.max(
			0,
			results.findIndex((rows) => rows.length === 0),
		);
		return results.map((rows, position) => ({
			value: position === first ? [...output, ...rows] : rows,
		}));
	}

	private newSlice(): TimeSlice {
		return new TimeSlice(this.node.functions.getExecutionCancelSignal());
	}
}

/** A summary, then the rows of the file that the user asked for. */
class FileOutput {
	private readonly which: OutputChoice['rows'];
	readonly keepsImported: boolean;

	constructor(
		private readonly node: NodeContext,
		private readonly rows: FileRows,
		choice: OutputChoice,
	) {
		this.which = choice.rows ?? 'failed';
		this.keepsImported = this.which === 'all';
	}

	async ended(outcome: ImportOutcome): Promise<ItemResults> {
		// One failed job must not hide the outcomes of the others.
		const stop = stopError(this.node, outcome);
		if (stop) return [stop];
		const importSummary = outcome.summary();
		const isComplete =
			outcome.settledRows === importSummary.rows &&
			outcome.started.parts.every(({ failure }) => failure === undefined);
		// Without a failed row, there is nothing to read from the file.
		const isRead = this.which === 'all' || (this.which === 'failed' && !isComplete);
		const rows = isRead ? await this.readRows(outcome) : [];
		const summary = this.summaryAsColumns(outcome, importSummary, rows);
		if (importSummary.rows !== 0) showHint(this.node.functions, outcome.sentence());
		showProblem(this.node, outcome);
		// A file that was not imported can be uploaded by hand.
		const head = outcome.isUnknown ? this.withFile(summary) : { json: summary };
		return [{ value: [head, ...rows] }];
	}

	async started(outcome: ImportOutcome, files: IDataObject[]): Promise<ItemResults> {
		const [first, ...others] = files;
		// Pass the file on: the outcome can then be read from these items alone.
		const head = first ? [this.withFile(first)] : [];
		return await this.unstarted(outcome, [...head, ...asItems(others)]);
	}

	private withFile(json: IDataObject): INodeExecutionData {
		const binary = this.node.functions.getInputData()[0]?.binary;
		return binary ? { json, binary } : { json };
	}

	async unstarted(outcome: ImportOutcome, output: ItemOutput): Promise<ItemResults> {
		const rows = outcome.hasUnsentRows ? await this.readRows(outcome) : [];
		return [{ value: [...output, ...rows] }];
	}

	/** Reads the file again for the values of the rows. */
	private async readRows(outcome: ImportOutcome): Promise<ItemOutput> {
		const write = rowWriter(this.node, outcome, false);
		const output: ItemOutput = [];
		await visitRows(outcome.readGiven(this.rows), (read, position) => {
			// A result per row of a large file would be garbage by the hundreds of megabytes.
			if (!this.keepsImported && isInService(outcome.statusAt(position))) return;
			const result = outcome.resultAt(position);
			if (result) output.push(write({ json: read() ?? {} }, position, result));
		});
		return output;
	}

	private summaryAsColumns(
		outcome: ImportOutcome,
		importSummary: IDataObject,
		rows: ItemOutput,
	): IDataObject {
		// A table shows columns in the order of their first appearance: keep the details to the right.
		const hasRows = rows.some(({ json }) => !('error' in json));
		const blankRow = hasRows ? Object.fromEntries(this.rows.names.map((name) => [name, null])) : {};
		const head = { status: 'summary', reason: outcome.sentence(), primaryKey: null };
		return addOutcome(head, blankRow, { importSummary });
	}
}

export function outputOf(
	node: NodeContext & { hooks: readonly FeatureHooks[] },
	rows: ImportRows,
): ItemsOutput | FileOutput {
	const choice = node.hooks.reduce<OutputChoice>((all, { output }) => ({ ...all, ...output }), {});
	if (rows instanceof FileRows) return new FileOutput(node, rows, choice);
	if (rows instanceof ItemRows) return new ItemsOutput(node, rows);
	throw new Error('There is no output for these rows.');
}
