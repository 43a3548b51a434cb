import type { IExecuteFunctions } from 'n8n-workflow';

import { failedJobError } from '../../shared/execution/importJobOutput';
import { resultRowBatches } from '../../shared/execution/importResults';
import type { RowRefused } from '../../shared/importFile/delimitedRows';
import { importFiles } from '../../shared/importFile/importFiles';
import { endpoints } from '../../shared/service/endpoints';
import { jobCreatedSchema, jobState } from '../../shared/service/importJobRecord';
import { waitForJobs, type WaitedJob, type WaitPlan } from '../../shared/service/importJobWait';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { fileSettings } from '../file/fileFields';
import { adviceOnLink, type Host } from './hosting';
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
): AsyncGenerator<RowRange & { zip: Buffer }> {
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

/** Makes a file reachable and starts its job. */
export async function startedPart(
	functions: IExecuteFunctions,
	service: NativeService,
	plan: ImportPlan,
	host: Host,
	{ zip, ...range }: RowRange & { zip: Buffer },
	part: number,
): Promise<Part> {
	try {
		const sourceUrl = await host(zip, `items-${functions.getExecutionId() || 'test'}-${part}.zip`);
		const { jobId } = await service.read(
			endpoints.createBulkImportJob,
			{ path: {}, body: plan.job(sourceUrl, part) },
			jobCreatedSchema,
		);
		functions.logger.info(`Import job ${jobId} started with ${range.rows} rows`, { jobId });
		return { ...range, jobId, sourceUrl };
	} catch (error) {
		return { ...range, error };
	}
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
	if ('error' in end) return end.error;
	const state = jobState(end.record.status);
	const files = end.record.resultFiles ?? [];
	if (state === 'failed' && files.length === 0) {
		const { details } = failedJobError(service, jobId, end.record);
		return new ServiceError({
			...details,
			description: details.description + adviceOnLink(sourceUrl),
		});
	}
	try {
		for (const [index, file] of files.entries()) {
			for await (const rows of resultRowBatches(service, file, index + 1, [itemColumn])) {
				for (const row of rows) outcomes.add(jobId, row);
			}
		}
		return undefined;
	} catch (error) {
		return error instanceof ServiceError
			? new ServiceError({
					...error.details,
					message: `Import job ${jobId} has ended, but its results could not be read: ${error.details.message}`,
					description: `${error.details.description} Use "Get Results" with job ID ${jobId}.`,
				})
			: error;
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
