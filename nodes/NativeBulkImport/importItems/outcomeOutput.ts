import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import {
	asItems,
	type ItemOutput,
	type ItemResult,
	type NodeContext,
} from '../../shared/execution/operation';
import { mapInSlices, TimeSlice } from '../../shared/execution/timeSlice';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { detach } from '../../shared/importFile/detach';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import { rethrow } from '../../shared/transport/rethrow';
import type { SourceFile } from '../file/sourceFile';
import type { ImportOutcome } from './importOutcome';
import type { RowResult } from './rowOutcomes';
import { addOutcome, ownValues } from './outcomeRow';
import { importError } from './outcomeTexts';
import { hasUnreadEnd } from './part';

const outputRows = ['failed', 'all', 'summary'] as const;

export type OutputRows = (typeof outputRows)[number];

/** Which rows of the file the user wants in the output. */
export function outputRowsInput(parameters: ItemParameters): OutputRows {
	return parameters.in('options').choice('outputRows', outputRows);
}

export const outputRowsOption: INodeProperties = {
	displayName: 'Output Rows',
	name: 'outputRows',
	type: 'options',
	options: [
		{ name: 'All', value: 'all', description: 'One item per row; a large file makes many items' },
		{
			name: 'Failed',
			value: 'failed',
			description: 'One item per row that was not imported, with its values',
		},
		{ name: 'None', value: 'summary', description: 'The summary only' },
	],
	default: 'failed',
	displayOptions: { show: { '/source': ['binary'] } },
	description: 'Which rows of the file to return after the summary, which always comes first',
};

export const outcomeFormatOption: INodeProperties = {
	displayName: 'Outcome Format',
	name: 'outcomeFormat',
	type: 'options',
	options: [
		{
			name: 'Columns First',
			value: 'columns',
			description:
				'Status, reason and primaryKey, then the row, then importResult with the details',
		},
		{
			name: 'Nested Only',
			value: 'nested',
			description: 'The row, then importResult with the whole outcome',
		},
	],
	default: 'columns',
	description: 'Where the outcome of a row is in its item',
};

function isNested(parameters: ItemParameters): boolean {
	return parameters.in('options').text('outcomeFormat') === 'nested';
}

/** Adds the outcome to a row, as the user wants it. */
function outcomeWriter(
	parameters: ItemParameters,
): (row: IDataObject, result: RowResult) => IDataObject {
	if (isNested(parameters)) return (row, importResult) => addOutcome({}, row, { importResult });
	return (row, importResult) => {
		const { status, reason = null, primaryKey } = importResult;
		return addOutcome({ status, reason, primaryKey }, row, { importResult });
	};
}

/** Undefined if the row could not be read. */
export function rowValues(file: SourceFile, row: string[] | InvalidRow): IDataObject | undefined {
	if (row instanceof InvalidRow) return undefined;
	return detach(Object.fromEntries(file.names.map((name, index) => [name, row[index] ?? ''])));
}

/** The rows of a file as far as it can be read, if its damage is reported elsewhere. */
export async function* readableRows(
	file: SourceFile,
	outcome: ImportOutcome,
): AsyncGenerator<Array<string[] | InvalidRow>> {
	try {
		yield* file.rows();
	} catch (error) {
		// The summary already reports that the file cannot be read to its end.
		if (!hasUnreadEnd(outcome.parts)) rethrow(error);
	}
}

/** The output rows; reads the file again for their values. */
export async function rowItems(
	{ functions, parameters }: NodeContext,
	file: SourceFile,
	outcome: ImportOutcome,
	which: OutputRows,
): Promise<ItemOutput> {
	if (which === 'summary') return [];
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const withOutcome = outcomeWriter(parameters);
	const output: ItemOutput = [];
	let position = -1;
	for await (const batch of readableRows(file, outcome)) {
		for (const row of batch) {
			position++;
			// A result per row of a large file would be garbage by the hundreds of megabytes.
			if (which === 'failed' && outcome.statusAt(position) === 'imported') continue;
			const result = outcome.resultAt(position);
			if (!result) continue;
			const values = rowValues(file, row) ?? {};
			output.push({
				json:
					hasErrorOutput && result.status !== 'imported'
						? outcome.failedRow(position, result, values)
						: withOutcome(values, result),
			});
		}
	}
	return output;
}

