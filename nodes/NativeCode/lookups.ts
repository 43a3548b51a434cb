import type { NodeResource } from '../shared/execution/operation';
import { getManyOperation } from '../shared/operations/getMany';
import { endpoints } from '../shared/service/endpoints';

/** What codes refer to: service.md 6.1. */
export const lookups: NodeResource[] = [
	{
		value: 'codeType',
		name: 'Code Type',
		operations: [
			getManyOperation({
				entries: 'code types',
				description: 'List the types of codes this key may create',
				list: endpoints.listCodeTypes,
				holds: 'names',
			}),
		],
	},
	{
		value: 'supportedEntity',
		name: 'Supported Entity',
		operations: [
			getManyOperation({
				entries: 'supported entities',
				description: 'List the kinds of records a tag can be put on',
				list: endpoints.listSupportedEntities,
				holds: 'names',
			}),
		],
	},
];
