import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	NodeOutput,
} from 'n8n-workflow';

import { testConnection } from '../shared/execution/credentialTest';
import { listSearch } from '../shared/execution/listSearch';
import { runChosenOperation } from '../shared/execution/runOperation';
import { defineResources, describeNode, resourceSubtitle } from '../shared/operations/describe';
import { listedResource, textFilter } from '../shared/operations/getMany';
import { nonEmpty } from '../shared/parameters/enteredFields';
import { listedFields } from '../shared/service/canvassContext';
import { endpoints } from '../shared/service/endpoints';
import { type EntryId, recordLists } from '../shared/service/serviceLists';
import { createOperation } from './canvassResponse/create.operation';

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
	description: 'Only entries that this input type allows',
};

export const resources = defineResources([
	{ value: 'canvassResponse', name: 'Canvass Response', operations: [createOperation] },
	// What responses refer to: service.md 5.2 and 5.3.
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
				description: 'Only result codes that this contact type allows',
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
]);

/** The ID chosen in another field; undefined for an expression. */
function chosenId(functions: ILoadOptionsFunctions, path: string): EntryId | undefined {
	const id = nonEmpty(functions.getCurrentNodeParameter(path));
	const isId = typeof id === 'number' || (typeof id === 'string' && !id.startsWith('='));
	return isId ? id : undefined;
}

/** The chosen input type or contact type, where the operation has such a field. */
function contextId(functions: ILoadOptionsFunctions, name: string): EntryId | undefined {
	return chosenId(functions, `canvassContext.${name}`) ?? chosenId(functions, `filters.${name}`);
}

export class NativeCanvassResponse implements INodeType {
	description: INodeTypeDescription = {
		...describeNode(resources),
		displayName: 'Native Canvass Response',
		name: 'nativeCanvassResponse',
		icon: { light: 'file:../../icons/native.svg', dark: 'file:../../icons/native.dark.svg' },
		subtitle: resourceSubtitle(resources),
		description: 'Post the outcomes of calls, text messages and visits',
		defaults: { name: 'Native Canvass Response' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Posts what a dialler, texting tool or canvasser found out: one item per person and call. Give either resultCodeId (nobody reached) or responses (answers), never both.',
		},
		credentials: [{ name: 'nativeApi', required: true, testedBy: 'testConnection' }],
	};

	methods = {
		credentialTest: { testConnection },
		listSearch: {
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
		},
	};

	async execute(this: IExecuteFunctions): Promise<NodeOutput> {
		return await runChosenOperation(this, resources);
	}
}
