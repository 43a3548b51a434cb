import type { IDataObject } from 'n8n-workflow';

import { asItems, type ItemResult, type NodeOperation } from '../../shared/execution/operation';
import { endpoints } from '../../shared/service/endpoints';
import { jobState } from '../../shared/service/importJobRecord';
import { waitForJobs, type WaitPlan } from '../../shared/service/importJobWait';
import type { NativeService } from '../../shared/service/nativeService';
import { jobIdField, jobIdInput } from './jobId';
import { failedJobError, jobOutput, inheritedFields } from '../../shared/execution/importJobOutput';
import { maxWaitField, pollIntervalField, waitPlan } from './waitFields';

/** Waits for jobs; a job that failed or could not be awaited is an error. */
export async function waitForEnds(
	service: NativeService,
	jobIds: number[],
	plan: WaitPlan,
): Promise<Map<number, ItemResult<IDataObject>>> {
	const waited = await waitForJobs(service, jobIds, plan);
	return new Map(
		[...waited].map(([jobId, end]): [number, ItemResult<IDataObject>] => {
			if ('error' in end) return [jobId, end];
			return [
				jobId,
				jobState(end.record.status) === 'failed'
					? { error: failedJobError(service, jobId, end.record) }
					: { value: jobOutput(service, jobId, end.record) },
			];
		}),
	);
}

export const waitOperation: NodeOperation = {
	value: 'wait',
	name: 'Wait',
	action: 'Wait for import jobs to end',
	description: 'Wait until the jobs of all input items have ended',
	calls: [endpoints.getBulkImportJob],
	properties: [jobIdField],
	options: [pollIntervalField, maxWaitField],
	async runAll({ functions, parameters, service, forEachItem }) {
		const jobIds = await forEachItem((item) => jobIdInput(item.parameters));
		const isAnyInvalid = jobIds.some((result) => 'error' in result);
		if (isAnyInvalid && !functions.continueOnFail()) {
			return jobIds.map((result) => ('error' in result ? result : { value: [] }));
		}
		const ended = await waitForEnds(
			service,
			jobIds.flatMap((result) => ('value' in result ? [result.value] : [])),
			waitPlan(parameters.in('options')),
		);
		const input = functions.getInputData();
		return jobIds.map((result, itemIndex) => {
			if ('error' in result) return result;
			const end = ended.get(result.value) ?? {
				error: new Error(`Job ${result.value} was not awaited.`),
			};
			if ('error' in end) return end;
			const definition = inheritedFields(input[itemIndex]?.json, result.value);
			return { value: asItems({ ...definition, ...end.value }) };
		});
	},
};
