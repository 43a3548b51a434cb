import { asItems, type NodeOperation } from '../../shared/execution/operation';
import {
	maxConcurrentRequestsOption,
	optionsCollection,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { anyRecordSchema } from '../../shared/service/lookups';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { queryField, recordIdField, resourceNameField } from '../recordFields';
import { recordCall } from '../recordInput';
import { recordOutput } from '../recordOutput';

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get record',
	description: 'Read one record of any resource by its ID',
	calls: 'any',
	properties: [
		resourceNameField,
		recordIdField,
		queryField,
		...toolOutputFields,
		optionsCollection([timeoutOption, maxConcurrentRequestsOption]),
	],
	async run({ functions, service, itemIndex }) {
		const call = recordCall(functions, itemIndex, { method: 'GET', hasRecordId: true });
		const record = await service.read(call.endpoint, call, anyRecordSchema);
		return asItems(simplifyIfAsked(functions, itemIndex, recordOutput(service, record), 'raw'));
	},
};
