import { wholeId } from '../shared/service/bodySchema';
import { endpoints } from '../shared/service/endpoints';
import { type ImportJobRecord, importJobRecordSchema } from '../shared/service/importJobRecord';
import { addNoListHint } from '../shared/service/importJobWait';
import { ListProgress } from '../shared/service/listPages';
import type { NativeService } from '../shared/service/nativeService';
import { isObject } from '../shared/service/requestBody';
import { ServiceError } from '../shared/service/serviceErrors';
import { rethrow } from '../shared/transport/rethrow';
import type { Sweep, WatchState } from './watchState';

/** Pages of the list per poll, with 200 jobs each; the next poll continues after them. */
const MOST_PAGES = 50;

/** Half of the time of a poll: afterwards, open jobs are read one by one. */
const LISTING_MS = 15_000;

const NO_LIST_ADVICE =
	'Set Watch to "Specific Jobs" and enter the IDs of the jobs. "Create" of the node Native Bulk Import returns them.';

const CHANGED = 'it changes faster than it can be read.';

/** What a poll read of the service's list of jobs. */
export interface JobList {
	/** Jobs whose entry is a record with a status. */
	records: Map<number, ImportJobRecord>;
	/** The other jobs, with the status if the entry has one. */
	unclear: Map<number, string | undefined>;
	/** The first page as it was first read; see {@link WatchState}. */
	front: number[];
	/** Jobs before those of the front: the list did not have them then. */
	added: ReadonlySet<number>;
	/** Where the next poll continues; undefined if the list ended. */
	sweep?: Sweep | undefined;
	/** Whether the sweep has read all jobs of the list. */
	isWhole: boolean;
	/** Why the list could not be read as far as one poll may. */
	failure?: ServiceError;
}

/** Whether an error is a fault of the service and says nothing about the job. */
export function isFault({ details: { httpCode } }: ServiceError): boolean {
	return httpCode === undefined || [401, 408, 429].includes(httpCode) || httpCode >= 500;
}

/** Whether the service rejects the request as it is, now and later. */
function isRejection(error: ServiceError): boolean {
	return (error.details.httpCode ?? 0) >= 400 && !isFault(error);
}

/** Adds the jobs of a page. Returns their IDs, in the order of the list. */
function addJobs(
	{ records, unclear }: Pick<JobList, 'records' | 'unclear'>,
	entries: unknown[],
): number[] {
	return entries.flatMap((entry) => {
		if (!isObject(entry)) return [];
		// The record is undocumented; the response to its creation calls this number jobId.
		const jobId = wholeId(entry.id) ?? wholeId(entry.jobId);
		if (jobId === undefined) return [];
		const { data } = importJobRecordSchema.safeParse(entry);
		const { status } = entry;
		if (data?.status?.trim()) records.set(jobId, data);
		else unclear.set(jobId, typeof status === 'string' && status.trim() ? status : undefined);
		return [jobId];
	});
}

/**
 * How many jobs were added before the first one of a page; undefined if the page has changed in another
 * way. The contract orders no list: only a page that is the same but for its beginning shows what is new.
 */
export function countAdded(before: readonly number[], now: readonly number[]): number | undefined {
	const added = before[0] === undefined ? -1 : now.indexOf(before[0]);
	const isSame = now.slice(added).every((jobId, index) => jobId === before[index]);
	return added >= 0 && isSame ? added : undefined;
}

function incompleteList(reason: string): ServiceError {
	return new ServiceError({
		message: `The service's list of jobs is incomplete: ${reason}`,
		description:
			'The node cannot report jobs that the list leaves out. If this error stays, set Watch to "Specific Jobs" and enter the IDs of the jobs.',
		replayable: true,
	});
}

/**
 * Reads the list of jobs, as far as one poll may, from where the poll before stopped. The first page comes
 * first in any case, because the newest jobs may be there. Throws ServiceError if it cannot be read.
 */
export async function listJobs(service: NativeService, state: WatchState): Promise<JobList> {
	const { begun, front: firstFront = [], sweep: unfinished } = state;
	const end = service.clock.now() + LISTING_MS;
	const read: Pick<JobList, 'records' | 'unclear'> = { records: new Map(), unclear: new Map() };
	const listed = new Set<number>();
	const readPage = async (link?: string) => {
		const page = await service.readPage(endpoints.listBulkImportJobs, { path: {} }, link);
		const jobIds = addJobs(read, page.items);
		const hasNew = jobIds.some((jobId) => !listed.has(jobId));
		for (const jobId of jobIds) listed.add(jobId);
		return { page, jobIds, newEntries: hasNew ? jobIds.length : 0 };
	};

	const first = await readPage().catch((error: unknown) =>
		rethrow(error instanceof ServiceError ? addNoListHint(error, NO_LIST_ADVICE) : error),
	);
	const added = countAdded(firstFront, first.jobIds);
	const list = {
		...read,
		front: added === undefined ? first.jobIds : firstFront,
		added: new Set(first.jobIds.slice(0, added ?? 0)),
		isWhole: false,
	};
	// Where jobs left the list, its pages moved up, and the link leaves out jobs that were not read yet.
	const mustRestart = unfinished !== undefined && !begun && added === undefined;
	let progress = new ListProgress();
	let from = progress.add(first.page, first.newEntries);
	if (unfinished && !mustRestart && from !== undefined) {
		progress = new ListProgress(unfinished.entries, Math.max(unfinished.count, progress.most));
		({ from } = unfinished);
	}
	for (let pages = 1; from !== undefined; pages++) {
		const sweep = { from, entries: progress.entries, count: progress.most };
		if (pages === MOST_PAGES || service.clock.now() >= end)
			return { ...list, sweep, ...(mustRestart && { failure: incompleteList(CHANGED) }) };
		try {
			const next = await readPage(from);
			from = progress.add(next.page, next.newEntries);
		} catch (error) {
			if (!(error instanceof ServiceError)) rethrow(error);
			// A link that the service no longer accepts would fail in every poll.
			if (from === unfinished?.from && isRejection(error))
				return await listJobs(service, { ...state, sweep: undefined });
			return { ...list, sweep, failure: error };
		}
	}
	const { entries, most } = progress;
	return entries >= most
		? { ...list, isWhole: true }
		: { ...list, failure: incompleteList(`it returned ${entries} of ${most} jobs.`) };
}
