import type { IExecuteFunctions, NodeOutput, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testConnection } from '../shared/execution/credentialTest';
import { codeSearch, listSearch, searchCodes } from '../shared/execution/listSearch';
import { runChosenOperation } from '../shared/execution/runOperation';
import { listedResource } from '../shared/operations/getMany';
import { defineResources, describeNode, resourceSubtitle } from '../shared/operations/describe';
import { endpoints } from '../shared/service/endpoints';
import { recordLists, supportedEntityNames } from '../shared/service/serviceLists';
import {
	createOperation,
	deleteOperation,
	getAllOperation,
	getOperation,
	updateOperation,
} from './code/operations';

export const resources = defineResources([
	{
		value: 'code',
		name: 'Code',
		operations: [createOperation, deleteOperation, getOperation, getAllOperation, updateOperation],
	},
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
]);

export class NativeCode implements INodeType {
	description: INodeTypeDescription = {
		...describeNode(resources),
		displayName: 'Native Code',
		name: 'nativeCode',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		subtitle: resourceSubtitle(resources),
		description: 'Create, read, update and delete source codes and tags',
		defaults: { name: 'Native Code' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Creates, reads and changes source codes and tags. To apply a code to people, use Native People or Native Bulk Import.',
		},
		credentials: [{ name: 'nativeApi', required: true, testedBy: 'testConnection' }],
	};

	methods = {
		credentialTest: { testConnection },
		listSearch: {
			searchCampaigns: listSearch(recordLists.campaignId),
			searchCodes,
			searchContactTypes: listSearch(recordLists.contactTypeId),
			searchSupportedEntities: listSearch(supportedEntityNames),
			searchTagCodes: codeSearch('Tag'),
		},
	};

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await runChosenOperation(this, resources);
	}
}
