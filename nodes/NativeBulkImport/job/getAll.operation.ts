import type { IDataObject } from 'n8n-workflow';

import { asItems, type ItemOutput, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { toolOutputFields, toolRecords } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import { ServiceError } from '../../shared/service/serviceErrors';
import { rethrow } from '../../shared/transport/rethrow';

/** Some deployments have no list of jobs. */
function addNoListHint(error: unknown): unknown {
	if (!(error instanceof ServiceError) || ![404, 405].includes(error.details.httpCode ?? 0))
		return error;
	return error.with({
		message: 'This deployment of the service has no list of import jobs',
		description:
			'Read single jobs by their ID with the operation "Get". Keep the job ID that "Create" returns.',
	});
}

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many import jobs',
	description: 'List import jobs, on deployments that offer the list',
	calls: [endpoints.listBulkImportJobs],
	properties: [...returnAllProperties, ...toolOutputFields],
	async run({ functions, service, itemIndex }): Promise<ItemOutput> {
		const limit = parameterLimit(functions, itemIndex);
		try {
			const jobs = await collect(service.list(endpoints.listBulkImportJobs, { path: {} }), limit);
			const shown = jobs.map((job) => service.redactor.value(job as IDataObject));
			return asItems(toolRecords(functions, itemIndex, shown));
		} catch (error) {
			rethrow(addNoListHint(error));
		}
	},
};
