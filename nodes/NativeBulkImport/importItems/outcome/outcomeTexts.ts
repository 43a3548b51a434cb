import { DatabaseWait } from '../../../shared/execution/databaseWait';
import { startedJobError } from '../../../shared/execution/importJobOutput';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { CallCancelled } from '../../../shared/transport/cancellation';
import { jobIdsOf, type Part } from '../start/startedImport';

/** The IDs of the jobs: `import jobs 5, 6 (5 continued, not started again)`. */
export function jobsText(parts: readonly Part[]): string {
	const ids = jobIdsOf(parts);
	const continued = jobIdsOf(parts.filter(({ isContinued }) => isContinued));
	const note =
		continued.length > 0 ? ` (${continued.join(', ')} continued, not started again)` : '';
	return `import job${ids.length === 1 ? '' : 's'} ${ids.join(', ') || 'none'}${note}`;
}

/** Why no row has an outcome: the errors of all files. */
export function importError(parts: readonly Part[]): unknown {
	const errors = parts.flatMap(({ failure }) => (failure ? [failure.error] : []));
	const [first, ...others] = errors;
	if (others.length === 0) return first;
	const messages = errors.map(messageOf);
	const all = messages.map((message, index) => `File ${index + 1}: ${message.replace(/\.$/, '')}.`);
	const details = errors.flatMap((error) => (error instanceof ServiceError ? error.details : []));
	return new ServiceError({
		message: messages[0] ?? '',
		description: `This import has several files. Check each before importing any of its rows again. ${all.join(' ')}`,
		httpCode: details[0]?.httpCode,
		replayable: errors.every(
			(error) =>
				error instanceof InvalidInput ||
				(error instanceof ServiceError && error.details.replayable),
		),
		outcomeUnknown: details.some(({ outcomeUnknown }) => outcomeUnknown),
		request: details[0]?.request,
		serviceErrors: [],
	});
}

/** Adds the started jobs to an unforeseen error, which must not hide them. */
export function addStartedJobs(parts: readonly Part[], error: unknown): unknown {
	const [jobId, ...others] = new Set(jobIdsOf(parts));
	const isStop = error instanceof CallCancelled || error instanceof DatabaseWait;
	if (jobId === undefined || isStop) return error;
	const started = startedJobError(jobId, 'results', error);
	if (others.length === 0 || !(started instanceof ServiceError)) return started;
	return started.with({
		description: `${started.details.description} The other jobs of this import are ${others.join(', ')}.`,
	});
}
