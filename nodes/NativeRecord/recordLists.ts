import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { matching } from '../shared/execution/searchedList';
import { knownResourceNames } from '../shared/service/recordPath';

/** `activistCodes` → `Activist Codes`. */
function inTitleCase(name: string): string {
	const words = name.replace(/([A-Z])/g, ' $1');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fixed: the service does not list its resources (service.md 1.1). */
export async function searchResourceNames(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const choices = knownResourceNames.map((value) => ({ name: inTitleCase(value), value }));
	return await Promise.resolve(matching(choices, filter));
}
