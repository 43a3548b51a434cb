import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ItemOutput, ItemResult, NodeContext } from '../../shared/execution/operation';
import { mapInSlices, TimeSlice } from '../../shared/execution/timeSlice';
import { ReportTally } from '../../shared/importFile/importReport';
import { RejectedRows } from '../../shared/importFile/rejectedRows';
import { itemProperties } from '../file/itemProperty';
import type { SourceFile } from '../file/sourceFile';
import { prepareRejectedRows, prepareReport } from '../reportOptions';
import { readableRows, rowValues } from './outcomeOutput';
import type { ImportOutcome } from './importOutcome';
import type { RowResult } from './rowOutcomes';
import { ownValues } from './outcomeRow';
import { jobIdsOf } from './part';

/** The rows that are or were imported. */
export type InputRows = { items: readonly INodeExecutionData[] } | { file: SourceFile };

/** Readers of the values of all rows, in order. */
async function* readRows(
	functions: IExecuteFunctions,
	rows: InputRows,
	outcome: ImportOutcome,
): AsyncGenerator<() => IDataObject | undefined> {
	if ('file' in rows) {
		for await (const batch of readableRows(rows.file, outcome))
			for (const row of batch) yield () => rowValues(rows.file, row);
		return;
	}
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	for (const { json } of rows.items) {
		if (slice.isOver) await slice.yield();
		yield () => ownValues(json);
	}
}

/** The properties of the rows without what an earlier import added. */
async function ownProperties(
	items: readonly INodeExecutionData[],
	slice: TimeSlice,
): Promise<string[]> {
	const own = await mapInSlices(items, slice, ({ json }) => ({ json: ownValues(json) }));
	return await itemProperties(own, slice);
}

function isToCorrect({ status }: RowResult): boolean {
	return status !== 'imported' && status !== 'unknown';
}

/** The first output item without an error, or the first. */
function firstOutput(
	results: ReadonlyArray<ItemResult<ItemOutput>>,
): INodeExecutionData | undefined {
	let first: INodeExecutionData | undefined;
	for (const result of results) {
		const [output] = 'value' in result ? result.value : [];
		if (output && !('error' in output.json)) return output;
		first ??= output;
	}
	return first;
}

/** Adds the files that the user asked for to the first output item, preferably one without an error. */
export async function attachFiles(
	{ functions, parameters }: NodeContext,
	outcome: ImportOutcome,
	rows: InputRows,
	results: Array<ItemResult<ItemOutput>>,
): Promise<Array<ItemResult<ItemOutput>>> {
	const report = parameters.in('options').flag('report');
	const rejectedRows = parameters.in('options').flag('rejectedRows');
	if (!report && !rejectedRows) return results;
	const target = firstOutput(results);
	if (!target) return results;
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const tally = new ReportTally();
	const rejected =
		'file' in rows
			? new RejectedRows(rows.file.columns, rows.file.delimiter)
			: new RejectedRows(await ownProperties(rows.items, slice));
	const { lineOf } = outcome.source;
	const numberOf = (at: number): number => lineOf?.(at + 1) ?? at + 1;
	let position = -1;
	for await (const read of readRows(functions, rows, outcome)) {
		position++;
		if (outcome.statusAt(position) === 'imported') {
			tally.add('imported');
			continue;
		}
		const result = outcome.resultAt(position);
		if (!result) continue;
		tally.add(result.status, () => ({
			row: numberOf(position),
			reason: result.reason ?? '',
			recordId: result.primaryKey,
			values: read() ?? {},
		}));
		const values = rejectedRows && isToCorrect(result) ? read() : undefined;
		if (values)
			rejected.add(values, result.reason ?? '', {
				id: result.primaryKey,
				idName: result.primaryKeyType,
			});
	}
	const jobIds = jobIdsOf(outcome.parts);
	const { rows: repeatedRows, records } = outcome.results?.repeated ?? { rows: 0, records: [] };
	const details = {
		notes: [...outcome.started.warnings],
		rowLabel: lineOf ? 'Line' : outcome.source.noun === 'item' ? 'Item' : 'Row',
		repeated: {
			rows: repeatedRows,
			records: records.map(({ positions, ...record }) => ({
				...record,
				numbers: positions.map(numberOf),
			})),
		},
	} as const;
	const files: IBinaryKeyData = {
		...(report && { report: await prepareReport(functions, jobIds, tally, details) }),
		...(await prepareRejectedRows(functions, jobIds, rejected)),
	};
	if (Object.keys(files).length > 0) target.binary = { ...target.binary, ...files };
	return results;
}
