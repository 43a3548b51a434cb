import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemOutput } from '../../shared/execution/operation';
import { toNodeError } from '../../shared/execution/nodeErrors';
import { RowRefused } from '../../shared/importFile/delimitedRows';
import type { SourceFile } from '../file/sourceFile';
import type { Part, RefusedRows } from './importParts';
import type { RowOutcomes } from './rowOutcomes';
import { RowResults } from './rowResults';

/** Which rows of an imported file become output items. */
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

function summaryOf(
	functions: IExecuteFunctions,
	refused: RefusedRows,
	parts: readonly Part[],
	outcomes: RowOutcomes,
): IDataObject {
	const counts = { imported: 0, failed: 0, missing: 0, error: 0 };
	for (const { first, end, rows, error } of parts) {
		if (error !== undefined) {
			counts.error += rows;
			continue;
		}
		for (let row = first; row < end; row++) if (!refused.has(row)) counts[outcomes.statusOf(row)]++;
	}
	return {
		rows: refused.size + parts.reduce((sum, { rows }) => sum + rows, 0),
		...counts,
		refused: refused.size,
		unmatchedResults: outcomes.unmatched,
		jobs: parts.map(({ jobId, rows, error }) => ({
			jobId: jobId ?? null,
			rows,
			...(error !== undefined && { error: toNodeError(functions.getNode(), error, 0).message }),
		})),
	};
}

function rowValues(file: SourceFile, row: string[] | RowRefused): IDataObject {
	if (row instanceof RowRefused) return {};
	return Object.fromEntries(file.columns.map((name, index) => [name, row[index] ?? '']));
}

/**
 * The rows to put out, each with its values, which are read from the file once more: nobody else holds
 * them.
 * @param outcomes undefined if nothing was sent
 */
export async function rowItems(
	functions: IExecuteFunctions,
	file: SourceFile,
	refused: RefusedRows,
	parts: readonly Part[],
	outcomes: RowOutcomes | undefined,
	which: OutputRows,
): Promise<ItemOutput> {
	if (which === 'summary') return [];
	const hasErrorOutput = functions.getNode().onError === 'continueErrorOutput';
	const results = new RowResults(functions, 'row', refused, parts, outcomes);
	const output: ItemOutput = [];
	let position = -1;
	try {
		for await (const batch of file.rows()) {
			for (const row of batch) {
				position++;
				const result = results.at(position);
				if (!result || (which === 'failed' && result.status === 'imported')) continue;
				const values = rowValues(file, row);
				output.push({
					json:
						hasErrorOutput && result.status !== 'imported'
							? results.failedRow(position, result, values)
							: { ...values, importResult: { ...result } },
				});
			}
		}
	} catch (error) {
		// The summary tells already that the file cannot be read to its end.
		const isTold = parts.some(({ end }) => !Number.isFinite(end));
		if (!isTold) await Promise.reject(error as Error);
	}
	return output;
}

/** The summary of an import, then the rows the user asked for. */
export async function fileOutcome(
	functions: IExecuteFunctions,
	file: SourceFile,
	refused: RefusedRows,
	parts: readonly Part[],
	outcomes: RowOutcomes,
	which: OutputRows,
): Promise<ItemOutput> {
	const importSummary = summaryOf(functions, refused, parts, outcomes);
	const isComplete =
		importSummary.imported === importSummary.rows &&
		parts.every(({ error }) => error === undefined);
	// Without a failed row there is nothing to look for in the file.
	const rows =
		which === 'failed' && isComplete
			? []
			: await rowItems(functions, file, refused, parts, outcomes, which);
	return [{ json: { importSummary } }, ...rows];
}
