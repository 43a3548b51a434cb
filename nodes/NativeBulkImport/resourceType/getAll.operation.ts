import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many resource types',
	description: 'List the resource types that can be imported with this key',
	calls: [endpoints.listBulkImportResources],
	properties: returnAllProperties,
	async run({ functions, service, itemIndex }) {
		const list = service.list(endpoints.listBulkImportResources, { path: {} }, { paged: false });
		const names = await collect(list, parameterLimit(functions, itemIndex));
		return asItems(names.map((name) => ({ name: String(name) })));
	},
};
