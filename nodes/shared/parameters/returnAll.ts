import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** The pair of parameters every list operation has. */
export const returnAllProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** How many results the user asks for. */
export function wantedResults(functions: IExecuteFunctions, itemIndex: number): number {
	const returnAll = functions.getNodeParameter('returnAll', itemIndex, false) as boolean;
	return returnAll
		? Number.POSITIVE_INFINITY
		: (functions.getNodeParameter('limit', itemIndex, 50) as number);
}

/** At most `limit` items of a list; the rest is not read. */
export async function take<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
	const taken: T[] = [];
	if (limit <= 0) return taken;
	for await (const item of items) {
		taken.push(item);
		if (taken.length >= limit) break;
	}
	return taken;
}
