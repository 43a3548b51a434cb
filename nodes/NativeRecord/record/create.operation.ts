import { recordBodyField } from '../recordFields';
import { writeOperation } from '../writeOperation';

export const createOperation = writeOperation(
	{
		value: 'create',
		name: 'Create',
		action: 'Create a record',
		description:
			'Create one record of any resource with POST. Running it twice creates two; people and codes have nodes of their own that check more.',
	},
	{ method: 'POST', hasRecordId: false, body: 'document' },
	[recordBodyField('The new record as a JSON object in the words of the service')],
);
