import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect } from '../shared/execution/connect';
import type { ImportJobRecord } from '../shared/service/importJobRecord';
import type { NativeService } from '../shared/service/nativeService';
import { ServiceError } from '../shared/service/serviceErrors';
import { targetIdentity } from '../shared/service/target';
import { rethrow } from '../shared/transport/rethrow';
import { buildResultItems, mayHaveResults, buildPlainItem, type ItemSource } from './jobItems';
import { isFault, type JobsRead, listJobs, readJobs } from './jobReader';
import { watchInput } from './watchFields';
import {
	afterObservations,
	goesWithoutResults,
	isPaused,
	type JobEvent,
	jobEventNames,
	jobsToRead,
	nextPause,
	restoreState,
	type Observation,
	statusEvent,
	type Watch,
	type WatchState,
} from './watchState';

/** The results of further jobs wait for the next poll. */
const MOST_JOBS_WITH_RESULTS = 20;

interface Observed extends JobsRead {
	observations: Observation[];
	/** Where the next poll goes on in the service's list; undefined if its end was reached. */
	listFrom: string | undefined;
	/** The error that cut the list short, if any. */
	listFailure?: ServiceError | undefined;
}

/** Whether a rejection concerns only this job. */
function isAboutJob(error: ServiceError, hasReadBefore: boolean): boolean {
	const { httpCode = 0 } = error.details;
	return httpCode === 404 || (httpCode >= 400 && !isFault(error) && hasReadBefore);
}

/** Throws the service's error if no job could be read. */
function throwIfNothingRead(read: JobsRead, state: WatchState): void {
	const [failure] = read.failures.values();
	if (!failure || read.records.size > 0) return;
	const hasReadBefore =
		state.ended.length > 0 || Object.values(state.open).some(({ status }) => status !== undefined);
	const failures = [...read.failures.values()];
	if (!failures.some((error) => isAboutJob(error, hasReadBefore))) throw failure;
}

function observationsOf({ records, failures }: JobsRead): Observation[] {
	return [
		...[...records].map(([jobId, { status }]): Observation => ({ kind: 'read', jobId, status })),
		...[...failures.keys()].map((jobId): Observation => ({ kind: 'unreadable', jobId })),
	];
}

/** Throws ServiceError if nothing could be read. */
async function readWatchedJobs(
	service: NativeService,
	watch: Watch,
	state: WatchState,
): Promise<Observed> {
	if (watch.jobIds) {
		const read = await readJobs(service, jobsToRead(state, watch));
		throwIfNothingRead(read, state);
		return { ...read, observations: observationsOf(read), listFrom: undefined };
	}
	const list = await listJobs(service, state.listFrom);
	// Do not initialise from a partial list: missing jobs would look new later.
	if (list.failure && (!state.begun || list.records.size === 0)) throw list.failure;
	const listed = [...list.records.values()];
	if (listed.length > 0 && listed.every(({ status }) => !status))
		throw new ServiceError({
			message: 'The list of jobs of the service does not say which of them have ended',
			description: 'Set Watch to "Specific Jobs", whose status is read one by one.',
		});
	const missing = list.failure ? [] : jobsToRead(state, watch, new Set(list.records.keys()));
	const read = await readJobs(service, missing);
	for (const [jobId, record] of list.records) read.records.set(jobId, record);
	return {
		...read,
		observations: observationsOf(read),
		listFrom: list.next,
		listFailure: list.failure,
	};
}

/** The items of events, and the jobs whose events still wait for results. */
interface PollOutput {
	items: INodeExecutionData[];
	withoutResults: Set<number>;
}

/** @param goesWithout whether to report a job even if its results cannot be read */
async function buildItems(
	source: ItemSource,
	events: JobEvent[],
	{ records, failures }: Pick<JobsRead, 'records' | 'failures'>,
	goesWithout: (jobId: number) => boolean,
): Promise<PollOutput> {
	const items: INodeExecutionData[][] = [];
	const withoutResults = new Set<number>();
	let jobsWithResults = 0;
	for (const event of events) {
		const { jobId } = event;
		const record = records.get(jobId);
		if (!record || source.results === 'none' || !mayHaveResults(record)) {
			const observed = record ? { record } : { error: failures.get(jobId) };
			items.push([buildPlainItem(source, event, observed)]);
			continue;
		}
		if (++jobsWithResults > MOST_JOBS_WITH_RESULTS) {
			withoutResults.add(jobId);
			continue;
		}
		try {
			items.push(await buildResultItems(source, event, record));
		} catch (error) {
			if (goesWithout(jobId)) items.push([buildPlainItem(source, event, { record }, error)]);
			else withoutResults.add(jobId);
		}
	}
	return { items: items.flat(), withoutResults };
}

