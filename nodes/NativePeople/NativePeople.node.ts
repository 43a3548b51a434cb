import type { IExecuteFunctions, NodeOutput, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { searchCodes } from '../shared/execution/listSearch';
import { testConnection } from '../shared/execution/credentialTest';
import { runChosenOperation } from '../shared/execution/runOperation';
import { defineResources, describeNode, resourceSubtitle } from '../shared/operations/describe';
import {
	applyCodeOperation,
	findOperation,
	findOrCreateContactOperation,
	findOrCreatePersonOperation,
	getOperation,
	updateOperation,
} from './person/operations';

export const resources = defineResources([
	{
		value: 'person',
		name: 'Person',
		operations: [
			findOperation,
			findOrCreatePersonOperation,
			getOperation,
			updateOperation,
			applyCodeOperation,
		],
	},
	{ value: 'contact', name: 'Contact', operations: [findOrCreateContactOperation] },
]);

export class NativePeople implements INodeType {
	description: INodeTypeDescription = {
		...describeNode(resources),
		displayName: 'Native People',
		name: 'nativePeople',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		subtitle: resourceSubtitle(resources),
		description: 'Find, create, read and update single people',
		defaults: { name: 'Native People' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Looks people up and stores them one by one, e.g. from a form: use the resource "person" with "findOrCreate" to store, "find" to read only, "applyCode" to put a source code or tag on somebody. Activist codes: Native Canvass Response. For lists of people, use Native Bulk Import.',
		},
		credentials: [{ name: 'nativeApi', required: true, testedBy: 'testConnection' }],
	};

	methods = { credentialTest: { testConnection }, listSearch: { searchCodes } };

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await runChosenOperation(this, resources);
	}
}
