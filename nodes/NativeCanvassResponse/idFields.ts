import { namedIdField } from '../shared/parameters/namedIdField';

export const campaignField = namedIdField('campaignId', {
	displayName: 'Campaign',
	searchListMethod: 'searchCampaigns',
	exampleId: '1501',
	exampleName: 'Spring',
	description: 'The campaign the contact was part of',
});

export const contactTypeField = namedIdField('contactTypeId', {
	displayName: 'Contact Type',
	searchListMethod: 'searchContactTypes',
	exampleId: '2',
	exampleName: 'Walk',
	description:
		'How the person was contacted, e.g. by phone or at the door. It must be possible with the input type.',
});

export const inputTypeField = namedIdField('inputTypeId', {
	displayName: 'Input Type',
	searchListMethod: 'searchInputTypes',
	exampleId: '11',
	exampleName: 'API',
	description: 'How the response got into the service. If left out, the service uses API.',
});

export const resultCodeField = namedIdField('resultCodeId', {
	displayName: 'Result Code',
	searchListMethod: 'searchResultCodes',
	exampleId: '1',
	exampleName: 'Not Home',
	description: 'How the attempt ended without contact, e.g. Not Home or Wrong Number',
});

export const activistCodeField = namedIdField('activistCodeId', {
	displayName: 'Activist Code',
	searchListMethod: 'searchActivistCodes',
	exampleId: '7001',
	exampleName: 'Volunteer',
	description:
		'The activist code to apply or remove. Encoded IDs that begin with EID can be entered, too.',
});

export const surveyQuestionField = namedIdField('surveyQuestionId', {
	displayName: 'Survey Question',
	searchListMethod: 'searchSurveyQuestions',
	exampleId: '81',
	exampleName: 'Support',
	description:
		'The question that was answered. Encoded IDs that begin with EID can be entered, too.',
});

export const surveyResponseField = namedIdField('surveyResponseId', {
	displayName: 'Survey Response',
	searchListMethod: 'searchSurveyResponses',
	exampleId: '812',
	exampleName: 'Strong support',
	description: 'The response of the person: one of the responses of the survey question',
});
