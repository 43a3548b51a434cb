import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemOutput } from '../../shared/execution/operation';
import { InvalidRow } from '../../shared/importFile/delimitedRows';
import { rethrow } from '../../shared/transport/rethrow';
import type { SourceFile } from '../file/sourceFile';
import type { ImportOutcome, RowResult } from './importOutcome';

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

/** A row with its outcome: summary first, then the row, then the details. */
export function withResult(row: IDataObject, result: RowResult): IDataObject {
	const { status, reason = null, primaryKey } = result;
	return { status, reason, primaryKey, ...row, importResult: { ...result } };
}

function rowValues(file: SourceFile, row: string[] | InvalidRow): IDataObject {
	if (row instanceof InvalidRow) return {};
	return Object.fromEntries(file.columns.map((name, index) => [name, row[index] ?? '']));
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
	const output: ItemOutput = [];
	let position = -1;
	try {
		for await (const batch of file.rows()) {
			for (const row of batch) {
				position++;
				const result = outcome.resultAt(position);
				if (!result || (which === 'failed' && result.status === 'imported')) continue;
				const values = rowValues(file, row);
				output.push({
					json:
						hasErrorOutput && result.status !== 'imported'
							? outcome.failedRow(position, result, values)
							: withResult(values, result),
				});
			}
		}
	} catch (error) {
		// The summary already reports that the file cannot be read to its end.
		const isReported = outcome.parts.some(({ end }) => !Number.isFinite(end));
		if (!isReported) rethrow(error);
	}
	return output;
}

/** The summary of an import, then the rows the user asked for. */
export async function fileOutcome(
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
	return [{ json: { importSummary } }, ...rows];
}
