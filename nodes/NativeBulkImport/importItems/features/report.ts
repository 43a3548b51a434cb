import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ReportTally } from '../../../shared/importFile/importReport';
import { attachFiles, rejectedRowsOption, reportOption } from '../../reportOptions';
import type { ImportRows } from '../../rows/importRows';
import type { FeatureContext, ImportFeature, OutcomeView } from '../feature';
import { listRows, reportHead } from '../outcome/outcomeReport';
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

/** Adds the files that the user asked for. */
async function addFiles(
	context: FeatureContext,
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
	const head = wanted.report ? await reportHead(context, outcome, rows, notes) : {};
	await attachFiles(context.functions, item, jobIdsOf(outcome.allParts), collected, head);
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
