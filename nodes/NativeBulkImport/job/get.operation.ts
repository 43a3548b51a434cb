import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import { readImportJob } from '../../shared/service/importJobWait';
import { jobIdField, jobIdInput } from './jobId';
import { jobOutput, inheritedFields } from '../../shared/execution/importJobOutput';

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get import job',
	description: 'Read the status of an import job',
	calls: [endpoints.getBulkImportJob],
	properties: [jobIdField, ...toolOutputFields],
	async run({ functions, parameters, service, itemIndex }) {
		const jobId = jobIdInput(parameters);
		const record = await readImportJob(service, jobId);
		const input = functions.getInputData()[itemIndex]?.json;
		const output = { ...inheritedFields(input, jobId), ...jobOutput(service, jobId, record) };
		return asItems(simplifyIfAsked(parameters, output, 'raw'));
	},
};
