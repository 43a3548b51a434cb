import type { INodeProperties } from 'n8n-workflow';

import type { ItemParameters } from './itemParameters';

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
export function parameterLimit(parameters: ItemParameters): number {
	if (parameters.flag('returnAll')) return Number.POSITIVE_INFINITY;
	return parameters.whole('limit', 50);
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
