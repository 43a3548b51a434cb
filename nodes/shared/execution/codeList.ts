import { endpoints } from '../service/endpoints';
import { codeEntrySchema } from '../service/lookups';
import { listSearch, type ListSearch } from './searchedList';

/**
 * The search behind a "From List" field of codes.
 * @param codeType only codes of this type; all of them, each with its type, when left out
 */
export function codeSearch(codeType?: string): ListSearch {
	return listSearch({
		endpoint: endpoints.listCodes,
		// The service searches too, because there may be more codes than a list can hold.
		query: (_functions, filter) => ({ codeType, name: filter }),
		paged: true,
		shape: codeEntrySchema,
		choices: ({ codeId, name, codePath, codeType: type }) => [
			{
				name: `${codePath ?? name ?? String(codeId)}${type && codeType === undefined ? ` (${type})` : ''}`,
				value: codeId,
			},
		],
	});
}

/** Behind the field Code. */
export const searchCodes = codeSearch();
