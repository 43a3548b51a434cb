import { pick } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type ImportJobRecord, jobErrorTexts, jobState } from '../service/importJobRecord';
import type { NativeService } from '../service/nativeService';
import { messageOf, ServiceError } from '../service/serviceErrors';
import { CallCancelled } from '../transport/cancellation';

export function jobOutput(
	service: NativeService,
	jobId: number,
	record: ImportJobRecord,
): IDataObject {
	const state = jobState(record.status);
	const known = {
		jobId,
		hasEnded: state !== 'running',
		hasErrors: state === 'completedWithErrors' || state === 'failed',
	};
	// First what people read, before the addresses of the result files.
	return { ...known, ...service.redactor.value(record as IDataObject), ...known };
}

/**
 * What "Create" knew of the job and the service does not return. Only for the same job: another job's
 * columns could be outcomes of this one.
 * @param input the item that named the job
 */
export function inheritedFields(input: IDataObject | undefined, jobId: number): IDataObject {
	if (Number(input?.jobId) !== jobId) return {};
	const { description, includedColumns } = input ?? {};
	return {
		...(typeof description === 'string' && { description }),
		...(Array.isArray(includedColumns) && { includedColumns }),
	};
}

/** The error for a job that imported nothing: service.md 2.7. */
export function failedJobError(
	service: NativeService,
	jobId: number,
	record: ImportJobRecord,
): ServiceError {
	const reasons = jobErrorTexts(record).map((text) => service.redactor.text(text));
	return new ServiceError({
		jobId,
		message: `Import job ${jobId} failed${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`,
		description:
			'The service imported nothing of this job. Typical reasons: the file could not be fetched or read, turf values outside the hierarchy, or invalid values in a Jobs import. Correct the cause and create the job again.',
	});
}

/** In the custom data of an execution, where n8n cuts longer values. */
const JOBS_KEY = 'importJobs';
const LONGEST_VALUE = 512;

interface CustomData {
	get(key: string): string | undefined;
	set(key: string, value: string): void;
}

export function customDataOf(functions: IExecuteFunctions): CustomData | undefined {
	const { $execution } = functions.getWorkflowDataProxy(0);
	return ($execution as { customData?: CustomData }).customData;
}

/** In n8n's data of the execution, also if a user has filled its custom data, which takes ten values. */
const NOTED_JOBS_KEY = 'nativeImportJobs';

/**
 * Writes an import job into n8n's log and the custom data of the execution, which is found by it, and notes
 * it for {@link recordedJobs}.
 */
export function recordJob(functions: IExecuteFunctions, jobId: number, message: string): void {
	functions.logger.info(message, { jobId });
	const earlier = recordedJobs(functions);
	const jobs = earlier ? `${earlier}, ${jobId}` : String(jobId);
	if (jobs.length > LONGEST_VALUE) return;
	functions.getContext('flow')[NOTED_JOBS_KEY] = jobs;
	customDataOf(functions)?.set(JOBS_KEY, jobs);
}

/** The IDs of the jobs that this execution has started; empty for none. */
export function recordedJobs(functions: IExecuteFunctions): string {
	return String(functions.getContext('flow')[NOTED_JOBS_KEY] ?? '');
}

const unreadTexts = {
	end: { done: 'was started', use: '"Wait", then "Get Results"' },
	results: { done: 'has ended', use: '"Get Results"' },
};

/** The error for a job whose end or results could not be read: its rows must not be sent again. */
export function startedJobError(jobId: number, unread: 'end' | 'results', error: unknown): unknown {
	if (error instanceof CallCancelled) return error;
	const known = error instanceof ServiceError ? error : undefined;
	// This error reports the job's end, unless it is replayable: then the end is not known yet.
	if (known?.details.jobId === jobId) {
		const { replayable, outcomeUnknown } = known.details;
		return known.with({ replayable: false, outcomeUnknown: outcomeUnknown || replayable });
	}
	const { done, use } = unreadTexts[unread];
	// The description of a transient fault says to run it again, which is wrong for a started job.
	const reason = known && !known.details.replayable ? ` ${known.fullDescription}` : '';
	return new ServiceError({
		message: `Import job ${jobId} ${done}, but its ${unread} could not be read: ${messageOf(error)}`,
		description: `Do not import its rows again. Use ${use} with job ID ${jobId}.${reason}`,
		jobId,
		outcomeUnknown: true,
		...pick(known?.details, 'httpCode', 'request', 'serviceErrors'),
	});
}
