import type { INodeExecutionData } from 'n8n-workflow';

import type { TimeSlice } from '../../shared/execution/timeSlice';

/** Every property of the items, in the order in which they first appear. */
export async function itemProperties(
	items: readonly INodeExecutionData[],
	slice: TimeSlice,
): Promise<string[]> {
	const properties = new Set<string>();
	for (const { json } of items) {
		if (slice.isOver) await slice.yield();
		for (const property in json) properties.add(property);
	}
	return [...properties];
}
