import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listSearch } from '../shared/execution/searchedList';
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

export const searchInputTypes = listSearch({
	endpoint: endpoints.listInputTypes,
	paged: false,
	shape: inputTypeSchema,
	choices: ({ inputTypeId, name }) => [choice(name, inputTypeId)],
});

/** The contact types of the chosen input type. */
export const searchContactTypes = listSearch({
	endpoint: endpoints.listContactTypes,
	query: (functions) => ({ inputTypeId: contextId(functions, 'inputTypeId') }),
	paged: false,
	shape: contactTypeSchema,
	choices: ({ contactTypeId, name }) => [choice(name, contactTypeId)],
});

/** The result codes of the chosen contact type and input type. */
export const searchResultCodes = listSearch({
	endpoint: endpoints.listResultCodes,
	query: (functions) => ({
		inputTypeId: contextId(functions, 'inputTypeId'),
		contactTypeId: contextId(functions, 'contactTypeId'),
	}),
	paged: false,
	shape: resultCodeSchema,
	choices: ({ resultCodeId, name }) => [choice(name, resultCodeId)],
});

export const searchActivistCodes = listSearch({
	endpoint: endpoints.listActivistCodes,
	paged: true,
	shape: activistCodeSchema,
	choices: ({ activistCodeId, name }) => [choice(name, activistCodeId)],
});

const surveyQuestions = {
	endpoint: endpoints.listSurveyQuestions,
	paged: true,
	shape: surveyQuestionSchema,
};

export const searchSurveyQuestions = listSearch({
	...surveyQuestions,
	choices: ({ surveyQuestionId, name }) => [choice(name, surveyQuestionId)],
});

/** The responses of the question chosen beside the field; of every question while none is chosen. */
export const searchSurveyResponses = listSearch({
	...surveyQuestions,
	choices: ({ surveyQuestionId, name: question, responses }, functions) => {
		const chosenQuestion = chosenId(functions, '&surveyQuestionId');
		if (chosenQuestion !== undefined && String(chosenQuestion) !== String(surveyQuestionId))
			return [];
		return (responses ?? []).map(({ surveyResponseId, name }) =>
			choice(chosenQuestion === undefined ? `${question}: ${name}` : name, surveyResponseId),
		);
	},
});
