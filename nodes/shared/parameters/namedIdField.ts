import type { INodeProperties } from 'n8n-workflow';

interface NamedIdTexts {
	displayName: string;
	description: string;
	searchListMethod: string;
	exampleId: string;
	exampleName: string;
}

/**
 * A field for a record ID that can also be chosen from a list or given by name.
 * @param name a key of namedLists; otherwise names are not resolved
 */
export function namedIdField(
	name: string,
	{ displayName, description, searchListMethod, exampleId, exampleName }: NamedIdTexts,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${exampleId}` },
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. ${exampleName}` },
		],
	};
}
