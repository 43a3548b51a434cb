import type { INodeProperties } from 'n8n-workflow';

export interface LocatorTexts {
	displayName: string;
	description: string;
	searchListMethod: string;
	/** Without it, the field takes names only. */
	exampleId?: string;
	exampleName: string;
}

/**
 * A field for a record that can be chosen from a list, or given by its ID or its name.
 * @param name of a list in serviceLists, if the service wants an ID where the user gives a name
 */
export function locatorField(name: string, texts: LocatorTexts) {
	const { displayName, description, searchListMethod, exampleId, exampleName } = texts;
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
			...(exampleId === undefined
				? []
				: [
						{
							displayName: 'By ID',
							name: 'id',
							type: 'string' as const,
							placeholder: `e.g. ${exampleId}`,
						},
					]),
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. ${exampleName}` },
		],
	} satisfies INodeProperties;
}
