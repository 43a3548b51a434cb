import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asItems, type ItemOutput, type ItemResult } from '../../shared/execution/operation';
import { mapInSlices, TimeSlice } from '../../shared/execution/timeSlice';
import type { SourceFile } from '../file/sourceFile';
import { readFileOutcome, type OutputRows, outcomeWriter } from './fileOutcome';
import type { ImportOutcome } from './importOutcome';
import type { RowResult } from './rowOutcomes';
import { ownValues } from './outcomeRow';
import { importError } from './outcomeTexts';

type RowWriter = (item: INodeExecutionData, position: number, result: RowResult) => ItemOutput;

/**
 * Writes a row as an item. A row that was not imported goes to the error output. Without one it is a
 * normal result: one bad row must not hide the outcomes of the others.
 */
function rowWriter(
	functions: IExecuteFunctions,
	outcome: ImportOutcome,
	items: readonly INodeExecutionData[],
): RowWriter {
	const isInput = items === functions.getInputData();
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const withOutcome = outcomeWriter(functions);
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
	functions: IExecuteFunctions,
	outcome: ImportOutcome,
	items: readonly INodeExecutionData[],
): Promise<Array<ItemResult<ItemOutput>>> {
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	if (!hasErrorOutput && outcome.isUnknown) {
		const error = importError(outcome.parts);
		return items.map(() => ({ error }));
	}
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const write = rowWriter(functions, outcome, items);
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
	functions: IExecuteFunctions,
	outcome: ImportOutcome,
	file: SourceFile,
	which: OutputRows,
): Promise<ItemResult<ItemOutput>> {
	// One failed job must not hide the outcomes of the others.
	if (outcome.parts.length > 0 && outcome.isUnknown) return { error: importError(outcome.parts) };
	return { value: await readFileOutcome(functions, file, outcome, which) };
}

/** For each item: the started files that begin with it, then the item if it is in no file. */
export async function startedResults(
	functions: IExecuteFunctions,
	outcome: ImportOutcome,
	started: IDataObject[],
): Promise<Array<ItemResult<ItemOutput>>> {
	const items = functions.getInputData();
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const write = rowWriter(functions, outcome, items);
	const files = new Map(started.map((file) => [file.firstRow, file]));
	return await mapInSlices(items, slice, (item, position): ItemResult<ItemOutput> => {
		const file = files.get(position + 1);
		const result = outcome.resultAt(position);
		const row = result ? write(item, position, result) : [];
		return { value: file ? [...asItems(file), ...row] : row };
	});
}
