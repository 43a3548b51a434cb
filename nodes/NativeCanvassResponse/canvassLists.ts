import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listSearch, namedId, namedSearch } from '../shared/execution/searchedList';
import { nonEmpty } from '../shared/parameters/parameterValues';
import { endpoints } from '../shared/service/endpoints';
import { surveyQuestionSchema } from '../shared/service/lookups';

/** Lists of the "From List" fields; if one cannot be read, entering the ID still works. */

type Id = string | number;

/** The ID chosen in another field; undefined for an expression. */
function chosenId(functions: ILoadOptionsFunctions, path: string): Id | undefined {
	const id = nonEmpty(functions.getCurrentNodeParameter(path));
	const isId = typeof id === 'number' || (typeof id === 'string' && !id.startsWith('='));
	return isId ? id : undefined;
}

/** The paths of an ID field in the operations that have it. */
function contextId(functions: ILoadOptionsFunctions, name: string): Id | undefined {
	return chosenId(functions, `canvassContext.${name}`) ?? chosenId(functions, `filters.${name}`);
}

export const searchActivistCodes = namedSearch('activistCodeId');
export const searchCampaigns = namedSearch('campaignId');
export const searchInputTypes = namedSearch('inputTypeId');
export const searchSurveyQuestions = namedSearch('surveyQuestionId');

export const searchContactTypes = namedSearch('contactTypeId', (functions) => ({
	inputTypeId: contextId(functions, 'inputTypeId'),
}));

export const searchResultCodes = namedSearch('resultCodeId', (functions) => ({
	inputTypeId: contextId(functions, 'inputTypeId'),
	contactTypeId: contextId(functions, 'contactTypeId'),
}));

/** The responses of the chosen question; of every question if none is chosen. */
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
