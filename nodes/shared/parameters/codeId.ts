import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { enteredId } from './enteredValues';

export const codeIdField: INodeProperties = {
	displayName: 'Code',
	name: 'codeId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The code: chosen from the list, or the number the service gave it',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCodes', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 77012' },
	],
};

/** The code ID entered for an item. Throws InvalidInput if it is none. */
export function codeIdInput(functions: IExecuteFunctions, itemIndex: number): number {
	return enteredId(functions.getNodeParameter('codeId', itemIndex, ''), codeIdField.displayName);
}
