import { getManyOperation } from '../../shared/operations/getMany';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation = getManyOperation({
	entries: 'resource types',
	description: 'List the resource types that can be imported with this key',
	list: endpoints.listBulkImportResources,
	holds: 'names',
});
