import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { positiveNumber } from '../service/positiveNumber';

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

/** The requested number of results. Throws InvalidInput for a limit that is not a number from 1. */
export function parameterLimit(functions: IExecuteFunctions, itemIndex: number): number {
	if (functions.getNodeParameter('returnAll', itemIndex, false)) return Number.POSITIVE_INFINITY;
	return positiveNumber(functions.getNodeParameter('limit', itemIndex, 50), 'Limit', {
		isWhole: true,
	});
}

/** At most `limit` items of a list; the rest is not read. */
export async function collect<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
	const taken: T[] = [];
	for await (const item of items) {
		taken.push(item);
		if (taken.length >= limit) break;
	}
	return taken;
}
