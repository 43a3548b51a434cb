import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { codeList } from '../shared/execution/codeList';
import { searchedList } from '../shared/execution/searchedList';
import { endpoints } from '../shared/service/endpoints';
import { nameSchema } from '../shared/service/lookups';

/** Lists behind the "From List" fields; when one cannot be read, entering the ID or name still works. */

export async function searchTagCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await codeList(this, filter, 'Tag');
}

export async function searchSupportedEntities(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchedList(
		this,
		{
			endpoint: endpoints.listSupportedEntities,
			values: { path: {} },
			paged: false,
			shape: nameSchema,
			choices: (name) => [{ name, value: name }],
		},
		filter,
	);
}