/** The summary of an import, then the rows the user asked for. */
async function readFileOutcome(
	node: NodeContext,
	file: SourceFile,
	outcome: ImportOutcome,
	which: OutputRows,
): Promise<ItemOutput> {
	const importSummary = outcome.summary();
	const isComplete =
		importSummary.imported === importSummary.rows &&
		outcome.parts.every(({ failure }) => failure === undefined);
	// Without a failed row, there is nothing to read from the file.
	const rows = which === 'failed' && isComplete ? [] : await rowItems(node, file, outcome, which);
	if (isNested(node.parameters)) return [{ json: { importSummary } }, ...rows];
	// A table shows columns in the order of their first appearance: keep the details to the right.
	const hasRows = rows.some(({ json }) => !('error' in json));
	const blankRow = hasRows ? Object.fromEntries(file.names.map((name) => [name, null])) : {};
	const head = { status: 'summary', reason: outcome.sentence(), primaryKey: null };
	return [{ json: addOutcome(head, blankRow, { importSummary }) }, ...rows];
}

type RowWriter = (item: INodeExecutionData, position: number, result: RowResult) => ItemOutput;

/**
 * Writes a row as an item. A row that was not imported goes to the error output. Without one it is a
 * normal result: one bad row must not hide the outcomes of the others.
 */
function rowWriter(
	{ functions, parameters }: NodeContext,
	outcome: ImportOutcome,
	items: readonly INodeExecutionData[],
): RowWriter {
	const isInput = items === functions.getInputData();
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const withOutcome = outcomeWriter(parameters);
	return ({ json: row, binary }, position, result) => {
		if (result.status !== 'imported' && hasErrorOutput) {
			// n8n adds the error to the input item, in place of a column of that name.
			const own = ownValues(row);
			const values = isInput && !('error' in own) ? undefined : own;
			return asItems(outcome.failedRow(position, result, values));
		}
		const json = withOutcome(row, result);
		return [binary ? { json, binary } : { json }];
	};
}

export async function itemResults(
	node: NodeContext,
	outcome: ImportOutcome,
	items: readonly INodeExecutionData[],
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions } = node;
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	if (!hasErrorOutput && outcome.isUnknown) {
		const error = importError(outcome.parts);
		return items.map(() => ({ error }));
	}
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const write = rowWriter(node, outcome, items);
	const results = await mapInSlices(items, slice, (item, position): ItemResult<ItemOutput> => {
		const result = outcome.resultAt(position);
		if (!result) throw new Error(`Item ${position} is in no file of the import.`);
		return { value: write(item, position, result) };
	});
	functions.addExecutionHints({ message: outcome.sentence(), location: 'outputPane' });
	return results;
}

/** The result of the item with the file: the summary, then the rows the user asked for. */
export async function fileResult(
	node: NodeContext,
	outcome: ImportOutcome,
	file: SourceFile,
	which: OutputRows,
): Promise<ItemResult<ItemOutput>> {
	// One failed job must not hide the outcomes of the others.
	if (outcome.parts.length > 0 && outcome.isUnknown) return { error: importError(outcome.parts) };
	return { value: await readFileOutcome(node, file, outcome, which) };
}

/** For each item: the started files that begin with it, then the item if it is in no file. */
export async function startedResults(
	node: NodeContext,
	outcome: ImportOutcome,
	started: IDataObject[],
): Promise<Array<ItemResult<ItemOutput>>> {
	const { functions } = node;
	const items = functions.getInputData();
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const write = rowWriter(node, outcome, items);
	const files = new Map(started.map((file) => [file.firstRow, file]));
	return await mapInSlices(items, slice, (item, position): ItemResult<ItemOutput> => {
		const file = files.get(position + 1);
		const result = outcome.resultAt(position);
		const row = result ? write(item, position, result) : [];
		return { value: file ? [...asItems(file), ...row] : row };
	});
}
