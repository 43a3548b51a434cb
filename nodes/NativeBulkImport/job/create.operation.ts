import type { IDataObject } from 'n8n-workflow';

import type {
	ItemContext,
	ItemOutput,
	ItemResult,
	NodeOperation,
} from '../../shared/execution/operation';
import { recordJob } from '../../shared/execution/recordJob';
import { sendEach } from '../../shared/execution/sendEach';
import { problemsOnScreen } from '../../shared/parameters/bodyForm';
import { endpoints } from '../../shared/service/endpoints';
import type { ImportJob } from '../../shared/service/importJob';
import { jobCreatedSchema } from '../../shared/service/importJobRecord';
import { throwIfAny } from '../../shared/service/invalidInput';
import type { WaitPlan } from '../../shared/service/importJobWait';
import { type NativeService, prepareCall } from '../../shared/service/nativeService';
import { startedJobError } from '../../shared/service/importJobErrors';
import { MappingTypeDescriptions } from '../mappingType/mappingTypeDescriptions';
import { markDescription, newRunId, readMarks } from './descriptionMark';
import { importJobInput, jobForm, jobParameters } from './importJobInput';
import { preflightJob, spellMappingTypes } from './jobPreflight';
import { waitForEnds } from './wait.operation';
import { maxWaitField, pollIntervalField, waitPlan } from './waitFields';

function definitionOf(job: ImportJob): IDataObject {
	const names = job.actions.flatMap(({ columnsToIncludeInResultsFile = [] }) =>
		columnsToIncludeInResultsFile.map(({ name }) => name),
	);
	return { description: job.description, includedColumns: [...new Set(names)] };
}

/** Checks the job of an item as the user chose. Throws InvalidInput. */
async function checkJob(
	item: ItemContext,
	mappingTypes: MappingTypeDescriptions,
	run: string,
): Promise<ImportJob> {
	const { functions, parameters, itemIndex, service } = item;
	const options = parameters.in('options');
	let job = importJobInput(item);
	if (options.flag('preflight')) {
		const problems = await preflightJob(job, mappingTypes, service.vocabulary);
		throwIfAny(problemsOnScreen(parameters, jobForm, problems));
		job = await spellMappingTypes(job, mappingTypes);
	}
	// If the execution ends here, the job must still be findable. A second mark would hide the first.
	if (!options.flag('waitForCompletion') || readMarks(job.description).length > 0) return job;
	const mark = { run, content: `item ${itemIndex + 1}` };
	return { ...job, description: markDescription(functions, job.description, mark) };
}

function jobIdOf([item]: ItemOutput): number | undefined {
	const jobId = item?.json.jobId;
	return typeof jobId === 'number' ? jobId : undefined;
}

/** Waits for the started jobs and adds to each item how its job ended. */
async function addEnds(
	service: NativeService,
	results: Array<ItemResult<ItemOutput>>,
	plan: WaitPlan,
): Promise<Array<ItemResult<ItemOutput>>> {
	const started = results.flatMap((result) =>
		'value' in result ? [jobIdOf(result.value) ?? []].flat() : [],
	);
	const ends = await waitForEnds(service, started, plan);
	return results.map((result) => {
		if ('error' in result) return result;
		const jobId = jobIdOf(result.value);
		const end = jobId === undefined ? undefined : ends.get(jobId);
		if (jobId === undefined || !end) return result;
		if ('value' in end) {
			return { value: result.value.map(({ json }) => ({ json: { ...json, ...end.value } })) };
		}
		return { error: startedJobError(jobId, 'end', end.error) };
	});
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create import job',
	description: 'Start an import from a zip file that the service can download',
	calls: [
		endpoints.getBulkImportMappingType,
		endpoints.listBulkImportMappingTypes,
		endpoints.listBulkImportFieldValues,
		endpoints.createBulkImportJob,
		endpoints.getBulkImportJob,
	],
	properties: jobParameters,
	options: [
		{
			displayName: 'Wait for Completion',
			name: 'waitForCompletion',
			type: 'boolean',
			default: false,
			description: 'Whether to wait until the job has ended and return how it ended',
		},
		pollIntervalField,
		maxWaitField,
		{
			displayName: 'Check Values Before Sending',
			name: 'preflight',
			type: 'boolean',
			default: false,
			description:
				'Whether to check mapping types, fields, static values and value translations against the service before the first job is started',
		},
	],
	async runAll(run) {
		const { functions, service } = run;
		const options = run.parameters.in('options');
		const plan = waitPlan(options);
		const mappingTypes = new MappingTypeDescriptions(service);
		const runId = newRunId();
		const results = await sendEach(run, async (item) => {
			const job = await checkJob(item, mappingTypes, runId);
			return {
				call: prepareCall(endpoints.createBulkImportJob, { path: {}, body: job }),
				output: (response, call) => {
					const { jobId } = service.parse(call, response, jobCreatedSchema);
					recordJob(functions, jobId, `Import job ${jobId} started: ${job.description}`);
					return { ...definitionOf(job), jobId };
				},
			};
		});
		const stops = !functions.continueOnFail() && results.some((result) => 'error' in result);
		return options.flag('waitForCompletion') && !stops
			? await addEnds(service, results, plan)
			: results;
	},
};
