import { getManyOperation } from '../../shared/operations/getMany';
import { queryField, resourceNameField } from '../recordFields';
import { recordCall } from '../recordInput';

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
