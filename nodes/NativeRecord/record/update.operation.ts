import { recordBodyField } from '../recordFields';
import { writeOperation } from '../writeOperation';

export const updateOperation = writeOperation(
	{
		value: 'update',
		name: 'Update',
		action: 'Update record',
		description:
			'Replace one record of any resource (PUT). The service may clear every field you leave out: read the record first, or use Patch.',
	},
	{ method: 'PUT', hasRecordId: true, body: 'document' },
	[recordBodyField('The whole record as a JSON object. Fields left out may be cleared.')],
);
