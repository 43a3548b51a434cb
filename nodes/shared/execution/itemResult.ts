import { isObject } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The output of one input item; the runner pairs them. */
export type ItemOutput = INodeExecutionData[];

export function asItems(data: IDataObject | IDataObject[]): ItemOutput {
	return (Array.isArray(data) ? data : [data]).map((json) => ({ json }));
}

/** The result of one input item. A list may leave out items, which then have no output. */
export type ItemResult<T> = { value: T } | { error: unknown };

export type ItemResults = Array<ItemResult<ItemOutput>>;

/**
 * The errors of single items, and at the first of the others what concerns all of them.
 * @param count of all items
 */
export function resultsForAll(
	count: number,
	errors: ReadonlyMap<number, unknown>,
	output: ItemOutput,
): ItemResults {
	const results: ItemResults = [];
	for (const [item, error] of errors) results[item] = { error };
	let first = 0;
	while (errors.has(first)) first++;
	if (first < count) results[first] = { value: output };
	return results;
}

/** The errors alone, if they stop the run before anything is sent. */
export function errorsOf<T>(results: ReadonlyArray<ItemResult<T>>): ItemResults {
	return results.map((result) => ('error' in result ? result : { value: [] }));
}

/** An entry of a list of items or plain rows, as an item. A row can have a column called json. */
export function itemOf(entry: unknown): INodeExecutionData {
	const json = isObject(entry) && 'json' in entry && entry.json;
	const isItem = isObject(json) && !Array.isArray(json);
	return isItem ? (entry as INodeExecutionData) : { json: (entry ?? {}) as IDataObject };
}
