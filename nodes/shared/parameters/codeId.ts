import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterId } from './parameterValues';
import { namedIdField } from './namedIdField';

export const codeIdField: INodeProperties = {
	...namedIdField('codeId', {
		displayName: 'Code',
		searchListMethod: 'searchCodes',
		exampleId: '77012',
		exampleName: 'Spring appeal',
		description: 'The code: chosen from the list, by its name, or by the ID the service gave it',
	}),
	required: true,
};

/** The item's code ID. Throws InvalidInput if it is not one. */
export function codeIdInput(functions: IExecuteFunctions, itemIndex: number): number {
	return parameterId(functions.getNodeParameter('codeId', itemIndex, ''), codeIdField.displayName);
}
