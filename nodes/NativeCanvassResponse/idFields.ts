import type { INodeProperties } from 'n8n-workflow';

/** IDs that can be chosen from a list or entered. */

function idField(
	displayName: string,
	name: string,
	searchListMethod: string,
	example: string,
	description: string,
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
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	};
}

export const contactTypeField = idField(
	'Contact Type',
	'contactTypeId',
	'searchContactTypes',
	'2',
	'How the person was contacted, e.g. by phone or at the door. It must be possible with the input type.',
);

export const inputTypeField = idField(
	'Input Type',
	'inputTypeId',
	'searchInputTypes',
	'11',
	'How the response got into the service. If left out, the service uses API.',
);

export const resultCodeField = idField(
	'Result Code',
	'resultCodeId',
	'searchResultCodes',
	'1',
	'How the attempt ended without contact, e.g. Not Home or Wrong Number',
);

export const activistCodeField = idField(
	'Activist Code',
	'activistCodeId',
	'searchActivistCodes',
	'7001',
	'The activist code to apply or remove. Encoded IDs that begin with EID can be entered, too.',
);

export const surveyQuestionField = idField(
	'Survey Question',
	'surveyQuestionId',
	'searchSurveyQuestions',
	'81',
	'The question that was answered. Encoded IDs that begin with EID can be entered, too.',
);

export const surveyResponseField = idField(
	'Survey Response',
	'surveyResponseId',
	'searchSurveyResponses',
	'812',
	'The answer of the person: one of the responses of the survey question',
);
