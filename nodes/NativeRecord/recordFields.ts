import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { matching } from '../shared/execution/listSearch';
import { inTitleCase, locatorField } from '../shared/service/bodyField';

/** Resources of known deployments; users can type any other. */
const knownResourceNames = [
	'activistCodes',
	'bulkImportJobs',
	'codes',
	'codeTypes',
	'contributions',
	'designations',
	'events',
	'eventTypes',
	'exportJobs',
	'locations',
	'notes',
	'people',
	'printedLists',
	'savedLists',
	'signups',
	'supporterGroups',
	'surveyQuestions',
] as const;

/** Fixed: the service does not list its resources (service.md 1.1). */
export async function searchResourceNames(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const choices = knownResourceNames.map((value) => ({ name: inTitleCase(value), value }));
	return matching(choices, filter);
}

export const resourceNameField: INodeProperties = {
	...locatorField('resourceName', {
		displayName: 'Resource Name',
		searchListMethod: 'searchResourceNames',
		exampleName: 'events',
		description:
			'Which kind of records, as the service spells it, e.g. events. For records that belong to another one, enter the path, e.g. people/123/notes.',
	}),
	required: true,
};

export const recordIdField: INodeProperties = {
	displayName: 'Record ID',
	name: 'recordId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 6001',
	description: 'The ID the service gave the record',
};

export const queryField: INodeProperties = {
	displayName: 'Query Options',
	name: 'query',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Query Option',
	default: {},
	description:
		'What to add to the address, e.g. filters by field, $expand, $orderby, or $top for the size of a page',
	options: [
		{
			displayName: 'Query Option',
			name: 'option',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. $orderby',
					description: 'Name of the option, as the service spells it',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. dateModified desc',
					description: 'Value of the option. An option without a value is left out.',
				},
			],
		},
	],
};

/** @param description what the service does with the record */
export function recordBodyField(description: string): INodeProperties {
	return {
		displayName: 'Record (JSON)',
		name: 'recordJson',
		type: 'json',
		typeOptions: { rows: 8 },
		default: '{}',
		required: true,
		description,
	};
}
