import type { IDataObject } from 'n8n-workflow';

import {
	asItems,
	type ItemContext,
	type ItemOutput,
	type ItemResult,
	type NodeOperation,
} from '../../shared/execution/operation';
import {
	dryRunOption,
	maxConcurrentRequestsOption,
	optionsCollection,
	replayUnknownOutcomeOption,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { endpoints } from '../../shared/service/endpoints';
import type { ImportJob } from '../../shared/service/importJob';
import { jobCreatedSchema } from '../../shared/service/importJobRecord';
import { refuseIfAny } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError, startedJobError } from '../../shared/service/serviceErrors';
import { MappingTypeDescriptions } from '../mappingType/mappingTypeDescriptions';
import { importJobFields } from './importJobFields';
import { importJobInput, problemAsEntered } from './importJobInput';
import { jobPreflight } from './jobPreflight';
import { endedJobs } from './wait.operation';
import { maxWaitField, pollIntervalField, waitPlan } from './waitFields';

interface CreateOptions {
	dryRun?: boolean;
	preflight?: boolean;
	waitForCompletion?: boolean;
	pollInterval?: number;
	maxWait?: number;
}

interface CreatedJob {
	jobId: number;
	/** What later steps need of the job but cannot read back from the service. */
	definition: IDataObject;
}

function definitionOf(job: ImportJob): IDataObject {
	const names = job.actions.flatMap(({ columnsToIncludeInResultsFile = [] }) =>
		columnsToIncludeInResultsFile.map(({ name }) => name),
	);
	return { description: job.description, includedColumns: [...new Set(names)] };
}

async function startJob(service: NativeService, job: ImportJob): Promise<CreatedJob> {
	const { jobId } = await service.read(
		endpoints.createBulkImportJob,
		{ path: {}, body: job },
		jobCreatedSchema,
	);
	return { jobId, definition: definitionOf(job) };
}

function optionsOf({ functions, itemIndex }: ItemContext): CreateOptions {
	return functions.getNodeParameter('options', itemIndex, {}) as CreateOptions;
}

/** The job of an item, checked as far as the user wants. Throws InvalidInput. */
async function checkedJob(
	item: ItemContext,
	mappingTypes: MappingTypeDescriptions,
): Promise<ImportJob> {
	const { functions, itemIndex, service } = item;
	const job = importJobInput(functions, itemIndex, service.vocabulary);
	if (optionsOf(item).preflight) {
		const problems = await jobPreflight(job, mappingTypes, service.vocabulary);
		refuseIfAny(problems.map((problem) => problemAsEntered(functions, itemIndex, problem)));
	}
	return job;
}

function startedJobs(results: Array<ItemResult<CreatedJob | undefined>>): number[] {
	return results.flatMap((result) =>
		'value' in result && result.value ? [result.value.jobId] : [],
	);
}

/** A failed item that stops the run must not hide the jobs that other items have started already. */
function withStartedJobs(error: unknown, others: number[]): unknown {
	if (others.length === 0 || !(error instanceof ServiceError)) return error;
	const { details } = error;
	const note = `Jobs this run has already started: ${others.join(', ')}. Do not create them again.`;
	return new ServiceError({ ...details, description: `${details.description} ${note}` });
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create import job',
	description: 'Start an import from a zip file that the service can download',
	properties: [
		...importJobFields,
		optionsCollection([
			{
				displayName: 'Wait for Completion',
				name: 'waitForCompletion',
				type: 'boolean',
				default: false,
				description: 'Whether to wait until the job has ended and return how it ended',
			},
			pollIntervalField,
			maxWaitField,
			dryRunOption,
			{
				displayName: 'Preflight',
				name: 'preflight',
				type: 'boolean',
				default: false,
				description:
					'Whether to check mapping types, fields, static values and value translations against the service before the first job is started',
			},
			timeoutOption,
			replayUnknownOutcomeOption,
			maxConcurrentRequestsOption,
		]),
	],
	async runAll({ functions, service, forEachItem }) {
		// Every item is checked before the first job is started: an error in the last one costs nothing.
		const mappingTypes = new MappingTypeDescriptions(service);
		const jobs = await forEachItem(async (item) => await checkedJob(item, mappingTypes));
		const stopsAt = (results: Array<ItemResult<unknown>>): boolean =>
			!functions.continueOnFail() && results.some((result) => 'error' in result);
		if (stopsAt(jobs)) return jobs.map((job) => ('error' in job ? job : { value: [] }));

		const created = await forEachItem(async (item) => {
			const job = jobs[item.itemIndex];
			if (!job || 'error' in job || optionsOf(item).dryRun) return undefined;
			return await startJob(service, job.value);
		});
		const started = startedJobs(created);
		const options = functions.getNodeParameter('options', 0, {}) as CreateOptions;
		const ended =
			options.waitForCompletion && !stopsAt(created)
				? await endedJobs(service, started, waitPlan(options))
				: undefined;

		return created.map((result, itemIndex): ItemResult<ItemOutput> => {
			const job = jobs[itemIndex];
			if (job && 'error' in job) return job;
			if ('error' in result) return { error: withStartedJobs(result.error, started) };
			if (!result.value) {
				const request = service.describe(endpoints.createBulkImportJob, {
					path: {},
					body: job?.value,
				});
				return { value: asItems({ dryRun: true, request: { ...request } }) };
			}
			const { jobId, definition } = result.value;
			const end = ended?.get(jobId);
			if (end && 'error' in end) {
				const error = startedJobError(jobId, 'end', end.error);
				return {
					error: withStartedJobs(
						error,
						started.filter((other) => other !== jobId),
					),
				};
			}
			return { value: asItems({ ...definition, jobId, ...end?.value }) };
		});
	},
};
