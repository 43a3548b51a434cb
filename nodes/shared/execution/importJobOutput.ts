import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type ImportJobRecord, jobErrorTexts, jobState } from '../service/importJobRecord';
import type { NativeService } from '../service/nativeService';
import { ServiceError } from '../service/serviceErrors';

/** The job as output: the service's record with its ID and the meaning of its status. */
export function jobOutput(
	service: NativeService,
	jobId: number,
	record: ImportJobRecord,
): IDataObject {
	const state = jobState(record.status);
	return {
		...service.redactor.value(record as IDataObject),
		jobId,
		hasEnded: state !== 'running',
		hasErrors: state === 'completedWithErrors' || state === 'failed',
	};
}

/**
 * What "Create" knew of the job and the service does not return, for later steps. Only for the same
 * job: another job's columns could be outcomes of this one.
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

/** What n8n's list of executions calls it, under "Custom data". */
const JOBS_KEY = 'importJobs';

/** n8n cuts longer values. */
const LONGEST_VALUE = 512;

interface CustomData {
	get(key: string): string | undefined;
	set(key: string, value: string): void;
}

/**
 * Writes an import job into n8n's log and into the custom data of the execution, so that the execution is found
 * by its job.
 *
 * @param message for the log
 */
export function recordJob(functions: IExecuteFunctions, jobId: number, message: string): void {
	functions.logger.info(message, { jobId });
	const { $execution } = functions.getWorkflowDataProxy(0);
	const { customData } = $execution as { customData?: CustomData };
	const earlier = customData?.get(JOBS_KEY);
	const jobs = earlier ? `${earlier}, ${jobId}` : String(jobId);
	if (jobs.length <= LONGEST_VALUE) customData?.set(JOBS_KEY, jobs);
}
