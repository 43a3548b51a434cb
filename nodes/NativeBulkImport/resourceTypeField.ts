import type { INodeProperties } from 'n8n-workflow';

/** service.md 2.4. */
export const resourceTypeField: INodeProperties = {
	displayName: 'Resource Type',
	name: 'resourceType',
	type: 'resourceLocator',
	default: { mode: 'list', value: 'Contacts' },
	required: true,
	description: 'What the rows are. One file holds one resource type.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchResourceTypes', searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Contacts' },
	],
};
