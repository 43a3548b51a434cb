import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many code types',
	description: 'List the types of codes this key may create',
	calls: [endpoints.listCodeTypes],
	properties: returnAllProperties,
	async run({ functions, service, itemIndex }) {
		const list = service.list(endpoints.listCodeTypes, { path: {} }, { paged: false });
		const names = await collect(list, parameterLimit(functions, itemIndex));
		return asItems(names.map((name) => ({ name: String(name) })));
	},
};
