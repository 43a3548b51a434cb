import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemOutput } from '../../shared/execution/operation';
import { toNodeError } from '../../shared/execution/nodeErrors';
import { RowRefused } from '../../shared/importFile/delimitedRows';
import { problemSentence } from '../../shared/service/invalidInput';
import type { SourceFile } from '../file/sourceFile';
import type { Part, RefusedRows } from './importParts';
import { failureText, type RowOutcome, type RowOutcomes } from './rowOutcomes';

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

/** What is put out as `importResult` of a row. */
interface ImportResult {
	/** Its number, from 1; the first line of the file is not counted. */
	row: number;
	/** `refused`: never sent. `error`: in a file whose import ended in an error. */
	status: RowOutcome['status'] | 'refused' | 'error';
	reason?: string;
	[detail: string]: unknown;
}

/** Finds what became of each row, asked in the order of the rows. */
function resultReader(
	functions: IExecuteFunctions,
	refused: RefusedRows,
	parts: readonly Part[],
	outcomes: RowOutcomes | undefined,
): (position: number) => ImportResult | undefined {
	let current = 0;
	const reasons = new Map<Part, string>();
	const errorOf = (part: Part): string => {
		const reason = reasons.get(part) ?? toNodeError(functions.getNode(), part.error, 0).message;
		reasons.set(part, reason);
		return reason;
	};
	return (position) => {
		const row = position + 1;
		const refusal = refused.get(position);
		if (refusal) {
			const { field, reason } = refusal;
			return { row, status: 'refused', reason: problemSentence({ field, text: reason }) };
		}
		while (position >= (parts[current]?.end ?? Number.POSITIVE_INFINITY)) current++;
		const part = parts[current];
		if (part?.error !== undefined)
			return { row, status: 'error', jobId: part.jobId ?? null, reason: errorOf(part) };
		if (!outcomes || part?.jobId === undefined) return undefined;
		const outcome = outcomes.of(position, part.jobId);
		return {
			row,
			...outcome,
			...(outcome.status !== 'imported' && { reason: failureText(outcome, 'row') }),
		};
	};
}

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

/** A failed row as n8n recognises it: it sends items that hold nothing but an error to the error output. */
function failedRow(result: ImportResult, values: IDataObject): IDataObject {
	return {
		error: {
			message: result.reason ?? '',
			description: `Row ${result.row} of the file. Correct it and import it again; the other rows are not affected.`,
			httpCode: null,
			replayable: true,
			outcomeUnknown: result.status === 'error',
			request: null,
			importResult: result as IDataObject,
			values,
		},
	};
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
	const resultOf = resultReader(functions, refused, parts, outcomes);
	const output: ItemOutput = [];
	let position = 0;
	for await (const batch of file.rows()) {
		for (const row of batch) {
			const result = resultOf(position++);
			if (!result || (which === 'failed' && result.status === 'imported')) continue;
			const values = rowValues(file, row);
			output.push({
				json:
					hasErrorOutput && result.status !== 'imported'
						? failedRow(result, values)
						: { ...values, importResult: result as IDataObject },
			});
		}
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
	const isComplete = importSummary.imported === importSummary.rows;
	// Without a failed row there is nothing to look for in the file.
	const rows =
		which === 'failed' && isComplete
			? []
			: await rowItems(functions, file, refused, parts, outcomes, which);
	return [{ json: { importSummary } }, ...rows];
}
