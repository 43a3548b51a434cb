import { endpoints } from '../service/endpoints';
import { contactTypeSchema } from '../service/lookups';
import { listSearch, type ListSearch, type ListToSearch, namedId } from './searchedList';

/**
 * The search behind a "From List" field of contact types, which canvass responses and source codes share.
 * @param query narrows the list by what else is entered in the node; all of them when left out
 */
export function contactTypeSearch(query?: ListToSearch<unknown>['query']): ListSearch {
	return listSearch({
		endpoint: endpoints.listContactTypes,
		...(query && { query }),
		paged: false,
		shape: contactTypeSchema,
		choices: ({ contactTypeId, name }) => [namedId(name, contactTypeId)],
	});
}
