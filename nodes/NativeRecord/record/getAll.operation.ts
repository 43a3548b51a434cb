import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { collect, parameterLimit, returnAllProperties } from '../../shared/parameters/returnAll';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { queryField, resourceNameField } from '../recordFields';
import { recordCall } from '../recordInput';
import { recordOutput } from '../recordOutput';

export const getAllOperation: NodeOperation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many records',
	description: 'List records of any resource, page by page',
	calls: { anyPath: 'GET' },
	properties: [resourceNameField, ...returnAllProperties, queryField, ...toolOutputFields],
	async run({ functions, service, itemIndex }) {
		const call = recordCall(functions, itemIndex, { method: 'GET', hasRecordId: false });
		// No page size: some lists reject unknown options.
		const list = service.list(call.endpoint, call, { paged: false, anyName: true });
		const records = await collect(list, parameterLimit(functions, itemIndex));
		return asItems(
			records.map((record) =>
				simplifyIfAsked(functions, itemIndex, recordOutput(service, record), 'raw'),
			),
		);
	},
};
