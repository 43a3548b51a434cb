import { writeOperation } from '../writeOperation';

export const deleteOperation = writeOperation(
	{
		value: 'delete',
		name: 'Delete',
		action: 'Delete record',
		description:
			'Delete one record of any resource, or suppress it where the service does not delete. This cannot be undone here.',
	},
	{ method: 'DELETE', hasRecordId: true },
	[],
	{ deleted: true },
);
