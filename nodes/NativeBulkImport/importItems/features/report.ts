import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ReportTally } from '../../../shared/importFile/importReport';
import { describeTarget } from '../../../shared/service/target';
import {
	attachFiles,
	type OutcomeFiles,
	rejectedRowsOption,
	reportOption,
} from '../../reportOptions';
import { type ImportRows, visitRows } from '../../rows/importRows';
import type { FeatureContext, ImportFeature, OutcomeView } from '../feature';
import { isInService, type RowResult } from '../model';
import { importName, jobIdsOf } from '../start/startedImport';

/** In Import Items, both are one option. */
const option: INodeProperties = {
	displayName: 'Report and Rejected Rows',
	name: 'report',
	type: 'boolean',
	default: true,
	description:
		'Whether to add two files to the first item: "report", an HTML page to read, print or mail, and "rejected", a CSV file of the rows to correct and import again',
};

interface WantedFiles {
	report: boolean;
	rejectedRows: boolean;
}

function wantedFiles({ parameters, wait }: FeatureContext): WantedFiles {
	const options = parameters.in('options');
	if (!wait) return { report: options.flag('report'), rejectedRows: options.flag('rejectedRows') };
	const areWanted = options.flag('report', true);
	return { report: areWanted, rejectedRows: areWanted };
}

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
	{ functions, service }: FeatureContext,
	wanted: WantedFiles,
	item: INodeExecutionData,
	outcome: OutcomeView,
	rows: ImportRows,
	notes: readonly string[],
): Promise<void> {
	const collected = {
		tally: wanted.report ? new ReportTally() : undefined,
		rejected: wanted.rejectedRows ? await rows.newRejectedRows() : undefined,
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
			...(wanted.report ? [`Database: ${await describeTarget(service)}.`] : []),
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
	options: { group: 'results', place: 40, fields: [option] },
	outcomeOptions: [rejectedRowsOption, reportOption],
	of(context) {
		const wanted = wantedFiles(context);
		if (!wanted.report && !wanted.rejectedRows) return undefined;
		return {
			attach: async (item, outcome, rows, notes) =>
				await addFiles(context, wanted, item, outcome, rows, notes),
		};
	},
};
