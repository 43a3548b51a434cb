import { z } from 'zod';

import { TimeSlice } from '../../../shared/execution/timeSlice';
import { endpoints } from '../../../shared/service/endpoints';
import { jobNumber, jobState } from '../../../shared/service/importJobRecord';
import { readConcurrently, readImportJob } from '../../../shared/service/importJobWait';
import { InvalidInput } from '../../../shared/service/invalidInput';
import type { NativeService } from '../../../shared/service/nativeService';
import { ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { hasCutMark, readMarks } from '../../job/descriptionMark';
import { textChecksum } from '../rows/importRows';
import { type FileMark, parseFileMark } from './startedImport';

export const KEY_LABEL = 'Run Key';

export function rejectKey(text: string): InvalidInput {
	return new InvalidInput([{ field: KEY_LABEL, text }]);
}

/** @param reason sentences that end "because …" */
function cannotProtect(reason: string): InvalidInput {
	return rejectKey(
		`cannot protect this import, because ${reason} If this import may have been started before, check in the service which rows were imported. Then remove the Run Key, and note started imports in a data table instead.`,
	);
}

const NOT_LISTED = 'the service does not list its jobs with IDs and descriptions.';

/** A job started for a file of an import with the same Run Key. */
export type EarlierJob = FileMark & { jobId: number; description: string };

const text = z
	.string()
	.nullish()
	.catch(undefined)
	.transform((value) => value?.trim() ?? '');
const listedJobSchema = z
	.object({
		id: jobNumber.nullish().catch(undefined),
		jobId: jobNumber.nullish().catch(undefined),
		description: text,
		status: text,
	})
	.transform(({ id, jobId, ...job }) => ({ ...job, jobId: jobId ?? id ?? 0 }))
	.catch({ description: '', status: '', jobId: 0 });
/** Its ID is 0 if the service does not return it. */
type ListedJob = z.output<typeof listedJobSchema>;

/** Jobs whose description is read by their ID: a minute within the lowest rate limit. */
const MOST_READS = 100;

async function listJobs(service: NativeService): Promise<ListedJob[]> {
	const jobs: ListedJob[] = [];
	const onPart = (reason: string): void => {
		throw cannotProtect(`the list of import jobs is not whole. ${reason} Try again later.`);
	};
	try {
		const list = service.list(endpoints.listBulkImportJobs, { path: {} }, onPart);
		for await (const entry of list) jobs.push(listedJobSchema.parse(entry));
	} catch (error) {
		const hasNoList =
			error instanceof ServiceError && [403, 404, 405].includes(error.details.httpCode ?? 0);
		rethrow(hasNoList ? cannotProtect(NOT_LISTED) : error);
	}
	return jobs;
}

/** Empty if it cannot be read. */
async function readDescription(service: NativeService, jobId: number): Promise<string> {
	try {
		return text.parse((await readImportJob(service, jobId)).description);
	} catch {
		throwIfCancelled(service.signal);
		return '';
	}
}

/** Throws InvalidInput if the list shows only the beginning of its longest description. */
async function checkNotCut(service: NativeService, jobs: readonly ListedJob[]): Promise<void> {
	let longest: ListedJob | undefined;
	for (const job of jobs)
		if (job.description.length > (longest?.description.length ?? 0)) longest = job;
	// A mark is the end of a description.
	if (!longest || readMarks(longest.description).length > 0) return;
	const shown = longest.description;
	const whole = await readDescription(service, longest.jobId);
	if (whole !== shown && whole.startsWith(shown.replace(/(\.{3}|…)$/, '').trim()))
		throw cannotProtect('the list of import jobs shows only the beginning of descriptions.');
}

/**
 * The jobs of a Run Key, without those that ended before they imported a row: their files can be started
 * again.
 * Throws InvalidInput if it cannot be known of each job whether it has the key.
 */
export async function findEarlierJobs(
	service: NativeService,
	runKey: string,
): Promise<EarlierJob[]> {
	const listed = await listJobs(service);
	const undescribed = listed.filter(({ description }) => description === '');
	if (undescribed.length > MOST_READS || undescribed.some(({ jobId }) => jobId === 0))
		throw cannotProtect(NOT_LISTED);
	await readConcurrently(service, undescribed, async (job) => {
		job.description = await readDescription(service, job.jobId);
	});
	await checkNotCut(service, listed);

	const key = textChecksum(runKey);
	const jobs: EarlierJob[] = [];
	const toRead: number[] = [];
	const slice = new TimeSlice(service.signal);
	for (const { jobId, description, status } of listed) {
		if (slice.isOver) await slice.yield();
		const isCut = description === '' || hasCutMark(description);
		const file = parseFileMark(description);
		if (isCut || (file?.key !== key && description.toLowerCase().includes(key)))
			throw cannotProtect(
				`the service does not return the whole description of import job ${jobId}.`,
			);
		if (file?.key !== key) continue;
		// Without its number the job cannot be continued, and its rows must not be sent again.
		if (jobId === 0) throw cannotProtect(NOT_LISTED);
		jobs.push({ ...file, jobId, description });
		if (status === '' || jobState(status) === 'failed') toRead.push(jobId);
	}
	const failed = new Set<number>();
	await readConcurrently(service, toRead, async (jobId) => {
		try {
			const { status, resultFiles } = await readImportJob(service, jobId);
			if (jobState(status) === 'failed' && !resultFiles?.length) failed.add(jobId);
		} catch {
			throwIfCancelled(service.signal);
			// It may be running; its outcome is read later.
		}
	});
	return jobs.filter(({ jobId }) => !failed.has(jobId));
}
