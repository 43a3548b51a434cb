import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many supported entities',
	description: 'List the kinds of records a tag can be put on',
	calls: [endpoints.listSupportedEntities],
	properties: returnAllProperties,
	async run({ functions, service, itemIndex }) {
		const list = service.list(endpoints.listSupportedEntities, { path: {} }, { paged: false });
		const names = await collect(list, parameterLimit(functions, itemIndex));
		return asItems(names.map((name) => ({ name: String(name) })));
	},
};
