import { isEmpty } from 'lodash';
import { DateTime } from 'luxon';
import type {
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { TimeSlice } from '../shared/execution/timeSlice';
import {
	buildReport,
	type RejectedFile,
	type ReportHead,
	type ReportTally,
} from '../shared/importFile/importReport';
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

/** What the user wants added. */
export interface WantedFiles {
	report: boolean;
	rejectedRows: boolean;
}

/** What an operation has collected for people: a report has the rejected rows, too. */
export interface OutcomeFiles {
	tally: ReportTally;
	rejected: RejectedRows;
}

/** What a report says around its rows, before it is known when and of which jobs it is. */
export type ReportDetails = Omit<ReportHead, 'jobIds' | 'createdAt' | 'rejectedFile'>;

function jobsOf(jobIds: readonly number[]): string {
	return jobIds.join('-') || 'none';
}

/** Undefined without rejected rows. */
export async function rejectedFileOf(
	functions: Pick<IExecuteFunctions, 'getExecutionCancelSignal'>,
	jobIds: readonly number[],
	rejected: RejectedRows,
): Promise<RejectedFile | undefined> {
	const content = await rejected.content(new TimeSlice(functions.getExecutionCancelSignal()));
	const name = `${`rejected-rows-${jobsOf(jobIds)}`.slice(0, 96)}.csv`;
	return content && { name, content };
}

/** The head of a report with the current time, in the workflow's time zone. */
export function reportHeadOf(
	functions: Pick<IExecuteFunctions, 'getTimezone'>,
	jobIds: readonly number[],
	rejectedFile: RejectedFile | undefined,
	details: ReportDetails,
): ReportHead {
	const now = DateTime.now().setZone(functions.getTimezone());
	const createdAt = now.toFormat('yyyy-MM-dd HH:mm z');
	return { ...details, jobIds, createdAt, rejectedFile };
}

/** Adds the files to an item; there is none of rejected rows without such rows. */
export async function attachFiles(
	functions: IExecuteFunctions,
	item: INodeExecutionData,
	wanted: WantedFiles,
	jobIds: readonly number[],
	{ tally, rejected }: OutcomeFiles,
	details: ReportDetails,
): Promise<void> {
	const { helpers } = functions;
	const files: IBinaryKeyData = {};
	const file = await rejectedFileOf(functions, jobIds, rejected);
	if (wanted.report) {
		const head = reportHeadOf(functions, jobIds, file, details);
		const html = Buffer.from(buildReport(head, tally));
		const name = `import-report-${jobsOf(jobIds)}.html`.slice(0, 100);
		files.report = await helpers.prepareBinaryData(html, name, 'text/html');
	}
	if (file && wanted.rejectedRows)
		files.rejected = await helpers.prepareBinaryData(file.content, file.name, 'text/csv');
	if (!isEmpty(files)) item.binary = { ...item.binary, ...files };
}
