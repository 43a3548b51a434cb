import { CallCancelled } from '../transport/cancellation';
import { messageOf, ServiceError } from './serviceErrors';

const unreadTexts = {
	end: (jobId: number) => ({
		message: `Import job ${jobId} was started, but its end could not be read`,
		description: `Do not import its rows again. Use "Wait", then "Get Results" with job ID ${jobId}.`,
	}),
	results: (jobId: number) => ({
		message: `Import job ${jobId} has ended, but its results could not be read`,
		description: `Do not import its rows again. Use "Get Results" with job ID ${jobId}.`,
	}),
};

/**
 * The error if a job was started but its end or results could not be read: its rows must not be sent
 * again.
 * @param unread what could not be read
 */
export function startedJobError(jobId: number, unread: 'end' | 'results', error: unknown): unknown {
	if (error instanceof CallCancelled) return error;
	const known = error instanceof ServiceError ? error : undefined;
	// This error reports the job's end, unless it is replayable: then the end is not known yet.
	if (known?.details.jobId === jobId) {
		const { replayable, outcomeUnknown } = known.details;
		return known.with({ replayable: false, outcomeUnknown: outcomeUnknown || replayable });
	}
	const { message, description } = unreadTexts[unread](jobId);
	// The description of a transient fault says to run it again, which is wrong for a started job.
	const reason = known && !known.details.replayable ? ` ${known.fullDescription}` : '';
	return new ServiceError({
		message: `${message}: ${messageOf(error)}`,
		description: `${description}${reason}`,
		jobId,
		outcomeUnknown: true,
		...(known && {
			httpCode: known.details.httpCode,
			request: known.details.request,
			serviceErrors: known.details.serviceErrors,
		}),
	});
}
