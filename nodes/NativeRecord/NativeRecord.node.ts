import type { IExecuteFunctions, NodeOutput, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testConnection } from '../shared/execution/credentialTest';
import { runChosenOperation } from '../shared/execution/runOperation';
import { defineResources, describeNode, resourceSubtitle } from '../shared/operations/describe';
import {
	createOperation,
	deleteOperation,
	getAllOperation,
	getOperation,
	patchOperation,
	searchResourceNames,
	updateOperation,
} from './record/operations';

export const resources = defineResources([
	{
		value: 'record',
		name: 'Record',
		operations: [
			createOperation,
			deleteOperation,
			getOperation,
			getAllOperation,
			patchOperation,
			updateOperation,
		],
	},
]);

export class NativeRecord implements INodeType {
	description: INodeTypeDescription = {
		...describeNode(resources),
		displayName: 'Native Record',
		name: 'nativeRecord',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		subtitle: resourceSubtitle(resources),
		description:
			'Read and write records of every other kind, such as contributions, events and notes',
		defaults: { name: 'Native Record' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Reads and writes records of any other kind by the name of their resource, such as contributions, events, notes or savedLists. For people, codes, imports and canvass responses, use the other Native nodes.',
		},
		credentials: [{ name: 'nativeApi', required: true, testedBy: 'testConnection' }],
	};

	methods = { credentialTest: { testConnection }, listSearch: { searchResourceNames } };

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await runChosenOperation(this, resources);
	}
}