function noJobYet(): ServiceError {
	return new ServiceError({
		message: 'The service has no import job yet',
		description: 'Create one, then test again. An active workflow waits for the first job.',
		replayable: true,
	});
}

/** For a test run in the editor: the jobs as they are now, reported or not. */
async function readCurrentJobs(source: ItemSource, watch: Watch): Promise<INodeExecutionData[]> {
	const nothingKnown = restoreState(undefined, watch);
	const { records, failures } = await readWatchedJobs(source.service, watch, nothingKnown);
	const [firstFailure] = failures.values();
	if (records.size === 0 && firstFailure) throw firstFailure;
	const jobIds = watch.jobIds ?? [...records.keys()].sort((a, b) => b - a).slice(0, 1);
	if (jobIds.length === 0) throw noJobYet();
	const all = new Set(jobEventNames);
	const eventOf = (record: ImportJobRecord | undefined) =>
		record ? (statusEvent(record.status ?? '', all) ?? 'statusChanged') : 'unreadable';
	const events = jobIds
		.filter((jobId) => records.has(jobId) || failures.has(jobId))
		.map(
			(jobId): JobEvent => ({ jobId, event: eventOf(records.get(jobId)), previousStatus: null }),
		);
	const { items } = await buildItems(source, events, { records, failures }, () => true);
	return items;
}

/** All new events of the watched jobs. Changes `saved` last, or not at all. */
async function takeNewEvents(
	source: ItemSource,
	watch: Watch,
	saved: IDataObject,
): Promise<INodeExecutionData[]> {
	const atStart = JSON.stringify(saved.watch ?? null);
	const state = restoreState(saved.watch, watch);
	if (watch.jobIds && jobsToRead(state, watch).length === 0) return [];

	const { observations, lastRead, listFrom, listFailure, ...read } = await readWatchedJobs(
		source.service,
		watch,
		state,
	);
	const now = Date.now();
	const isListRead = listFrom === undefined;
	const { events } = afterObservations(state, watch, observations, now, isListRead);
	const { items, withoutResults } = await buildItems(source, events, read, (jobId) =>
		goesWithoutResults(state, jobId, now),
	);
	const reported = observations.map(
		(observation): Observation =>
			withoutResults.has(observation.jobId)
				? { kind: 'withoutResults', jobId: observation.jobId }
				: observation,
	);
	// Another poll of this node has reported meanwhile; the next one reports the rest.
	if (JSON.stringify(saved.watch ?? null) !== atStart) return [];
	const after = afterObservations(state, watch, reported, now, isListRead).state;
	saved.watch = { ...after, lastRead: lastRead ?? state.lastRead, listFrom };
	// Every later poll would stop there, too.
	if (items.length === 0 && listFailure?.details.replayable === false) throw listFailure;
	return items;
}

/**
 * One poll, without n8n's errors. Throws InvalidInput, or ServiceError if nothing could be read, and the
 * state stays unchanged; also ServiceError if nothing is new and the list can never be read to its end.
 * @returns the items that start an execution; null for none
 */
export async function pollJobs(functions: IPollFunctions): Promise<INodeExecutionData[] | null> {
	const { watch, output } = watchInput(functions);
	const openSource = async (): Promise<ItemSource> => ({
		functions,
		service: await connect(functions, output),
		...output,
	});
	if (functions.getMode() === 'manual') return await readCurrentJobs(await openSource(), watch);

	const saved = functions.getWorkflowStaticData('node');
	if (isPaused(saved.pause, Date.now())) return null;
	try {
		const source = await openSource();
		// The state of one key's jobs is invalid for another key, also in the same credential.
		const scope = `${watch.scope} ${targetIdentity(source.service.target)}`;
		const items = await takeNewEvents(source, { ...watch, scope }, saved);
		delete saved.pause;
		return items.length > 0 ? items : null;
	} catch (error) {
		if (error instanceof ServiceError) saved.pause = nextPause(saved.pause, Date.now());
		rethrow(error);
	}
}
