import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ReportTally } from '../../../shared/importFile/importReport';
import {
	attachFiles,
	rejectedRowsOption,
	reportOption,
	type WantedFiles,
} from '../../reportOptions';
import type { ImportRows } from '../../rows/importRows';
import type { FeatureContext, ImportFeature, OutcomeView } from '../feature';
import { listRows, reportDetails } from '../outcome/outcomeReport';
import { jobIdsOf } from '../start/startedImport';

/** In Import Items, both are one option. */
const option: INodeProperties = {
	displayName: 'Report and Rejected Rows',
	name: 'report',
	type: 'boolean',
	default: true,
	description:
		'Whether to add two files to the first item: "report", an HTML page to read, print or mail, and "rejected", a CSV file of the rows to correct and import again',
};

function wantedFiles({ parameters, wait }: FeatureContext): WantedFiles {
	const options = parameters.in('options');
	if (!wait) return { report: options.flag('report'), rejectedRows: options.flag('rejectedRows') };
	const areWanted = options.flag('report', true);
	return { report: areWanted, rejectedRows: areWanted };
}

/** Adds the files that the user asked for. */
async function addFiles(
	context: FeatureContext,
	wanted: WantedFiles,
	item: INodeExecutionData,
	outcome: OutcomeView,
	rows: ImportRows,
	notes: readonly string[],
): Promise<void> {
	const collected = { tally: new ReportTally(), rejected: await rows.newRejectedRows() };
	await listRows(outcome, rows, collected);
	const details = await reportDetails(context, outcome, rows, notes);
	const jobIds = jobIdsOf(outcome.allParts);
	await attachFiles(context.functions, item, wanted, jobIds, collected, details);
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
