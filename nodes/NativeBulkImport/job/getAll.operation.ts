import { getManyOperation } from '../../shared/operations/getMany';
import { endpoints } from '../../shared/service/endpoints';
import type { ServiceError } from '../../shared/service/serviceErrors';

/** Some deployments have no list of jobs. */
function addNoListHint(error: ServiceError): ServiceError {
	if (![404, 405].includes(error.details.httpCode ?? 0)) return error;
	return error.with({
		message: 'This deployment of the service has no list of import jobs',
		description:
			'Read single jobs by their ID with the operation "Get". Keep the job ID that "Create" returns.',
	});
}

export const getAllOperation = getManyOperation({
	entries: 'import jobs',
	description: 'List import jobs, on deployments that offer the list',
	list: endpoints.listBulkImportJobs,
	addHint: addNoListHint,
});
