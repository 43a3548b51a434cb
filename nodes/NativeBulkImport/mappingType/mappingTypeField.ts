import type { INodeProperties } from 'n8n-workflow';

export const mappingTypeField: INodeProperties = {
	displayName: 'Mapping Type',
	name: 'mappingTypeName',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The mapping type to read',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchMappingTypes', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. CreateOrUpdateContact',
		},
	],
};
