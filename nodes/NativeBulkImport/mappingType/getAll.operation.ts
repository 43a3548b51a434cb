import type { IDataObject } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { optionsCollection, timeoutOption } from '../../shared/parameters/callOptions';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { endpoints } from '../../shared/service/endpoints';

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many mapping types',
	description: 'List the mapping types this key may use, with their fields',
	calls: [endpoints.listBulkImportMappingTypes],
	properties: [...returnAllProperties, optionsCollection([timeoutOption])],
	async run({ functions, service, itemIndex }) {
		const list = service.list(endpoints.listBulkImportMappingTypes, { path: {} }, { paged: false });
		return asItems((await collect(list, parameterLimit(functions, itemIndex))) as IDataObject[]);
	},
};
