import type { INodeProperties } from 'n8n-workflow';

/** What a field for an ID says of itself, beside its name. */
interface NamedIdTexts {
	displayName: string;
	description: string;
	searchListMethod: string;
	exampleId: string;
	exampleName: string;
}

/**
 * A field for the ID of a record that can also be chosen from a list, or named.
 * @param name one that namedLists knows, or the record could not be named
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
