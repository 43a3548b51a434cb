import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { searchedList } from '../shared/execution/searchedList';
import { endpoints } from '../shared/service/endpoints';
import { codeEntrySchema, nameSchema } from '../shared/service/lookups';

/** Lists behind the "From List" fields; when one cannot be read, entering the ID or name still works. */

async function codeList(
	functions: ILoadOptionsFunctions,
	filter: string | undefined,
	codeType?: string,
): Promise<INodeListSearchResult> {
	return await searchedList(
		functions,
		{
			endpoint: endpoints.listCodes,
			// The service searches too, because there may be more codes than a list can hold.
			values: { path: {}, query: { codeType, name: filter } },
			paged: true,
			shape: codeEntrySchema,
			choices: ({ codeId, name, codePath, codeType: type }) => [
				{
					name: `${codePath ?? name ?? String(codeId)}${type && codeType === undefined ? ` (${type})` : ''}`,
					value: codeId,
				},
			],
		},
		filter,
	);
}

export async function searchCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await codeList(this, filter);
}

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
