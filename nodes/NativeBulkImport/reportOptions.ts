import { isEmpty } from 'lodash';
import { DateTime } from 'luxon';
import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { buildReport, type ReportHead, type ReportTally } from '../shared/importFile/importReport';
import type { RejectedRows } from '../shared/importFile/rejectedRows';

export const reportOption: INodeProperties = {
	displayName: 'Report',
	name: 'report',
	type: 'boolean',
	default: false,
	description:
		'Whether to add an HTML page to read, print or mail to the first item, in the field "report": counts, reasons, the first 100 rows that were not imported, what to do next',
};

export const rejectedRowsOption: INodeProperties = {
	displayName: 'File of Rejected Rows',
	name: 'rejectedRows',
	type: 'boolean',
	default: false,
	description:
		'Whether to add a CSV file of the rows to correct and import again to the first item, in the field "rejected": their columns, the ID of a record that exists, and the reason. Read the reason first.',
};

/** What an operation has collected for people; undefined for what the user does not want. */
export interface OutcomeFiles {
	tally: ReportTally | undefined;
	rejected: RejectedRows | undefined;
}

/** Adds the files to an item; there is none of rejected rows without such rows. */
export async function attachFiles(
	functions: IExecuteFunctions,
	item: INodeExecutionData,
	jobIds: readonly number[],
	{ tally, rejected }: OutcomeFiles,
	details: Omit<ReportHead, 'jobIds' | 'createdAt'>,
): Promise<void> {
	const { helpers } = functions;
	const jobs = jobIds.join('-') || 'none';
	const files: IBinaryKeyData = {};
	if (tally) {
		const now = DateTime.now().setZone(functions.getTimezone());
		const head = { jobIds, createdAt: now.toFormat('yyyy-MM-dd HH:mm z'), ...details };
		const html = Buffer.from(buildReport(head, tally));
		const name = `import-report-${jobs}.html`.slice(0, 100);
		files.report = await helpers.prepareBinaryData(html, name, 'text/html');
	}
	const content = rejected?.content;
	if (content) {
		const name = `${`rejected-rows-${jobs}`.slice(0, 96)}.csv`;
		files.rejected = await helpers.prepareBinaryData(content, name, 'text/csv');
	}
	if (!isEmpty(files)) item.binary = { ...item.binary, ...files };
}
