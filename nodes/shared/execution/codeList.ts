import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { codeEntrySchema } from '../service/lookups';
import { searchedList } from './searchedList';

/**
 * The codes behind a "From List" field.
 * @param codeType only codes of this type; all of them, each with its type, when left out
 */
export async function codeList(
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

/** The list behind the field Code, for `methods.listSearch` of a node. */
export async function searchCodes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await codeList(this, filter);
}
