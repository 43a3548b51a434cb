import { z } from 'zod';

/** The number of a job; some responses give it as text. Never rounded: it would be another job. */
export const jobNumber = z
	.union([z.number(), z.string().regex(/^\d{1,16}$/)])
	.transform(Number)
	.refine((number) => Number.isSafeInteger(number) && number > 0, {
		message: 'must be a whole number above 0',
	});

/** The response to POST /bulkImportJobs: service.md 2.7. */
export const jobCreatedSchema = z.object({ jobId: jobNumber }).passthrough();

const resultFileSchema = z
	.object({ url: z.string(), dateExpired: z.string().nullish().catch(undefined) })
	.passthrough();

/** A job read back. Lenient: the contract does not show it (service.md 2.7). */
export const importJobRecordSchema = z
	.object({
		id: jobNumber.nullish(),
		status: z.string().nullish(),
		// One error without a list is shown like those of calls.
		errors: z.preprocess(
			(errors) => (errors === null || errors === undefined ? errors : [errors].flat()),
			z.array(z.unknown()).nullish(),
		),
		resultFiles: z.array(resultFileSchema).nullish(),
	})
	.passthrough();

export type ImportJobRecord = z.infer<typeof importJobRecordSchema>;
export type ResultFile = z.infer<typeof resultFileSchema>;

export type JobState = 'running' | 'completed' | 'completedWithErrors' | 'failed';

/**
 * Meaning of a status. Spellings differ between deployments (service.md 2.7): "complete…", "error…" and
 * "fail…" mean that the job ended; any other status counts as running.
 */
export function jobState(status: string | null | undefined): JobState {
	const word = (status ?? '').replace(/[^a-z]/gi, '').toLowerCase();
	if (word.startsWith('complete'))
		return word.includes('error') ? 'completedWithErrors' : 'completed';
	if (word.startsWith('fail') || word.startsWith('error')) return 'failed';
	return 'running';
}

/** Whether a status says that the job runs. One that is not known may be an end, e.g. a cancellation. */
export function isKnownToRun(status: string | null | undefined): boolean {
	return /^(pending|in[ _-]?progress)/i.test(status?.trim() ?? '');
}

/** Whether it is one of a job: an error envelope can have a status of its own. */
export function isJobStatus(status: unknown): boolean {
	return (
		typeof status === 'string' && (isKnownToRun(status) || /^(complete|fail)/i.test(status.trim()))
	);
}

const jobErrorSchema = z
	.object({ text: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() })
	.passthrough();

/** The job-level errors as sentences. Row-level ones are in the result files. */
export function jobErrorTexts(record: ImportJobRecord): string[] {
	return (record.errors ?? []).map((entry) => {
		const error = typeof entry === 'string' ? { text: entry } : entry;
		const { text, code } = jobErrorSchema.safeParse(error).data ?? {};
		return String(text ?? code ?? JSON.stringify(entry));
	});
}
