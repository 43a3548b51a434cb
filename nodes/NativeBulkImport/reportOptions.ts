import { DateTime } from 'luxon';
import type { IBinaryData, IBinaryKeyData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { buildReport, type ReportHead, type ReportTally } from '../shared/importFile/importReport';
import type { RejectedRows } from '../shared/importFile/rejectedRows';

export const reportOption: INodeProperties = {
	displayName: 'Report',
	name: 'report',
	type: 'boolean',
	default: false,
	description:
		'Whether to add an HTML file for people to the first item, in the field "report": counts, reasons, the first 100 rows that were not imported, what to do next',
};

export const rejectedRowsOption: INodeProperties = {
	displayName: 'File of Rejected Rows',
	name: 'rejectedRows',
	type: 'boolean',
	default: false,
	description:
		'Whether to add a CSV file of the rows to correct and import again to the first item, in the field "rejected": their columns, the ID of a record that exists, and the reason. Read the reason first.',
};

/** Those of an import, which has nothing to report if it does not read the outcome. */
export const importReportOptions = [rejectedRowsOption, reportOption].map(
	(option): INodeProperties => ({
		...option,
		displayOptions: { hide: { waitForOutcome: ['none'], '/hosting': ['none'] } },
	}),
);

/** Empty without rejected rows. */
export async function prepareRejectedRows(
	functions: IExecuteFunctions,
	jobIds: readonly number[],
	{ content }: RejectedRows,
): Promise<IBinaryKeyData> {
	if (!content) return {};
	const fileName = `rejected-rows-${jobIds.join('-') || 'none'}`.slice(0, 96);
	const { helpers } = functions;
	return { rejected: await helpers.prepareBinaryData(content, `${fileName}.csv`, 'text/csv') };
}

export async function prepareReport(
	functions: IExecuteFunctions,
	jobIds: readonly number[],
	tally: ReportTally,
	details: Pick<ReportHead, 'name' | 'notes' | 'doubts' | 'rowLabel' | 'repeated' | 'people'>,
): Promise<IBinaryData> {
	const createdAt = DateTime.now().setZone(functions.getTimezone()).toFormat('yyyy-MM-dd HH:mm z');
	const html = buildReport({ jobIds, createdAt, ...details }, tally);
	return await functions.helpers.prepareBinaryData(
		Buffer.from(html),
		`import-report-${jobIds.join('-') || 'none'}.html`.slice(0, 100),
		'text/html',
	);
}
