import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { z, type ZodType, type ZodTypeDef } from 'zod';

import type { Endpoint } from '../service/endpoints';
import type { QueryValues } from '../service/nativeService';
import { connect } from './connect';
import { type NamedField, namedLists } from './namedLists';
import { toNodeError } from './nodeErrors';

type SearchResult = INodeListSearchResult['results'][number];

/** Nobody scrolls further; the list is searched completely for what is typed. */
const MOST_ENTRIES = 1000;

/** A list of the service to choose from. */
interface ListToSearch<T> {
	endpoint: Endpoint;
	path?: Record<string, string>;
	/** Narrows the list by other values in the node and by the search text. */
	query?: (functions: ILoadOptionsFunctions, filter?: string) => QueryValues;
	/** False for bare arrays, which take no paging options. */
	paged: boolean;
	/** Entries of another shape are left out. */
	shape: ZodType<T, ZodTypeDef, unknown>;
	/** The choices of an entry: usually one, sometimes several. */
	choices: (entry: T, functions: ILoadOptionsFunctions) => SearchResult[];
}

/** A choice of an ID: its name with the ID, because names are not unique. */
export function namedId(name: string | null | undefined, value: string | number): SearchResult {
	return { name: name ? `${name} (${value})` : String(value), value };
}

const byName = (a: SearchResult, b: SearchResult): number => a.name.localeCompare(b.name);

/** Whether a choice has the text in its name or value, in any casing. */
function isMatching({ name, value }: SearchResult, filter = ''): boolean {
	return `${name} ${String(value)}`.toLowerCase().includes(filter.toLowerCase());
}

/** The choices whose name or value contains the text, sorted by name. */
export function matching(choices: SearchResult[], filter?: string): INodeListSearchResult {
	return { results: choices.filter((choice) => isMatching(choice, filter)).sort(byName) };
}

/** A method for `methods.listSearch` of a node. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
) => Promise<INodeListSearchResult>;

/**
 * Search of a "From List" field. Throws the error n8n shows instead of the list; entering an ID still
 * works.
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
				if (!parsed.success) continue;
				for (const choice of choices(parsed.data, this))
					if (isMatching(choice, filter)) found.push(choice);
				if (found.length >= MOST_ENTRIES) break;
			}
		} catch (error) {
			throw toNodeError(this.getNode(), error, 0);
		}
		return { results: found.sort(byName) };
	};
}

/**
 * Search of a "From List" field whose entries can also be named.
 * @param query narrows the list by other values in the node; by default all of it
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
