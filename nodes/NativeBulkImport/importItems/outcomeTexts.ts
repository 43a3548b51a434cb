import { startedJobError } from '../../shared/service/importJobErrors';
import { InvalidInput } from '../../shared/service/invalidInput';
import { messageOf, ServiceError } from '../../shared/service/serviceErrors';
import { CallCancelled } from '../../shared/transport/cancellation';
import type { JobResults } from './jobResults';
import { jobIdsOf, type Part, type StartedImport } from './part';
import { ROW_STATUSES, type RowResult, type RowStatus } from './rowOutcomes';

/** Words for each status in a sentence, with the advice on importing again. */
const STATUS_TEXTS: Record<RowStatus, string> = {
	imported: 'imported',
	failed: 'failed',
	missing: 'missing in the results (check before importing again)',
	invalid: 'invalid and not sent',
	notSent: 'not sent (safe to import again)',
	unknown: 'unknown (do not import again)',
};

/** The counts as a sentence, with the job IDs; zero counts are left out. */
export function outcomeSentence(
	noun: string,
	counts: Readonly<Record<RowStatus, number>>,
	{ totalRows, blankIds, parts }: StartedImport,
	results: JobResults | undefined,
): string {
	const texts = ROW_STATUSES.flatMap((status) =>
		counts[status] > 0 ? [`${counts[status]} ${STATUS_TEXTS[status]}`] : [],
	);
	const { unmatched = 0, repeated } = results ?? {};
	const repeatedRows = repeated?.rows ?? 0;
	return [
		`${totalRows} ${noun}s: ${texts.join(', ') || 'none'}`,
		...Object.entries(blankIds).map(([name, rows]) => `${rows} without ${name}`),
		...(unmatched > 0 ? [`${unmatched} result rows belong to no ${noun}`] : []),
		...(repeatedRows > 0 ? [`${repeatedRows} have the record ID of an earlier ${noun}`] : []),
		jobsText(parts),
	].join('; ');
}

/** The IDs of the jobs: `import jobs 5, 6 (5 continued, not started again)`. */
export function jobsText(parts: readonly Part[]): string {
	const ids = jobIdsOf(parts);
	const continued = jobIdsOf(parts.filter(({ isContinued }) => isContinued));
	const note =
		continued.length > 0 ? ` (${continued.join(', ')} continued, not started again)` : '';
	return `import job${ids.length === 1 ? '' : 's'} ${ids.join(', ') || 'none'}${note}`;
}

/** What to do about a row that was not imported. */
export function rowAdvice(
	noun: string,
	{ row, line, status, jobId, primaryKey, primaryKeyType }: RowResult,
): string {
	const where = [
		...(line === undefined ? [] : [`Line ${line} of the file.`]),
		...(row === undefined || line !== undefined ? [] : [`Row ${row}.`]),
		...(jobId === null ? [] : [`Import job ${jobId}.`]),
	];
	const what =
		status === 'missing'
			? `Check in the service whether it is there before you correct the ${noun} and import it again.`
			: primaryKey === null
				? `Correct the ${noun} and import it again; the others are not affected.`
				: `The record exists as ${primaryKeyType ?? 'ID'} ${primaryKey}. Fix the rejected values in the service, or import the corrected ${noun} with this ID: without it, the record may be stored twice.`;
	return [...where, what].join(' ');
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
	const [jobId, ...others] = jobIdsOf(parts);
	if (jobId === undefined || error instanceof CallCancelled) return error;
	const started = startedJobError(jobId, 'results', error);
	if (others.length === 0 || !(started instanceof ServiceError)) return started;
	return new ServiceError({
		...started.details,
		description: `${started.details.description} The other jobs of this import are ${others.join(', ')}.`,
	});
}
