import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { QueryValues } from '../service/endpoints';
import type { NativeService } from '../service/nativeService';
import { type EntryId, entryLabel, type ListSource, recordLists } from '../service/serviceLists';
import { connect } from './connect';
import { toNodeError } from './nodeErrors';

type Choice = INodeListSearchResult['results'][number];

/** Shown at a time; n8n asks for more when the user scrolls to the end. */
const MOST_CHOICES = 1000;

const byName = (a: Choice, b: Choice): number => a.name.localeCompare(b.name);

function isMatching({ name, value }: Choice, filter = ''): boolean {
	return `${name} ${String(value)}`.toLowerCase().includes(filter.toLowerCase());
}

export function matching(choices: Choice[], filter?: string): INodeListSearchResult {
	return { results: choices.filter((choice) => isMatching(choice, filter)).sort(byName) };
}

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Narrows a list by other values in the node. */
interface Narrowing {
	/** @param filter the search text */
	query?: (functions: ILoadOptionsFunctions, filter?: string) => QueryValues;
	/** Only entries of this record; of every record if undefined. */
	parentId?: (functions: ILoadOptionsFunctions) => EntryId | undefined;
}

/** Calls the service for the editor. Throws the error n8n shows in place of the list. */
export async function callForEditor<T>(
	functions: ILoadOptionsFunctions,
	work: (service: NativeService) => Promise<T>,
): Promise<T> {
	try {
		return await work(await connect(functions));
	} catch (error) {
		throw toNodeError(functions.getNode(), error, 0);
	}
}

/** Search of a "From List" field. If the list cannot be read, entering an ID still works. */
export function listSearch(
	{ endpoint, path = {}, entriesOf }: ListSource,
	{ query, parentId }: Narrowing = {},
): ListSearch {
	return async function (filter, paginationToken) {
		const parent = parentId?.(this);
		const found: Choice[] = [];
		let position = Number(paginationToken ?? 0);
		const values = {
			path,
			query: { ...query?.(this, filter), ...(position > 0 && { $skip: position }) },
		};
		return await callForEditor(this, async (service) => {
			for await (const record of service.list(endpoint, values, undefined)) {
				position++;
				for (const { label, shortNames = [], ...entry } of entriesOf(record)) {
					if (parent !== undefined && String(entry.parentId) !== String(parent)) continue;
					// Below a chosen record, entries need not say which one they belong to.
					const name = entryLabel(parent === undefined && label ? { ...entry, label } : entry);
					const choice = { name, value: entry.id };
					const names = [choice, ...shortNames.map((short) => ({ ...choice, name: short }))];
					if (names.some((each) => isMatching(each, filter))) found.push(choice);
				}
				if (!endpoint.isUnpaged && found.length >= MOST_CHOICES)
					return { results: found.sort(byName), paginationToken: String(position) };
			}
			return { results: found.sort(byName) };
		});
	};
}

export function codeSearch(codeType?: string): ListSearch {
	// The service filters too: there may be many more codes than the list shows.
	return listSearch(recordLists.codeId, { query: (_, filter) => ({ codeType, name: filter }) });
}

export const searchCodes = codeSearch();
