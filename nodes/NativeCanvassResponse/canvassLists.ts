import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listSearch, namedId, namedSearch } from '../shared/execution/searchedList';
import { filled } from '../shared/parameters/enteredValues';
import { endpoints } from '../shared/service/endpoints';
import { surveyQuestionSchema } from '../shared/service/lookups';

/** Lists behind the "From List" fields; when one cannot be read, entering the ID still works. */

type Id = string | number;

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

export const searchActivistCodes = namedSearch('activistCodeId');
export const searchCampaigns = namedSearch('campaignId');
export const searchInputTypes = namedSearch('inputTypeId');
export const searchSurveyQuestions = namedSearch('surveyQuestionId');

/** The contact types of the chosen input type. */
export const searchContactTypes = namedSearch('contactTypeId', (functions) => ({
	inputTypeId: contextId(functions, 'inputTypeId'),
}));

/** The result codes of the chosen contact type and input type. */
export const searchResultCodes = namedSearch('resultCodeId', (functions) => ({
	inputTypeId: contextId(functions, 'inputTypeId'),
	contactTypeId: contextId(functions, 'contactTypeId'),
}));

/** The responses of the question chosen beside the field; of every question while none is chosen. */
export const searchSurveyResponses = listSearch({
	endpoint: endpoints.listSurveyQuestions,
	paged: true,
	shape: surveyQuestionSchema,
	choices: ({ surveyQuestionId, name: question, responses }, functions) => {
		const chosenQuestion = chosenId(functions, '&surveyQuestionId');
		if (chosenQuestion !== undefined && String(chosenQuestion) !== String(surveyQuestionId))
			return [];
		return (responses ?? []).map(({ surveyResponseId, name }) =>
			namedId(chosenQuestion === undefined ? `${question}: ${name}` : name, surveyResponseId),
		);
	},
});
