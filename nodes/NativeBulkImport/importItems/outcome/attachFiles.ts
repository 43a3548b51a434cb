import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import type { ItemResults, ServiceContext } from '../../../shared/execution/operation';
import { ReportTally } from '../../../shared/importFile/importReport';
import type { RejectedRows } from '../../../shared/importFile/rejectedRows';
import { describeTarget } from '../../../shared/service/target';
import { prepareRejectedRows, prepareReport } from '../../reportOptions';
import { isInService, type RowResult } from './jobResults';
import type { ImportRows } from '../rows/importRows';
import { importName, jobIdsOf } from '../start/startedImport';
import type { ImportOutcome } from './importOutcome';

function isToCorrect({ status }: RowResult): boolean {
	return !isInService(status) && status !== 'unknown' && status !== 'duplicate';
}

/** The first output item without an error, or the first. */
function firstOutput(results: Readonly<ItemResults>): INodeExecutionData | undefined {
	let first: INodeExecutionData | undefined;
	for (const result of results) {
		const [output] = 'value' in result ? result.value : [];
		if (output && !('error' in output.json)) return output;
		first ??= output;
	}
	return first;
}

/** Lists the rows that were not imported in the report and in the file to correct. */
async function listRows(
	outcome: ImportOutcome,
	rows: ImportRows,
	tally: ReportTally,
	rejected: RejectedRows | undefined,
): Promise<void> {
	let position = -1;
	for await (const batch of outcome.readGiven(rows)) {
		for (const read of batch) {
			position++;
			const settled = outcome.statusAt(position);
			if (settled && isInService(settled)) {
				tally.add(settled);
				continue;
			}
			const result = outcome.resultAt(position);
			if (!result) continue;
			const { status, reason = '', primaryKey, primaryKeyType } = result;
			const row = outcome.numberOf(position);
			tally.add(status, () => ({ row, reason, recordId: primaryKey, values: read() ?? {} }));
			if (!rejected || !isToCorrect(result)) continue;
			const values = read();
			// A row that cannot be read has no values, so its line says where to find them.
			const found = values ? reason : `Line ${row}: ${reason}`;
			rejected.add(values ?? {}, found, { id: primaryKey, idName: primaryKeyType });
		}
	}
}

/**
 * Adds the files that the user asked for to the first output item, preferably one without an error.
 * @param notes for the report
 */
export async function attachFiles(
	{ functions, parameters, service }: ServiceContext,
	outcome: ImportOutcome,
	rows: ImportRows,
	results: ItemResults,
	notes: readonly string[],
): Promise<ItemResults> {
	const options = parameters.in('options');
	const report = options.flag('report');
	const target = firstOutput(results);
	if (!target || !(report || options.flag('rejectedRows'))) return results;
	const tally = new ReportTally();
	const rejected = options.flag('rejectedRows') ? await rows.newRejectedRows() : undefined;
	await listRows(outcome, rows, tally, rejected);
	const jobIds = jobIdsOf(outcome.allParts);
	const { rows: repeatedRows, records } = outcome.results?.repeated ?? { rows: 0, records: [] };
	const details = {
		name: importName(outcome.started.parts),
		notes: [
			...(report ? [`Database: ${await describeTarget(service)}.`] : []),
			...notes,
			...outcome.started.warnings,
		],
		rowLabel: rows.lineOf ? 'Line' : rows.noun === 'item' ? 'Item' : 'Row',
		repeated: {
			rows: repeatedRows,
			records: records.map(({ positions, ...record }) => ({
				...record,
				numbers: positions.map((position) => outcome.numberOf(position)),
			})),
		},
		people: outcome.started.duplicates.details(outcome.started.totalRows, outcome.nameOf),
	} as const;
	const files: IBinaryKeyData = {
		...(report && { report: await prepareReport(functions, jobIds, tally, details) }),
		...(rejected && (await prepareRejectedRows(functions, jobIds, rejected))),
	};
	if (Object.keys(files).length > 0) target.binary = { ...target.binary, ...files };
	return results;
}
