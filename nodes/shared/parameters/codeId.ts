import type { INodeProperties } from 'n8n-workflow';

import { locatorField } from '../service/locatorField';

export const codeIdField: INodeProperties = {
	...locatorField('codeId', {
		displayName: 'Code',
		searchListMethod: 'searchCodes',
		exampleId: '77012',
		exampleName: 'Spring appeal',
		description: 'The code: chosen from the list, by its name, or by the ID the service gave it',
	}),
	required: true,
};
