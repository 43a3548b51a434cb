import { failedJobError } from '../../shared/execution/importJobOutput';
import {
	downloadResultFile,
	LARGEST_FILE_BYTES,
	readResultFile,
} from '../../shared/execution/importResults';
import type { ItemContext, ItemOutput, NodeOperation } from '../../shared/execution/operation';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { showHint } from '../../shared/execution/showHint';
import { simplifyName } from '../../shared/importFile/fileColumns';
import { MEGABYTE } from '../../shared/importFile/importFiles';
import { type RejectedRow, ReportTally } from '../../shared/importFile/importReport';
import { RejectedRows } from '../../shared/importFile/rejectedRows';
import {
	complaintsIn,
	mergeOutcomes,
	type ResultRow,
	statusOf,
} from '../../shared/importFile/resultFile';
import { endpoints } from '../../shared/service/endpoints';
import {
	type ImportJobRecord,
	isKnownToRun,
	jobState,
	type ResultFile,
} from '../../shared/service/importJobRecord';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { attachFiles, rejectedRowsOption, reportOption } from '../reportOptions';
import { withWaits } from '../wait/waitingNode';
import { forEachJob, jobIdField, WaitChoice } from './jobWait';

/** Throws if the job has not ended, has failed or has no files. */
function listResultFiles(
	service: NativeService,
	jobId: number,
	record: ImportJobRecord,
): ResultFile[] {
	const state = jobState(record.status);
	if (state === 'running') {
		const ends = isKnownToRun(record.status) ? 'has not ended yet' : 'is not known to have ended';
		throw new ServiceError({
			jobId,
			message: `Import job ${jobId} ${ends} (status ${record.status?.trim() || 'blank'})`,
			description:
				'It has no results before it ends. Choose how to wait in Wait for the Outcome, or run this operation again later.',
			replayable: true,
		});
	}
	const files = record.resultFiles ?? [];
	if (files.length === 0 && state === 'failed') throw failedJobError(service, jobId, record);
	return files;
}

function rejectedRow({ row, primaryKey, columns, outcomes }: ResultRow): RejectedRow {
	const complaints = complaintsIn(outcomes).map(([name, text]) => `${name}: ${text}`);
	return {
		row,
		reason: complaints.join('; ') || 'No outcome',
		recordId: primaryKey,
		values: columns,
	};
}

const NO_ROWS =
	'The job has ended, but its results have no rows. Check in the service which rows were imported before importing them again.';

function showDoubts({ functions }: ItemContext, jobId: number, doubts: readonly string[]): void {
	for (const doubt of doubts) showHint(functions, `Import job ${jobId}: ${doubt}`, 'warning');
}

/** What could make the outcome untrue, as sentences. */
function doubtsOf(
	record: ImportJobRecord,
	included: readonly string[],
	first: ResultRow | undefined,
	hasFailed: boolean,
): string[] {
	const doubts: string[] = [];
	if (jobState(record.status) === 'completedWithErrors' && !hasFailed)
		doubts.push(
			'The service says that the job completed with errors, but none is in its results: rows that it rejected as a whole may be missing there. Compare the number of rows with your list.',
		);
	else if (!first) doubts.push(NO_ROWS);
	// If every row was imported, none of the user's columns was read as an outcome.
	if (!first || !hasFailed) return doubts;
	const names = Object.keys(first.columns).map(simplifyName);
	const missing = included.filter((name) => !names.includes(simplifyName(name)));
	if (missing.length > 0)
		doubts.push(
			`The results have no column ${missing.join(', ')} (Included Columns). Columns that count as outcomes: ${Object.keys(first.outcomes).join(', ')}. If one of them is your own column, enter its name. Otherwise, imported rows are reported as failed.`,
		);
	return doubts;
}

/** Imported only if no mention has a complaint. */
function mergeMentions(before: ResultRow, now: ResultRow): ResultRow {
	const outcomes = mergeOutcomes(before.outcomes, now.outcomes);
	return {
		...now,
		primaryKey: now.primaryKey ?? before.primaryKey,
		primaryKeyType: now.primaryKeyType ?? before.primaryKeyType,
		outcomes,
		succeeded: (before.succeeded || now.succeeded) && complaintsIn(outcomes).length === 0,
	};
}

