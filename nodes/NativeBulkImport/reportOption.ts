import { DateTime } from 'luxon';
import type { IBinaryData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { buildReport, type ReportTally } from '../shared/importFile/importReport';

export const reportOption: INodeProperties = {
	displayName: 'Report',
	name: 'report',
	type: 'boolean',
	default: false,
	description:
		'Whether to add an HTML file for people to the first item, in the field "report": counts, reasons, the first 100 rows that were not imported, what to do next',
};

/** The report of an import as the binary data of an item. */
export async function reportFile(
	functions: IExecuteFunctions,
	jobIds: readonly number[],
	tally: ReportTally,
	notes: readonly string[] = [],
): Promise<IBinaryData> {
	const createdAt = DateTime.now().setZone(functions.getTimezone()).toFormat('yyyy-MM-dd HH:mm z');
	const html = buildReport({ title: 'Import report', jobIds, createdAt, notes }, tally);
	return await functions.helpers.prepareBinaryData(
		Buffer.from(html),
		`import-report-${jobIds.join('-') || 'none'}.html`.slice(0, 100),
		'text/html',
	);
}
