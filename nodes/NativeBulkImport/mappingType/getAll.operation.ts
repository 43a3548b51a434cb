import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { toolOutputFields, toolRecords } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many mapping types',
	description: 'List the mapping types this key may use, with their fields',
	calls: [endpoints.listBulkImportMappingTypes],
	properties: [...returnAllProperties, ...toolOutputFields],
	async run({ functions, service, itemIndex }) {
		const list = service.list(endpoints.listBulkImportMappingTypes, { path: {} }, { paged: false });
		const found = await collect(list, parameterLimit(functions, itemIndex));
		return asItems(toolRecords(functions, itemIndex, found));
	},
};
