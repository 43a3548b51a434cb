import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import { listSearch, type ListSearch } from '../shared/execution/listSearch';
import type { NodeResource } from '../shared/execution/operation';
import { listedResource, textFilter } from '../shared/operations/getMany';
import { nonEmpty } from '../shared/parameters/enteredFields';
import { listedFields } from '../shared/service/canvassContext';
import { endpoints } from '../shared/service/endpoints';
import { type EntryId, recordLists } from '../shared/service/serviceLists';

const statusFilter: INodeProperties = {
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: [
		{ name: 'Active', value: 'Active' },
		{ name: 'Archived', value: 'Archived' },
		{ name: 'Inactive', value: 'Inactive' },
	],
	default: ['Active'],
	description:
		'Only entries with one of these statuses. If left out, the service lists active ones.',
};

const inputTypeFilter: INodeProperties = {
	...listedFields.inputTypeId.screen,
	description: 'Only entries that are possible with this input type',
};

/** What responses refer to: service.md 5.2 and 5.3. */
export const lookups: NodeResource[] = [
	listedResource('activistCode', 'Activist Code', {
		entries: 'activist codes',
		description: 'List the activist codes that responses can apply or remove',
		list: endpoints.listActivistCodes,
		filters: [
			textFilter('Name', 'name', 'Volunteer', 'Only activist codes whose name contains this text'),
			statusFilter,
			textFilter('Type', 'type', 'Constituency', 'Only activist codes of this type'),
		],
	}),
	listedResource('contactType', 'Contact Type', {
		entries: 'contact types',
		description: 'List the ways in which a person can be contacted',
		list: endpoints.listContactTypes,
		filters: [inputTypeFilter],
	}),
	listedResource('inputType', 'Input Type', {
		entries: 'input types',
		description: 'List the ways in which responses are entered',
		list: endpoints.listInputTypes,
	}),
	listedResource('resultCode', 'Result Code', {
		entries: 'result codes',
		description: 'List the results an attempt to contact a person can have',
		list: endpoints.listResultCodes,
		filters: [
			{
				...listedFields.contactTypeId.screen,
				description: 'Only result codes that are possible with this contact type',
			},
			inputTypeFilter,
		],
	}),
	listedResource('surveyQuestion', 'Survey Question', {
		entries: 'survey questions',
		description: 'List the survey questions with their possible responses',
		list: endpoints.listSurveyQuestions,
		filters: [
			textFilter('Cycle', 'cycle', '2026', 'Only survey questions of this year'),
			textFilter('Name', 'name', 'Support', 'Only survey questions whose name contains this text'),
			textFilter(
				'Question',
				'question',
				'How likely',
				'Only survey questions whose wording contains this text',
			),
			statusFilter,
			textFilter('Type', 'type', 'Candidate', 'Only survey questions of this type'),
		],
	}),
];

/** The ID chosen in another field; undefined for an expression. */
function chosenId(functions: ILoadOptionsFunctions, path: string): EntryId | undefined {
	const id = nonEmpty(functions.getCurrentNodeParameter(path));
	const isId = typeof id === 'number' || (typeof id === 'string' && !id.startsWith('='));
	return isId ? id : undefined;
}

/** The paths of an ID field in the operations that have it. */
function contextId(functions: ILoadOptionsFunctions, name: string): EntryId | undefined {
	return chosenId(functions, `canvassContext.${name}`) ?? chosenId(functions, `filters.${name}`);
}

/** Lists of the "From List" fields. */
export const canvassLists: Record<string, ListSearch> = {
	searchActivistCodes: listSearch(recordLists.activistCodeId),
	searchCampaigns: listSearch(recordLists.campaignId),
	searchContactTypes: listSearch(recordLists.contactTypeId, {
		query: (functions) => ({ inputTypeId: contextId(functions, 'inputTypeId') }),
	}),
	searchInputTypes: listSearch(recordLists.inputTypeId),
	searchResultCodes: listSearch(recordLists.resultCodeId, {
		query: (functions) => ({
			inputTypeId: contextId(functions, 'inputTypeId'),
			contactTypeId: contextId(functions, 'contactTypeId'),
		}),
	}),
	searchSurveyQuestions: listSearch(recordLists.surveyQuestionId),
	searchSurveyResponses: listSearch(recordLists.surveyResponseId, {
		parentId: (functions) => chosenId(functions, '&surveyQuestionId'),
	}),
};
