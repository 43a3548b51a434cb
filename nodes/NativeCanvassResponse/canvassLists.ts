import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { listSearch, type ListSearch } from '../shared/execution/listSearch';
import { nonEmpty } from '../shared/parameters/parameterValues';
import { type EntryId, recordLists } from '../shared/service/serviceLists';

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
