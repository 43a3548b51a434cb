import type { IExecuteFunctions } from 'n8n-workflow';

import { failedJobError } from '../../shared/execution/importJobOutput';
import { resultRowBatches } from '../../shared/execution/importResults';
import type { RowRefused } from '../../shared/importFile/delimitedRows';
import { importFiles } from '../../shared/importFile/importFiles';
import { endpoints } from '../../shared/service/endpoints';
import type { ImportJob } from '../../shared/service/importJob';
import { jobCreatedSchema, jobState } from '../../shared/service/importJobRecord';
import { waitForJobs, type WaitedJob, type WaitPlan } from '../../shared/service/importJobWait';
import type { NativeService } from '../../shared/service/nativeService';
import { REPLAY_ADVICE, ServiceError, startedJobError } from '../../shared/service/serviceErrors';
import { CallCancelled, throwIfCancelled } from '../../shared/transport/cancellation';
import { fileSettings } from '../file/fileFields';
import { adviceOnLink, type Host, type Hosting, hostOf } from './hosting';
import { FILE_NAME, type ImportPlan } from './importPlan';
import type { RowOutcomes } from './rowOutcomes';

/** Why rows are in no file, by their position from 0. */
export type RefusedRows = Map<number, RowRefused>;

/** The rows of one file of the import, by position: all from `first` to before `end` that were not refused. */
export interface RowRange {
	first: number;
	end: number;
	/** How many there are. */
	rows: number;
}

/** A file of the import before its job is started. */
export type BuiltPart = RowRange & { zip: Buffer };

/** One file of the import and what became of it. */
export interface Part extends RowRange {
	jobId?: number;
	/** Where the service finds the file. */
	sourceUrl?: string;
	/** Why the part did not get as far as a job, or its outcome is not known. */
	error?: unknown;
}

/** Builds the files one after the other and hands each on with the rows in it. */
export async function* builtParts(
	functions: IExecuteFunctions,
	plan: ImportPlan,
	refused: RefusedRows,
): AsyncGenerator<BuiltPart> {
	const { format, maxZipBytes, maxRows } = fileSettings(functions);
	const files = importFiles(
		{
			fileName: FILE_NAME,
			columns: plan.mapping.columns.map(({ name }) => name),
			format,
			hasHeader: true,
			maxZipBytes,
			maxRows,
			onRefused: (refusal, position) => refused.set(position, refusal),
		},
		plan.source.rows(plan.mapping.columns),
	);
	let end = 0;
	for await (const { zip, rows } of files) {
		const first = end;
		for (let found = 0; found < rows; end++) if (!refused.has(end)) found++;
		yield { zip, first, end, rows };
	}
}

/** The start of a job whose answer did not arrive may have been carried out; here is how to find out. */
function unknownStart(error: unknown, job: ImportJob): unknown {
	if (!(error instanceof ServiceError) || !error.details.outcomeUnknown) return error;
	const reason = error.details.description.replace(REPLAY_ADVICE, '');
	return new ServiceError({
		...error.details,
		description: `Look in the service for an import with the description "${job.description}". If it is there, do not import these rows again: use "Wait" and "Get Results" with its job ID. ${reason}`,
	});
}

/** Makes a file reachable and starts its job. */
async function startedPart(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	host: Host,
	{ zip, ...range }: BuiltPart,
	part: number,
): Promise<Part> {
	let job: ImportJob | undefined;
	try {
		const execution = functions.getExecutionId() || 'test';
		const sourceUrl = await host(zip, `items-${execution}-${plan.run}-${part}.zip`);
		job = plan.job(sourceUrl, part);
		const { jobId } = await service.read(
			endpoints.createBulkImportJob,
			{ path: {}, body: job },
			jobCreatedSchema,
		);
		functions.logger.info(`Import job ${jobId} started with ${range.rows} rows`, { jobId });
		return { ...range, jobId, sourceUrl };
	} catch (error) {
		throwIfCancelled(service.signal);
		return { ...range, error: job ? unknownStart(error, job) : error };
	}
}

/**
 * Starts a job for each file, one after the other. Throws before the first if the hosting cannot work, for
 * one file or for several.
 */
export async function startedParts(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	hosting: Hosting,
	files: AsyncIterable<BuiltPart> | Iterable<BuiltPart>,
): Promise<Part[]> {
	const parts: Part[] = [];
	let host: Host | undefined;
	let waiting: BuiltPart | undefined;
	const start = async (file: BuiltPart, hasMore: boolean): Promise<void> => {
		host ??= hostOf(functions, service, hosting, hasMore);
		parts.push(await startedPart(functions, service, plan, host, file, parts.length + 1));
	};
	try {
		// One behind, so that whether there are several is known before the first is uploaded.
		for await (const file of files) {
			if (waiting) await start(waiting, true);
			waiting = file;
		}
	} catch (error) {
		// Before the first job, nothing was sent; after it, what was started must be told.
		if (parts.length === 0 || error instanceof CallCancelled) await Promise.reject(error as Error);
		const first = waiting?.first ?? 0;
		return [...parts, { first, end: Number.POSITIVE_INFINITY, rows: 0, error }];
	}
	if (waiting) await start(waiting, false);
	return parts;
}

/** How the rows of an ended job went, or why that cannot be said. */
async function readOutcomes(
	service: NativeService,
	jobId: number,
	sourceUrl: string,
	end: WaitedJob,
	itemColumn: string,
	outcomes: RowOutcomes,
): Promise<unknown> {
	if ('error' in end) return startedJobError(jobId, 'end', end.error);
	const state = jobState(end.record.status);
	const files = end.record.resultFiles ?? [];
	if (state === 'failed' && files.length === 0) {
		const { details } = failedJobError(service, jobId, end.record);
		return new ServiceError({
			...details,
			description: details.description + adviceOnLink(sourceUrl),
		});
	}
	const unmatchedBefore = outcomes.unmatched;
	let read = 0;
	try {
		for (const [index, file] of files.entries()) {
			for await (const rows of resultRowBatches(service, file, index + 1, [itemColumn])) {
				for (const row of rows) outcomes.add(jobId, row);
				read += rows.length;
			}
		}
		const unmatched = outcomes.unmatched - unmatchedBefore;
		if (files.length > 0 && (read === 0 || read > unmatched)) return undefined;
		// A row that is not mentioned among others was refused; where none is, nothing is known.
		throw new Error(
			files.length === 0
				? 'the service gives no result file'
				: `none of the ${read} rows in its result files tells to which row it belongs`,
		);
	} catch (error) {
		return startedJobError(jobId, 'results', error);
	}
}

/** Waits for the jobs of all parts and reads what became of their rows. */
export async function awaitParts(
	service: NativeService,
	plan: ImportPlan,
	parts: Part[],
	wait: WaitPlan,
	outcomes: RowOutcomes,
): Promise<void> {
	const ended = await waitForJobs(
		service,
		parts.flatMap(({ jobId }) => jobId ?? []),
		wait,
	);
	for (const part of parts) {
		const end = part.jobId === undefined ? undefined : ended.get(part.jobId);
		if (part.jobId === undefined || !end) continue;
		part.error = await readOutcomes(
			service,
			part.jobId,
			part.sourceUrl ?? '',
			end,
			plan.mapping.itemColumn,
			outcomes,
		);
	}
}
