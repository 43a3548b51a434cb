import type { NodeResource } from '../shared/execution/operation';
import { listedResource } from '../shared/operations/getMany';
import { endpoints } from '../shared/service/endpoints';

/** What codes refer to: service.md 6.1. */
export const lookups: NodeResource[] = [
	listedResource('codeType', 'Code Type', {
		entries: 'code types',
		description: 'List the types of codes this key may create',
		list: endpoints.listCodeTypes,
		holds: 'names',
	}),
	listedResource('supportedEntity', 'Supported Entity', {
		entries: 'supported entities',
		description: 'List the kinds of records a tag can be put on',
		list: endpoints.listSupportedEntities,
		holds: 'names',
	}),
];
