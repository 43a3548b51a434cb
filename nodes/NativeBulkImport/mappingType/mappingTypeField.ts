import type { INodeProperties } from 'n8n-workflow';

import { locatorField } from '../../shared/service/bodyField';

export const mappingTypeField: INodeProperties = {
	...locatorField('mappingTypeName', {
		displayName: 'Mapping Type',
		searchListMethod: 'searchMappingTypes',
		exampleName: 'CreateOrUpdateContact',
		description: 'The mapping type to read',
	}),
	required: true,
};
