import { getManyOperation } from '../../shared/operations/getMany';
import { queryField, resourceNameField } from '../recordFields';
import { recordCall } from '../recordInput';

export const getAllOperation = getManyOperation({
	entries: 'records',
	description: 'List records of any resource, page by page',
	list: {
		calls: { anyPath: 'GET' },
		call: ({ parameters }) => recordCall(parameters, { method: 'GET', hasRecordId: false }),
	},
	// Some lists reject unknown options.
	isPaged: false,
	anyName: true,
	fields: [resourceNameField, queryField],
});
