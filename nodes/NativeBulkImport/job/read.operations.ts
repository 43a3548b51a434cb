import { inheritedFields, jobOutput } from '../../shared/execution/importJobOutput';
import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { getManyOperation } from '../../shared/operations/getMany';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import { addNoListHint, readImportJob } from '../../shared/service/importJobWait';
import { withWaits } from '../wait/waitingNode';
import { endedJobOutput, forEachJob, jobIdField, WaitChoice } from './jobWait';

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get import job',
	description: 'Read the status of an import job',
	calls: [endpoints.getBulkImportJob],
	properties: [jobIdField, ...toolOutputFields],
	async run({ functions, parameters, service, itemIndex }) {
		const jobId = parameters.id('jobId');
		const record = await readImportJob(service, jobId);
		const input = functions.getInputData()[itemIndex]?.json;
		const output = { ...inheritedFields(input, jobId), ...jobOutput(service, jobId, record) };
		return asItems(simplifyIfAsked(parameters, output, 'raw'));
	},
};

export const getAllOperation = getManyOperation({
	entries: 'import jobs',
	description: 'List import jobs, on deployments that offer the list',
	list: endpoints.listBulkImportJobs,
	addHint: (error) =>
		addNoListHint(
			error,
			'Read single jobs by their ID with the operation "Get". Keep the job ID that "Create" returns.',
		),
});

const waitChoice = new WaitChoice(
	{ displayName: 'Wait', name: 'wait', description: 'Where to wait for the jobs to end' },
	['memory', 'database'],
);

export const waitOperation: NodeOperation = {
	value: 'wait',
	name: 'Wait',
	action: 'Wait for import jobs to end',
	description: 'Wait until the jobs of all input items have ended',
	calls: [endpoints.getBulkImportJob],
	properties: [jobIdField],
	options: waitChoice.fields,
	runAll: withWaits(waitChoice, async (run, wait) => {
		const input = run.functions.getInputData();
		return await forEachJob(run, wait, ({ itemIndex }, jobId, record) =>
			asItems({
				...inheritedFields(input[itemIndex]?.json, jobId),
				...endedJobOutput(run.service, jobId, record),
			}),
		);
	}),
};
