import { codeSearch } from '../shared/execution/codeList';
import { listSearch, namedSearch } from '../shared/execution/searchedList';
import { endpoints } from '../shared/service/endpoints';
import { nameSchema } from '../shared/service/lookups';

/** Lists of the "From List" fields; if one cannot be read, entering the ID or name still works. */

export const searchTagCodes = codeSearch('Tag');

export const searchCampaigns = namedSearch('campaignId');

export const searchContactTypes = namedSearch('contactTypeId');

export const searchSupportedEntities = listSearch({
	endpoint: endpoints.listSupportedEntities,
	paged: false,
	shape: nameSchema,
	choices: (name) => [{ name, value: name }],
});
