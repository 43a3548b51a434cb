import { sortBy } from 'lodash';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { connect } from '../shared/execution/connect';
import { NodeState } from '../shared/execution/nodeMemory';
import { mayPass } from '../shared/service/importJobWait';
import { ServiceError } from '../shared/service/serviceErrors';
import { CallCancelled } from '../shared/transport/cancellation';
import { rethrow } from '../shared/transport/rethrow';
import { buildItems, type HeldEvents, type ItemSource } from './jobItems';
import { errorsIn, readWatchedJobs } from './jobReader';
import { isPaused, nextPause } from './pollPause';
import { watchInput } from './watchFields';
import {
	afterListing,
	afterObservations,
	goesWithoutResults,
	hasMissingResults,
	isListBroken,
	type JobEvent,
	jobEventNames,
	jobsToRead,
	type Observation,
	restoreState,
	statusEvent,
	type Watch,
} from './watchState';

/** For a test run in the editor: the jobs as they are now, reported or not. */
async function readCurrentJobs(source: ItemSource, watch: Watch): Promise<INodeExecutionData[]> {
	const nothingKnown = { ...restoreState(undefined, watch), begun: true };
	const { jobs } = await readWatchedJobs(source.service, watch, nothingKnown);
	const [firstError, ...otherErrors] = errorsIn(jobs);
	if (firstError && otherErrors.length + 1 === jobs.size) throw firstError;
	const jobIds = watch.jobIds ?? [...jobs.keys()].sort((a, b) => b - a).slice(0, 1);
	if (jobIds.length === 0)
		throw new ServiceError({
			message: 'The service has no import job yet',
			description: 'Create one, then test again. An active workflow waits for the first job.',
			replayable: true,
		});
	const all = new Set(jobEventNames);
	const events = jobIds.flatMap((jobId): JobEvent[] => {
		const read = jobs.get(jobId);
		if (!read) return [];
		const event =
			'error' in read
				? 'unreadable'
				: (statusEvent(read.record.status ?? '', all) ?? 'statusChanged');
		return [{ jobId, event, previousStatus: null }];
	});
	return (await buildItems(source, events, jobs, () => true)).items;
}

/** All new events of the watched jobs. Changes `saved` last, or not at all. */
async function takeNewEvents(
	source: ItemSource,
	watch: Watch,
	saved: NodeState,
): Promise<INodeExecutionData[]> {
	const state = restoreState(saved.get('watch'), watch);
	if (watch.jobIds && jobsToRead(state, watch).length === 0) return [];

	const read = await readWatchedJobs(source.service, watch, state);
	const { jobs, lastRead = state.lastRead, list } = read;
	const unreadableLast = sortBy([...jobs], ([, job]) => 'error' in job);
	const now = Date.now();
	// First for the events, then for the state, when it is known which of them are reported.
	const afterReading = ({ queued, withoutResults }: HeldEvents) => {
		const observations = unreadableLast.map(([jobId, job]): Observation => {
			if (queued.has(jobId)) return { kind: 'queued', jobId };
			if (withoutResults.has(jobId)) return { kind: 'withoutResults', jobId };
			const mayBeListed = !list?.isWhole || list.unclear.has(jobId);
			if ('error' in job) return { kind: 'unreadable', jobId, mayBeListed };
			const isNew = list?.added.has(jobId) === true;
			return { kind: 'read', jobId, status: job.record.status, isNew };
		});
		return afterObservations(state, watch, observations, now, list?.isWhole);
	};
	const { events } = afterReading({ queued: new Set(), withoutResults: new Set() });
	// Those that have not been tried come first.
	const inOrder = sortBy(events, ({ jobId }) => hasMissingResults(state, jobId));
	const { items, ...held } = await buildItems(source, inOrder, jobs, (jobId) =>
		goesWithoutResults(state, jobId, now),
	);
	const observed = { ...afterReading(held).state, lastRead };
	const after = list ? afterListing(observed, list) : observed;
	saved.set('watch', { ...after });
	const failure = list?.failure;
	// Jobs after the page that fails would be missed silently.
	if (items.length === 0 && failure && (!failure.details.replayable || isListBroken(after)))
		throw failure;
	return items;
}

/** The nodes whose poll has not ended: n8n starts the next one in any case. */
const polling = new Set<string>();
/** The activations that were polled for: n8n gives all polls of one the same functions. */
const polled = new WeakSet<IPollFunctions>();

/**
 * When n8n starts, other workflows wait for the first poll of each node. If it fails, n8n polls again only
 * after a time that doubles.
 */
const FIRST_POLL_MS = 10_000;

/**
 * One poll. Throws InvalidInput, or ServiceError if nothing could be read, and the state stays unchanged;
 * also ServiceError if nothing is new and the list of jobs stays incomplete.
 */
export async function pollJobs(functions: IPollFunctions): Promise<INodeExecutionData[]> {
	const { watch, output } = watchInput(functions);
	const openSource = async (signal?: AbortSignal): Promise<ItemSource> => ({
		functions,
		service: await connect(functions, { signal }),
		...output,
	});
	if (functions.getMode() === 'manual') return await readCurrentJobs(await openSource(), watch);

	const saved = new NodeState(functions);
	const node = `${functions.getWorkflow().id} ${functions.getNode().id}`;
	if (polling.has(node) || isPaused(saved.get('pause'), Date.now())) return [];
	const isStart =
		['init', 'leadershipChange'].includes(functions.getActivationMode()) &&
		!polled.has(functions) &&
		saved.get('watch') !== undefined;
	polling.add(node);
	polled.add(functions);
	try {
		const source = await openSource(isStart ? AbortSignal.timeout(FIRST_POLL_MS) : undefined);
		// The state of one key's jobs is invalid for another key, also in the same credential.
		const scope = `${watch.scope} ${source.service.target.identity}`;
		const items = await takeNewEvents(source, { ...watch, scope }, saved);
		saved.set('pause', undefined);
		return items;
	} catch (error) {
		if (isStart && (error instanceof CallCancelled || mayPass(error))) return [];
		if (error instanceof ServiceError)
			saved.set('pause', nextPause(saved.get('pause'), Date.now()));
		return rethrow(error);
	} finally {
		polling.delete(node);
	}
}
