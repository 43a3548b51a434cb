import { z } from 'zod';

import { TimeSlice } from '../../../shared/execution/timeSlice';
import { endpoints } from '../../../shared/service/endpoints';
import { jobNumber, jobState } from '../../../shared/service/importJobRecord';
import { readConcurrently, readImportJob } from '../../../shared/service/importJobWait';
import type { NativeService } from '../../../shared/service/nativeService';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import { hasCutMark, readMarks } from '../../job/descriptionMark';
import type { EarlierJob, FileMark, Part } from '../model';
import { parseFileMark, sameRange } from './startedImport';

/** The list of jobs does not show which of them belong to an import. */
export class UnclearJobs extends Error {
	/** @param message sentences that end "because …" */
	constructor(message: string) {
		super(message);
		this.name = 'UnclearJobs';
	}
}

const NOT_LISTED = 'the service does not list its jobs with IDs and descriptions.';

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
		throw new UnclearJobs(`the list of import jobs is incomplete. ${reason} Try again later.`);
	};
	try {
		const list = service.list(endpoints.listBulkImportJobs, { path: {} }, onPart);
		for await (const entry of list) jobs.push(listedJobSchema.parse(entry));
	} catch (error) {
		const hasNoList =
			error instanceof ServiceError && [403, 404, 405].includes(error.details.httpCode ?? 0);
		rethrow(hasNoList ? new UnclearJobs(NOT_LISTED) : error);
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

/** Throws UnclearJobs if the list shows only the beginning of its longest description. */
async function checkNotCut(service: NativeService, jobs: readonly ListedJob[]): Promise<void> {
	let longest: ListedJob | undefined;
	for (const job of jobs)
		if (job.description.length > (longest?.description.length ?? 0)) longest = job;
	// A mark is the end of a description.
	if (!longest || readMarks(longest.description).length > 0) return;
	const shown = longest.description;
	const whole = await readDescription(service, longest.jobId);
	if (whole !== shown && whole.startsWith(shown.replace(/(\.{3}|…)$/, '').trim()))
		throw new UnclearJobs('the list of import jobs shows only the beginning of descriptions.');
}

/** What the marks of an import's jobs are recognized by. */
interface Identity {
	/** Each of them holds one of these, in lower case, and no other job does; empty if that cannot be said. */
	names?: readonly string[];
	isOf: (file: FileMark) => boolean;
}

/**
 * The jobs of an import, without those that ended before they imported a row: their files can be started
 * again.
 * Throws UnclearJobs if it cannot be known of each job whether it belongs to the import.
 */
export async function findEarlierJobs(
	service: NativeService,
	{ names = [], isOf }: Identity,
): Promise<EarlierJob[]> {
	const listed = await listJobs(service);
	const undescribed = listed.filter(({ description }) => description === '');
	if (undescribed.length > MOST_READS || undescribed.some(({ jobId }) => jobId === 0))
		throw new UnclearJobs(NOT_LISTED);
	await readConcurrently(service, undescribed, async (job) => {
		job.description = await readDescription(service, job.jobId);
	});
	await checkNotCut(service, listed);

	const jobs: EarlierJob[] = [];
	const toRead: number[] = [];
	const slice = new TimeSlice(service.signal);
	for (const { jobId, description, status } of listed) {
		if (slice.isOver) await slice.yield();
		const isCut = description === '' || hasCutMark(description);
		const file = parseFileMark(description);
		const isOwn = file !== undefined && isOf(file);
		const isNamed = names.some((name) => description.toLowerCase().includes(name));
		if (isCut || (!isOwn && isNamed))
			throw new UnclearJobs(
				`the service does not return the whole description of import job ${jobId}.`,
			);
		if (!isOwn) continue;
		// Without its number the job cannot be continued, and its rows must not be sent again.
		if (jobId === 0) throw new UnclearJobs(NOT_LISTED);
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

/** Jobs by the numbers of their files. */
export function byFileNumber<Job extends EarlierJob>(
	jobs: readonly Job[],
): ReadonlyMap<number, Job> {
	return new Map(jobs.map((job) => [job.fileNumber, job]));
}

/** Why rows are not sent that n8n may have sent when it ran this part of the execution before. */
export function mayBeSent(run: string, reason: string): ServiceError {
	return new ServiceError({
		message:
			'These rows may have been sent already, because n8n went back to an earlier wait of this execution and ran this node again',
		description: `${reason} Search the service for import jobs with "run ${run}" in their description. If there is one, do not import these rows again: use "Get Item Outcomes" with its job ID.`,
		outcomeUnknown: true,
	});
}

/**
 * The jobs of a run that n8n may have begun before, by the number of their file. Throws ServiceError if they
 * cannot be known.
 */
export async function findJobsOfRun(
	service: NativeService,
	run: string,
): Promise<ReadonlyMap<number, EarlierJob>> {
	try {
		const jobs = await findEarlierJobs(service, { names: [run], isOf: (file) => file.run === run });
		return byFileNumber(jobs);
	} catch (error) {
		throwIfCancelled(service.signal);
		const reason =
			error instanceof UnclearJobs
				? `The node cannot know, because ${error.message}`
				: `The list of import jobs could not be read: ${messageOf(error)}.`;
		throw mayBeSent(run, reason);
	}
}

/** Why the file of a run is not continued with the job that was started for it; undefined if it is. */
export function otherFileOfRun(job: EarlierJob, part: Part): ServiceError | undefined {
	if (sameRange(job, part) && part.checksum === job.checksum) return undefined;
	return mayBeSent(job.run, `Import job ${job.jobId} was started then, with other rows or values.`);
}
