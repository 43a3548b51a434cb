import { recordBodyField } from '../recordFields';
import { writeOperation } from '../writeOperation';

export const createOperation = writeOperation(
	{
		value: 'create',
		name: 'Create',
		action: 'Create record',
		description:
			'Create one record of any resource (POST). Running it twice creates two. For people and codes, use their own nodes, which check more.',
	},
	{ method: 'POST', hasRecordId: false, body: 'document' },
	[recordBodyField('The new record as a JSON object with the field names of the service')],
);
