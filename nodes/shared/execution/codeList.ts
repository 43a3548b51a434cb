import { endpoints } from '../service/endpoints';
import { codeEntrySchema } from '../service/lookups';
import { listSearch, type ListSearch } from './searchedList';

/**
 * Search of a "From List" field of codes.
 * @param codeType only codes of this type; all types by default
 */
export function codeSearch(codeType?: string): ListSearch {
	return listSearch({
		endpoint: endpoints.listCodes,
		// The service filters too: there may be more codes than the list can hold.
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

export const searchCodes = codeSearch();
