import type { IExecuteFunctions } from 'n8n-workflow';

/** What n8n's list of executions calls it, under "Custom data". */
const KEY = 'importJobs';

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
	const earlier = customData?.get(KEY);
	const jobs = earlier ? `${earlier}, ${jobId}` : String(jobId);
	if (jobs.length <= LONGEST_VALUE) customData?.set(KEY, jobs);
}
