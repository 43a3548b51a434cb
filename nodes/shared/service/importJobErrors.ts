import { CallCancelled } from '../transport/cancellation';
import { messageOf, ServiceError, type ServiceErrorDetails } from './serviceErrors';

/** An import job did not come to what was asked for. Reading it was no fault, and can be repeated. */
export function importJobError(
	jobId: number,
	given: Pick<ServiceErrorDetails, 'message' | 'description' | 'replayable'>,
): ServiceError {
	return new ServiceError({ ...given, jobId });
}

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
 * A job was started, and then its end or its results could not be read. Whatever the reason, its rows
 * must not be sent again.
 * @param unread what could not be read
 */
export function startedJobError(jobId: number, unread: 'end' | 'results', error: unknown): unknown {
	if (error instanceof CallCancelled) return error;
	const known = error instanceof ServiceError ? error : undefined;
	// It says itself how the job ended; if it can be asked again, that is not known yet.
	if (known?.details.jobId === jobId) {
		const { replayable, outcomeUnknown } = known.details;
		return known.with({ replayable: false, outcomeUnknown: outcomeUnknown || replayable });
	}
	const { message, description } = unreadTexts[unread](jobId);
	// The description of a passing fault says to run it again, which is wrong for a job that was started.
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
