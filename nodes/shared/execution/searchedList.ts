import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { z, type ZodType, type ZodTypeDef } from 'zod';

import type { Endpoint } from '../service/endpoints';
import type { QueryValues } from '../service/nativeService';
import { connect } from './connect';
import { type NamedField, namedLists } from './namedLists';
import { toNodeError } from './nodeErrors';

type SearchResult = INodeListSearchResult['results'][number];

/** More than anybody scrolls through; whoever looks for more types a part of the name. */
const MOST_ENTRIES = 1000;

/** What of a list a user can choose from. */
interface ListToSearch<T> {
	endpoint: Endpoint;
	/** Values of the path, if it has any. */
	path?: Record<string, string>;
	/** Narrows the list by what else is entered in the node, and by the text searched for. */
	query?: (functions: ILoadOptionsFunctions, filter?: string) => QueryValues;
	/** False for bare arrays, which take no paging options. */
	paged: boolean;
	/** Entries of another shape are left out. */
	shape: ZodType<T, ZodTypeDef, unknown>;
	/** What an entry offers; an entry may offer several choices. */
	choices: (entry: T, functions: ILoadOptionsFunctions) => SearchResult[];
}

/** A choice of an ID: its name, with the ID, because names are not unique. */
export function namedId(name: string | null | undefined, value: string | number): SearchResult {
	return { name: name ? `${name} (${value})` : String(value), value };
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

/** A method for `methods.listSearch` of a node. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
) => Promise<INodeListSearchResult>;

/**
 * The search behind a "From List" field. It throws the error n8n shows in place of the list; entering an
 * ID by hand still works.
 */
export function listSearch<T>(list: ListToSearch<T>): ListSearch {
	const { endpoint, path = {}, query, paged, shape, choices } = list;
	return async function (filter) {
		const found: SearchResult[] = [];
		try {
			const service = await connect(this);
			const values = { path, ...(query && { query: query(this, filter) }) };
			for await (const entry of service.list(endpoint, values, { paged })) {
				const parsed = shape.safeParse(entry);
				if (parsed.success) found.push(...choices(parsed.data, this));
				if (found.length >= MOST_ENTRIES) break;
			}
		} catch (error) {
			throw toNodeError(this.getNode(), error, 0);
		}
		return matching(found, filter);
	};
}

/**
 * The search behind a "From List" field whose entries can also be named.
 * @param query narrows the list by what else is entered in the node; all of it when left out
 */
export function namedSearch(field: NamedField, query?: ListToSearch<unknown>['query']): ListSearch {
	const { endpoint, path, paged, entriesOf } = namedLists[field];
	return listSearch({
		endpoint,
		path,
		paged,
		...(query && { query }),
		shape: z.unknown(),
		choices: (entry) => entriesOf(entry).map(({ id, name }) => namedId(name, id)),
	});
}