/** One item per row. The first holds the files; with a report there is an item even without rows. */
async function rowItems(
	item: ItemContext,
	jobId: number,
	files: ResultFile[],
	record: ImportJobRecord,
): Promise<ItemOutput> {
	const { functions, parameters, service } = item;
	const included = parameters.names('includedColumns');
	const options = parameters.in('options');
	const wanted = { report: options.flag('report'), rejectedRows: options.flag('rejectedRows') };
	/** A job with several actions mentions a row several times. */
	const rows = new Map<unknown, ResultRow>();
	let firstRow: ResultRow | undefined;
	let hasFailed = false;
	const slice = new TimeSlice(service.signal);
	const output: ItemOutput = [];
	for (const [index, file] of files.entries()) {
		const items = await readResultFile(service, file, index + 1, { included }, (row) => ({
			json: { jobId, ...row },
		}));
		for (const read of items) {
			if (slice.isOver) await slice.yield();
			output.push(read);
			const row = read.json;
			firstRow ??= row;
			hasFailed ||= statusOf(row) !== 'imported';
			if (!wanted.report && !wanted.rejectedRows) continue;
			const key = row.row ?? row;
			const known = rows.get(key);
			rows.set(key, known ? mergeMentions(known, row) : row);
		}
	}
	if (!firstRow && jobState(record.status) === 'failed')
		throw failedJobError(service, jobId, record);
	const columns = Object.keys(firstRow?.columns ?? {});
	const collected = { tally: new ReportTally(), rejected: new RejectedRows(columns) };
	for (const row of rows.values()) {
		if (slice.isOver) await slice.yield();
		const status = statusOf(row);
		const described = rejectedRow(row);
		collected.tally.add(status, () => described);
		const { primaryKey: id, primaryKeyType: idName } = row;
		if (status !== 'imported')
			collected.rejected.add(row.columns, described.reason, { id, idName });
	}
	const doubts = doubtsOf(record, included, firstRow, hasFailed);
	showDoubts(item, jobId, doubts);
	if (wanted.report && output.length === 0) output.push({ json: { jobId } });
	const [first] = output;
	if (first) await attachFiles(functions, first, wanted, [jobId], collected, { doubts });
	return output;
}

async function binaryItems(
	item: ItemContext,
	jobId: number,
	files: ResultFile[],
	maxBytes: number,
): Promise<ItemOutput> {
	const { functions, service } = item;
	if (files.length === 0) showDoubts(item, jobId, [NO_ROWS]);
	const output: ItemOutput = [];
	for (const [index, file] of files.entries()) {
		const fileNumber = index + 1;
		const bytes = await downloadResultFile(service, file, fileNumber, maxBytes);
		const fileName = `job-${jobId}-results-${fileNumber}.csv`;
		output.push({
			json: { jobId, fileNumber, files: files.length, dateExpired: file.dateExpired ?? null },
			binary: { data: await functions.helpers.prepareBinaryData(bytes, fileName, 'text/csv') },
		});
	}
	return output;
}

const waitChoice = new WaitChoice(
	{
		displayName: 'Wait for the Outcome',
		name: 'waitForOutcome',
		description: 'Where to wait until the jobs have ended',
	},
	['none', 'memory', 'database'],
);

export const getResultsOperation: NodeOperation = {
	value: 'getResults',
	name: 'Get Results',
	action: 'Get results of import job',
	description: 'Download all result files of a job that has ended',
	calls: [endpoints.getBulkImportJob],
	properties: [
		jobIdField,
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Rows',
					value: 'rows',
					description: 'One item per row, with the outcome of each mapping type',
				},
				{
					name: 'Files',
					value: 'binary',
					description: 'One item per result file, with the file in the field "data"',
				},
			],
			default: 'rows',
			description: 'What to return',
		},
		{
			displayName: 'Included Columns',
			name: 'includedColumns',
			type: 'string',
			default: '={{ $json.includedColumns }}',
			placeholder: 'e.g. CrmId',
			displayOptions: { show: { output: ['rows'] } },
			description:
				'Your own columns in the result files, separated by commas. Any other column counts as an outcome: a row succeeds only if every outcome column reports success.',
		},
	],
	options: [
		...waitChoice.fields,
		{
			displayName: 'Max File Size (MB)',
			name: 'maxFileSizeMb',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 200,
			displayOptions: { show: { '/output': ['binary'] } },
			description:
				'Largest result file to return. A larger one is an error, because n8n holds the whole file in memory.',
		},
		{ ...rejectedRowsOption, displayOptions: { show: { '/output': ['rows'] } } },
		{ ...reportOption, displayOptions: { show: { '/output': ['rows'] } } },
	],
	runAll: withWaits(waitChoice, async (run, wait) => {
		return await forEachJob(run, wait, async (item, jobId, record) => {
			const files = listResultFiles(run.service, jobId, record);
			if (item.parameters.choice('output', ['rows', 'binary']) === 'rows')
				return await rowItems(item, jobId, files, record);
			const largest = item.parameters
				.in('options')
				.positive('maxFileSizeMb', LARGEST_FILE_BYTES / MEGABYTE);
			return await binaryItems(item, jobId, files, largest * MEGABYTE);
		});
	}),
};
