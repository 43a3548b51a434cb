import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { recordJob, startedJobError } from '../../shared/execution/importJobOutput';
import { errorItem, errorOfItem } from '../../shared/execution/nodeErrors';
import {
	asItems,
	type ItemContext,
	type ItemOutput,
	type ItemResult,
	type ItemResults,
	type NodeOperation,
} from '../../shared/execution/operation';
import { isOfFailedJob } from '../../shared/execution/runHistory';
import { effectOf, sendEach } from '../../shared/execution/sendEach';
import { forgetKey } from '../../shared/execution/sendOnce';
import {
	bodyInput,
	fieldsOrJson,
	problemsOnScreen,
	usingFields,
} from '../../shared/parameters/bodyForm';
import { screenFields } from '../../shared/service/bodyField';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { type ImportJob, importJobBody, importJobForm } from '../../shared/service/importJob';
import { jobCreatedSchema } from '../../shared/service/importJobRecord';
import { throwIfAny } from '../../shared/service/invalidInput';
import { rethrow } from '../../shared/transport/rethrow';
import { type ResumedContext, type WaitContext, withWaits } from '../wait/waitingNode';
import { markDescription, newRunId, readMarks } from './descriptionMark';
import { preflightJob } from './jobPreflight';
import { type ChosenWait, endedJobOutput, waitAsChosen, WaitChoice } from './jobWait';

export const jobParameters: INodeProperties[] = [
	...fieldsOrJson(
		importJobForm,
		'The whole job with description, file, actions and, if you need them, listeners',
	),
	...usingFields(importJobForm, screenFields(importJobForm.fields)),
];

/** Throws InvalidInput naming every problem in the words on the screen. */
export function importJobInput({ parameters, service }: ItemContext): ImportJob {
	return bodyInput(parameters, importJobBody(service.vocabulary)).body;
}

async function checkJob(item: ItemContext, run: string, wait: ChosenWait): Promise<ImportJob> {
	const { functions, parameters, itemIndex, service } = item;
	let job = importJobInput(item);
	if (parameters.in('options').flag('preflight')) {
		const checked = await preflightJob(service, job);
		throwIfAny(problemsOnScreen(parameters, importJobForm, checked.problems));
		job = checked.job;
	}
	const listeners = [...(job.listeners ?? []), ...wait.listeners];
	if (listeners.length > 0) job = { ...job, listeners };
	// If the execution ends here, the job must still be findable. A second mark would hide the first.
	if (wait.way === 'none' || readMarks(job.description).length > 0) return job;
	const mark = { run, content: `item ${itemIndex + 1}` };
	return { ...job, description: markDescription(functions, job.description, mark) };
}

function jobIdOf(result: ItemResult<ItemOutput>): number | undefined {
	const jobId = 'value' in result ? result.value[0]?.json.jobId : undefined;
	return typeof jobId === 'number' ? jobId : undefined;
}

/** Lets jobs that have imported nothing be created again under their Send Once Key. */
async function forgetFailed(run: WaitContext, results: ItemResults): Promise<ItemResults> {
	const hasFailed = (result?: ItemResult<ItemOutput>): boolean =>
		result !== undefined && 'error' in result && isOfFailedJob(result.error);
	if (!results.some(hasFailed)) return results;
	const call = prepareCall(endpoints.createBulkImportJob, { path: {}, body: {} as ImportJob });
	await run.forEachItem(async (item) => {
		if (hasFailed(results[item.itemIndex])) await forgetKey(item, call);
	});
	return results;
}

/** Waits for the started jobs and adds to each item how its job ended. */
async function addEnds(
	run: WaitContext,
	results: ItemResults,
	wait: ChosenWait,
	runId: string,
): Promise<ItemResults> {
	const { functions, service } = run;
	const node = functions.getNode();
	const started = results.flatMap((result) => jobIdOf(result) ?? []);
	// What the items came to before the wait, as n8n stores it meanwhile.
	const items = results.map((result, item) =>
		'value' in result
			? result.value.map(({ json }) => json)
			: [errorItem(node, result.error, item)],
	);
	const ends = await waitAsChosen(run, started, wait, { items, run: runId });
	const ended = results.map((result): ItemResult<ItemOutput> => {
		const jobId = jobIdOf(result);
		if ('error' in result || jobId === undefined) return result;
		const end = ends.get(jobId);
		try {
			if (!end) throw new Error(`The node did not wait for job ${jobId}.`);
			if ('error' in end) return rethrow(end.error);
			const output = endedJobOutput(service, jobId, end.record);
			return { value: result.value.map(({ json }) => ({ json: { ...json, ...output } })) };
		} catch (error) {
			return { error: startedJobError(jobId, 'end', error) };
		}
	});
	return await forgetFailed(run, ended);
}

/** Goes on after a wait in n8n's database. */
async function resumeCreate(run: ResumedContext, wait: ChosenWait): Promise<ItemResults> {
	const { history, resumed } = run;
	const runId = resumed.work.run as string;
	const stored = resumed.work.items as IDataObject[][];
	const results = stored.map((output): ItemResult<ItemOutput> => {
		const error = errorOfItem(output[0]);
		return error ? { error } : { value: asItems(output) };
	});
	// A job that is started again imports its rows again.
	for (const [item, result] of results.entries()) {
		const isUnknown = 'error' in result && effectOf(result.error) === 'unknown';
		if (isUnknown || jobIdOf(result) !== undefined)
			history.add(
				item,
				{ keys: [], isRepeatable: false },
				{ result, effect: isUnknown ? 'unknown' : 'executed' },
			);
	}
	return await addEnds(run, results, wait, runId);
}

const waitChoice = new WaitChoice(
	{
		displayName: 'Wait for Completion',
		name: 'waitForCompletion',
		description: 'Where to wait until the jobs have ended, to return how they ended',
	},
	['none', 'memory', 'database'],
	true,
);

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
		...waitChoice.fields,
		{
			displayName: 'Check Values Before Sending',
			name: 'preflight',
			type: 'boolean',
			default: false,
			description:
				'Whether to check mapping types, fields, static values and value translations against the service before the first job is started',
		},
	],
	runAll: withWaits(waitChoice, async (run, wait) => {
		const { functions, history, resumed, service } = run;
		// A retry after the wait sends the items that failed, as it does without one.
		if (resumed && history.isEmpty) return await resumeCreate({ ...run, resumed }, wait);
		const runId = newRunId();
		const results = await sendEach(run, async (item) => {
			const job = await checkJob(item, runId, wait);
			const included = job.actions.flatMap(({ columnsToIncludeInResultsFile: columns = [] }) =>
				columns.map(({ name }) => name),
			);
			return {
				call: prepareCall(endpoints.createBulkImportJob, { path: {}, body: job }),
				output: (response, call) => {
					const { jobId } = service.parse(call, response, jobCreatedSchema);
					const { description } = job;
					recordJob(functions, jobId, `Import job ${jobId} started: ${description}`);
					return { description, includedColumns: [...new Set(included)], jobId };
				},
			};
		});
		const stops = !functions.continueOnFail() && results.some((result) => 'error' in result);
		if (wait.way === 'none' || stops) return results;
		// The wait for the jobs before is over.
		return await addEnds({ ...run, resumed: undefined }, results, wait, runId);
	}),
};
