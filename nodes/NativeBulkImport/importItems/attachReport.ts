import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ItemOutput, ItemResult } from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { ReportTally } from '../../shared/importFile/importReport';
import { reportFile } from '../reportOption';
import type { ImportOutcome } from './importOutcome';

interface ReportedImport {
	rowCount: number;
	/** Of a file, only the file has the values of its rows. */
	items: readonly INodeExecutionData[];
	warnings: readonly string[];
}

/** Adds the report to the first output item, preferably one without an error. */
export async function attachReport(
	functions: IExecuteFunctions,
	outcome: ImportOutcome,
	{ rowCount, items, warnings }: ReportedImport,
	results: Array<ItemResult<ItemOutput>>,
): Promise<Array<ItemResult<ItemOutput>>> {
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	const tally = new ReportTally();
	for (let position = 0; position < rowCount; position++) {
		if (slice.isOver) await slice.yield();
		const result = outcome.resultAt(position);
		if (!result) continue;
		tally.add(result.status, () => ({
			row: position + 1,
			reason: result.reason ?? '',
			recordId: result.primaryKey,
			values: items[position]?.json ?? {},
		}));
	}
	const firsts = results.flatMap((result) => ('value' in result ? result.value.slice(0, 1) : []));
	const target = firsts.find(({ json }) => !('error' in json)) ?? firsts[0];
	if (target) {
		const report = await reportFile(functions, outcome.jobIds, tally, warnings);
		target.binary = { ...target.binary, report };
	}
	return results;
}
