import { ServiceError } from '../service/serviceErrors';
import type { ItemContext, ItemOutput, ItemResult, RunContext } from './operation';

/** `1–3, 5` for the positions 0, 1, 2 and 4. */
function itemNumbers(positions: number[]): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const position of positions) {
		const last = ranges.at(-1);
		if (last && position === last.to + 1) last.to = position;
		else ranges.push({ from: position, to: position });
	}
	return ranges
		.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1}–${to + 1}`))
		.join(', ');
}

/** A failed item that stops the run must not hide which others were sent: they are in no output. */
function withSentItems(results: Array<ItemResult<ItemOutput>>): Array<ItemResult<ItemOutput>> {
	const sent = results.flatMap((result, position) =>
		'value' in result && result.value.some(({ json }) => json.dryRun !== true) ? [position] : [],
	);
	if (sent.length === 0) return results;
	const note = `Items of this run that were already sent: ${itemNumbers(sent)}. Leave them out when you run it again. To get them in the output, set On Error of this node to continue.`;
	return results.map((result) => {
		if (!('error' in result) || !(result.error instanceof ServiceError)) return result;
		const { details } = result.error;
		return {
			error: new ServiceError({ ...details, description: `${details.description} ${note}` }),
		};
	});
}

/**
 * Handles all items of an operation that writes: first every item is checked, so that a mistake in the
 * last one is found before the first one is sent.
 * @param check what `send` needs of an item; throws where nothing may be sent
 */
export async function checkThenSend<T>(
	{ functions, forEachItem }: RunContext,
	check: (item: ItemContext) => Promise<T>,
	send: (item: ItemContext, checked: T) => Promise<ItemOutput>,
): Promise<Array<ItemResult<ItemOutput>>> {
	const checked = await forEachItem(check);
	const stops = !functions.continueOnFail();
	if (stops && checked.some((result) => 'error' in result)) {
		return checked.map((result) => ('error' in result ? result : { value: [] }));
	}
	const results = await forEachItem(async (item) => {
		const result = checked[item.itemIndex];
		if (result && 'value' in result) return await send(item, result.value);
		return await Promise.reject(result?.error as Error);
	});
	return stops && results.some((result) => 'error' in result) ? withSentItems(results) : results;
}
