import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Endpoint } from '../service/endpoints';
import type { CallValues } from '../service/nativeService';
import { connect } from './connect';
import { toNodeError } from './nodeErrors';

type SearchResult = INodeListSearchResult['results'][number];

/** More than anybody scrolls through; whoever looks for more types a part of the name. */
const MOST_ENTRIES = 1000;

/** What of a list a user can choose from. */
export interface ListToSearch<E extends Endpoint, T> {
	endpoint: E;
	values: CallValues<E>;
	/** False for bare arrays, which take no paging options. */
	paged: boolean;
	/** Entries of another shape are left out. */
	shape: ZodType<T, ZodTypeDef, unknown>;
	/** What an entry offers; an entry may offer several choices. */
	choices: (entry: T) => SearchResult[];
}

/** The choices whose name or value contains the text, by name. */
export function matching(choices: SearchResult[], filter = ''): INodeListSearchResult {
	const wanted = filter.toLowerCase();
	return {
		results: choices
			.filter(({ name, value }) => `${name} ${String(value)}`.toLowerCase().includes(wanted))
			.sort((a, b) => a.name.localeCompare(b.name)),
	};
}

/**
 * The entries behind a "From List" field.
 * Throws the error n8n shows in place of the list; entering an ID by hand still works.
 */
export async function searchedList<E extends Endpoint, T>(
	functions: ILoadOptionsFunctions,
	{ endpoint, values, paged, shape, choices }: ListToSearch<E, T>,
	filter: string | undefined,
): Promise<INodeListSearchResult> {
	const found: SearchResult[] = [];
	try {
		const service = await connect(functions);
		for await (const entry of service.list(endpoint, values, { paged })) {
			const parsed = shape.safeParse(entry);
			if (parsed.success) found.push(...choices(parsed.data));
			if (found.length >= MOST_ENTRIES) break;
		}
	} catch (error) {
		throw toNodeError(functions.getNode(), error, 0);
	}
	return matching(found, filter);
}
