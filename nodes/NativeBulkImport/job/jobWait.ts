import type { IDataObject } from 'n8n-workflow';

import { DatabaseWait } from '../../shared/execution/databaseWait';
import { failedJobError, jobOutput } from '../../shared/execution/importJobOutput';
import type { ItemResult, RunContext } from '../../shared/execution/operation';
import { jobState } from '../../shared/service/importJobRecord';
import {
	nextSleep,
	pollJobs,
	type WaitedJob,
	waitForJobs,
	type WaitPlan,
	withOpenJobs,
} from '../../shared/service/importJobWait';
import type { WaitWay } from './waitFields';

/** Short jobs end before the execution is stored. */
const CHECKS_IN_MEMORY = 6;

/**
 * Waits for jobs in memory or in n8n's database.
 * @param work what the operation needs to go on after a wait in the database
 * @returns the end of each job by its ID, or what to return to n8n to sleep
 */
export async function waitAsChosen(
	{ service, resumed }: RunContext,
	jobIds: readonly number[],
	way: WaitWay,
	plan: WaitPlan,
	work: IDataObject = {},
): Promise<Map<number, WaitedJob> | DatabaseWait> {
	const begunAt = Date.now();
	const since = resumed?.sleep.since ?? begunAt;
	const waitedMs = begunAt - since;
	if (way === 'memory' || resumed?.didNotSleep)
		return await waitForJobs(service, jobIds, plan, waitedMs);
	const inMemoryMs = Math.min(CHECKS_IN_MEMORY * plan.pollIntervalMs, plan.maxWaitMs);
	const polled = await pollJobs(service, jobIds, plan, resumed ? 0 : inMemoryMs, waitedMs);
	const sleep =
		polled.open.size > 0 ? nextSleep(since, resumed?.sleep, plan, Date.now()) : undefined;
	return sleep ? new DatabaseWait(sleep, work) : withOpenJobs(polled);
}

/** How a job ended, as output; a job that failed or could not be awaited is an error. */
export function endOf(
	{ service }: RunContext,
	jobId: number,
	end: WaitedJob | undefined,
): ItemResult<IDataObject> {
	if (!end) return { error: new Error(`Job ${jobId} was not awaited.`) };
	if ('error' in end) return end;
	return jobState(end.record.status) === 'failed'
		? { error: failedJobError(service, jobId, end.record) }
		: { value: jobOutput(service, jobId, end.record) };
}
