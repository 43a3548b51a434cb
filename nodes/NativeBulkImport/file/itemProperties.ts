import { type INodeExecutionData, sleep } from 'n8n-workflow';

/** So many items are looked at in a few milliseconds; then everything else in n8n gets its turn. */
const BATCH = 10_000;

/** Every property of the items, in the order in which they first appear. */
export async function itemProperties(items: readonly INodeExecutionData[]): Promise<string[]> {
	const properties = new Set<string>();
	for (let start = 0; start < items.length; start += BATCH) {
		if (start > 0) await sleep(0);
		for (const { json } of items.slice(start, start + BATCH))
			for (const property of Object.keys(json)) properties.add(property);
	}
	return [...properties];
}
