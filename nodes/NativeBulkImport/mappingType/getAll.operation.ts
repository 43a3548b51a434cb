import { getManyOperation } from '../../shared/operations/getMany';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation = getManyOperation({
	entries: 'mapping types',
	description: 'List the mapping types this key may use, with their fields',
	list: endpoints.listBulkImportMappingTypes,
});
