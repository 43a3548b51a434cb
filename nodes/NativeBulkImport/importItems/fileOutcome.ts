import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemOutput } from '../../shared/execution/operation';
import { detach } from '../../shared/importFile/detach';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import { rethrow } from '../../shared/transport/rethrow';
import type { SourceFile } from '../file/sourceFile';
import type { ImportOutcome } from './importOutcome';
import type { RowResult } from './rowOutcomes';
import { addOutcome } from './outcomeRow';
import { hasUnreadEnd } from './part';

export type OutputRows = 'all' | 'failed' | 'summary';

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

function isNested(functions: IExecuteFunctions): boolean {
	return functions.getNodeParameter('options.outcomeFormat', 0, 'columns') === 'nested';
}

/** Adds the outcome to a row, as the user wants it. */
export function outcomeWriter(
	functions: IExecuteFunctions,
): (row: IDataObject, result: RowResult) => IDataObject {
	if (isNested(functions)) return (row, importResult) => addOutcome({}, row, { importResult });
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
	functions: IExecuteFunctions,
	file: SourceFile,
	outcome: ImportOutcome,
	which: OutputRows,
): Promise<ItemOutput> {
	if (which === 'summary') return [];
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const withOutcome = outcomeWriter(functions);
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
export async function readFileOutcome(
	functions: IExecuteFunctions,
	file: SourceFile,
	outcome: ImportOutcome,
	which: OutputRows,
): Promise<ItemOutput> {
	const importSummary = outcome.summary();
	const isComplete =
		importSummary.imported === importSummary.rows &&
		outcome.parts.every(({ failure }) => failure === undefined);
	// Without a failed row, there is nothing to read from the file.
	const rows =
		which === 'failed' && isComplete ? [] : await rowItems(functions, file, outcome, which);
	if (isNested(functions)) return [{ json: { importSummary } }, ...rows];
	// A table shows columns in the order of their first appearance: keep the details to the right.
	const hasRows = rows.some(({ json }) => !('error' in json));
	const blankRow = hasRows ? Object.fromEntries(file.names.map((name) => [name, null])) : {};
	const head = { status: 'summary', reason: outcome.sentence(), primaryKey: null };
	return [{ json: addOutcome(head, blankRow, { importSummary }) }, ...rows];
}
