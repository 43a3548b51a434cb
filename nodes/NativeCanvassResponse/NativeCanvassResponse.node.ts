import type { IExecuteFunctions, NodeOutput, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testConnection } from '../shared/execution/credentialTest';
import { runChosenOperation } from '../shared/execution/runOperation';
import { defineResources, describeNode, resourceSubtitle } from '../shared/operations/describe';
import { canvassLists, lookups } from './canvassLists';
import { createOperation } from './canvassResponse/create.operation';

export const resources = defineResources([
	{ value: 'canvassResponse', name: 'Canvass Response', operations: [createOperation] },
	...lookups,
]);

export class NativeCanvassResponse implements INodeType {
	description: INodeTypeDescription = {
		...describeNode(resources),
		displayName: 'Native Canvass Response',
		name: 'nativeCanvassResponse',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		subtitle: resourceSubtitle(resources),
		description: 'Post the outcomes of calls, text messages and visits',
		defaults: { name: 'Native Canvass Response' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Posts what a dialler, texting tool or canvasser found out: one item per person and call. Give either resultCodeId (nobody reached) or responses (answers), never both.',
		},
		credentials: [{ name: 'nativeApi', required: true, testedBy: 'testConnection' }],
	};

	methods = {
		credentialTest: { testConnection },
		listSearch: canvassLists,
	};

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await runChosenOperation(this, resources);
	}
}
