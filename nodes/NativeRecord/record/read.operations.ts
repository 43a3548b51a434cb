import { z } from 'zod';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { entryOutput, getManyOperation } from '../../shared/operations/getMany';
import { simplifyIfAsked, toolOutputFields } from '../../shared/parameters/simplify';
import { queryField, recordIdField, resourceNameField } from '../recordFields';
import { recordCall } from '../recordInput';

/** Some records are lists or plain values, but never null. */
const anyRecordSchema = z.unknown().refine((record) => record !== undefined && record !== null);

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get record',
	description: 'Read one record of any resource by its ID',
	calls: { anyPath: 'GET' },
	properties: [resourceNameField, recordIdField, queryField, ...toolOutputFields],
	async run({ parameters, service }) {
		const call = recordCall(parameters, { method: 'GET', hasRecordId: true });
		const record = await service.read(call.endpoint, call, anyRecordSchema);
		return asItems(simplifyIfAsked(parameters, entryOutput(service, record), 'raw'));
	},
};

export const getAllOperation = getManyOperation({
	entries: 'records',
	description: 'List records of any resource, page by page',
	list: {
		calls: { anyPath: 'GET' },
		call: ({ parameters }) => {
			const call = recordCall(parameters, { method: 'GET', hasRecordId: false });
			// Some lists reject unknown options.
			return { ...call, endpoint: { ...call.endpoint, isUnpaged: true } };
		},
	},
	anyName: true,
	fields: [resourceNameField, queryField],
});
