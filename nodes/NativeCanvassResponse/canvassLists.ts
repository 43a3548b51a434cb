import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { searchedList } from '../shared/execution/searchedList';
import { filled } from '../shared/parameters/enteredValues';
import { endpoints } from '../shared/service/endpoints';
import {
	activistCodeSchema,
	contactTypeSchema,
	inputTypeSchema,
	resultCodeSchema,
	surveyQuestionSchema,
} from '../shared/service/lookups';

/** Lists behind the "From List" fields; when one cannot be read, entering the ID still works. */

type Id = string | number;

const choice = (name: string | null | undefined, value: Id) => ({
	name: name ? `${name} (${value})` : String(value),
	value,
});

/** The ID a user has already chosen in another field; undefined while an expression stands there. */
function chosenId(functions: ILoadOptionsFunctions, path: string): Id | undefined {
	const id = filled(functions.getCurrentNodeParameter(path));
	const isId = typeof id === 'number' || (typeof id === 'string' && !id.startsWith('='));
	return isId ? id : undefined;
}

/** The field of an ID, where it stands for each operation that has it. */
function contextId(functions: ILoadOptionsFunctions, name: string): Id | undefined {
	return chosenId(functions, `canvassContext.${name}`) ?? chosenId(functions, `filters.${name}`);
}

export async function searchInputTypes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchedList(
		this,
		{
			endpoint: endpoints.listInputTypes,
			values: { path: {} },
			paged: false,
			shape: inputTypeSchema,
			choices: ({ inputTypeId, name }) => [choice(name, inputTypeId)],
		},
		filter,
	);
}

/** The contact types of the chosen input type. */
export async function searchContactTypes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchedList(
		this,
		{
			endpoint: endpoints.listContactTypes,
			values: { path: {}, query: { inputTypeId: contextId(this, 'inputTypeId') } },
			paged: false,
			shape: contactTypeSchema,
			choices: ({ contactTypeId, name }) => [choice(name, contactTypeId)],
		},
		filter,
	);
}

/** The result codes of the chosen contact type and input type. */
export async function searchResultCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const query = {
		inputTypeId: contextId(this, 'inputTypeId'),
		contactTypeId: contextId(this, 'contactTypeId'),
	};
	return await searchedList(
		this,
		{
			endpoint: endpoints.listResultCodes,
			values: { path: {}, query },
			paged: false,
			shape: resultCodeSchema,
			choices: ({ resultCodeId, name }) => [choice(name, resultCodeId)],
		},
		filter,
	);
}

export async function searchActivistCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchedList(
		this,
		{
			endpoint: endpoints.listActivistCodes,
			values: { path: {} },
			paged: true,
			shape: activistCodeSchema,
			choices: ({ activistCodeId, name }) => [choice(name, activistCodeId)],
		},
		filter,
	);
}

export async function searchSurveyQuestions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchedList(
		this,
		{
			endpoint: endpoints.listSurveyQuestions,
			values: { path: {} },
			paged: true,
			shape: surveyQuestionSchema,
			choices: ({ surveyQuestionId, name }) => [choice(name, surveyQuestionId)],
		},
		filter,
	);
}

/** The responses of the question chosen beside the field; of every question while none is chosen. */
export async function searchSurveyResponses(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const chosenQuestion = chosenId(this, '&surveyQuestionId');
	return await searchedList(
		this,
		{
			endpoint: endpoints.listSurveyQuestions,
			values: { path: {} },
			paged: true,
			shape: surveyQuestionSchema,
			choices: ({ surveyQuestionId, name: question, responses }) => {
				if (chosenQuestion !== undefined && String(chosenQuestion) !== String(surveyQuestionId))
					return [];
				return (responses ?? []).map(({ surveyResponseId, name }) =>
					choice(chosenQuestion === undefined ? `${question}: ${name}` : name, surveyResponseId),
				);
			},
		},
		filter,
	);
}
