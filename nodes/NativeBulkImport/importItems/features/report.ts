import type { INodeExecutionData } from 'n8n-workflow';

import { ReportTally } from '../../../shared/importFile/importReport';
import { describeTarget } from '../../../shared/service/target';
import {
	attachFiles,
	importReportOptions,
	type OutcomeFiles,
	rejectedRowsOption,
	reportOption,
} from '../../reportOptions';
import { type ImportRows, visitRows } from '../../rows/importRows';
import type { FeatureContext, ImportFeature, OutcomeView } from '../feature';
import { isInService, type RowResult } from '../model';
import { importName, jobIdsOf } from '../start/startedImport';

function isToCorrect({ status }: RowResult): boolean {
	return !isInService(status) && status !== 'unknown' && status !== 'duplicate';
}

async function listRows(
	outcome: OutcomeView,
	rows: ImportRows,
	{ tally, rejected }: OutcomeFiles,
): Promise<void> {
	await visitRows(outcome.readGiven(rows), (read, position) => {
		const settled = outcome.statusAt(position);
		if (settled && isInService(settled)) return tally?.add(settled);
		const result = outcome.resultAt(position);
		if (!result) return;
		const { status, reason = '', primaryKey, primaryKeyType } = result;
		const row = outcome.numberOf(position);
		tally?.add(status, () => ({ row, reason, recordId: primaryKey, values: read() ?? {} }));
		if (!rejected || !isToCorrect(result)) return;
		const values = read();
		// A row that cannot be read has no values, so its line says where to find them.
		const found = values ? reason : `Line ${row}: ${reason}`;
		rejected.add(values ?? {}, found, { id: primaryKey, idName: primaryKeyType });
	});
}

/** Adds the files that the user asked for. */
async function addFiles(
	{ functions, parameters, service }: FeatureContext,
	item: INodeExecutionData,
	outcome: OutcomeView,
	rows: ImportRows,
	notes: readonly string[],
): Promise<void> {
	const options = parameters.in('options');
	const report = options.flag('report');
	const collected = {
		tally: report ? new ReportTally() : undefined,
		rejected: options.flag('rejectedRows') ? await rows.newRejectedRows() : undefined,
	};
	await listRows(outcome, rows, collected);
	const { started, nameOf } = outcome;
	const { rows: repeatedRows, records } = outcome.repeated;
	const [people] = started.found.flatMap(
		(found) => found.people?.(started.totalRows, nameOf) ?? [],
	);
	const details = {
		name: importName(started.parts),
		notes: [
			...(report ? [`Database: ${await describeTarget(service)}.`] : []),
			...notes,
			...started.warnings,
		],
		rowLabel: rows.lineOf ? 'Line' : rows.noun === 'item' ? 'Item' : 'Row',
		repeated: {
			rows: repeatedRows,
			records: records.map(({ positions, ...record }) => ({
				...record,
				numbers: positions.map((position) => outcome.numberOf(position)),
			})),
		},
		people,
	} as const;
	await attachFiles(functions, item, jobIdsOf(outcome.allParts), collected, details);
}

export const report: ImportFeature = {
	options: importReportOptions,
	outcomeOptions: [rejectedRowsOption, reportOption],
	of(context) {
		const options = context.parameters.in('options');
		if (!options.flag('report') && !options.flag('rejectedRows')) return undefined;
		return {
			attach: async (item, outcome, rows, notes) =>
				await addFiles(context, item, outcome, rows, notes),
		};
	},
};
