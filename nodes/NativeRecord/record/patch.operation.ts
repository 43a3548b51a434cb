import { recordBodyField } from '../recordFields';
import { writeOperation } from '../writeOperation';

export const patchOperation = writeOperation(
	{
		value: 'patch',
		name: 'Patch',
		action: 'Patch record',
		description:
			'Change some fields of one record and leave the others as they are (PATCH). Only some resources accept it.',
	},
	{ method: 'PATCH', hasRecordId: true, body: 'changes' },
	[
		recordBodyField(
			'The fields to change as a JSON object. Some resources, such as codes, take a JSON Patch instead: a list of changes, e.g. [{"op": "replace", "path": "/name", "value": "Spring appeal"}].',
		),
	],
);
