import { recordKeys } from '../service/recordKeys';
import { ServiceError } from '../service/serviceErrors';
import { rethrow } from '../transport/rethrow';
import { EarlierTries } from './earlierTries';
import {
	asItems,
	type ItemContext,
	type ItemOutput,
	type ItemResult,
	type ItemWrite,
	type PrepareWrite,
	type RunContext,
} from './operation';

export function isDryRun({ functions, itemIndex }: ItemContext): boolean {
	const options = functions.getNodeParameter('options', itemIndex, {}) as { dryRun?: unknown };
	return options.dryRun === true;
}

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

/** Adds a sentence to an error that the user can act on. */
export function addNote(error: unknown, note: string): unknown {
	if (!(error instanceof ServiceError)) return error;
	return error.with({ advice: [error.details.advice, note].filter(Boolean).join(' ') });
}

/** What was sent before a run stopped: an item's output and position. */
type SentItem = [position: number, output: ItemOutput];

function describeSentItems(sent: SentItem[]): string {
	const numbers = itemNumbers(sent.map(([position]) => position));
	return `Items of this run that were already sent: ${numbers}. Leave them out when you run it again. To get them in the output, set On Error of this node to continue.`;
}

/** Items sent before the one that stops the run are in no output, so its error names them. */
function addSentNote(
	results: Array<ItemResult<ItemOutput>>,
	describeSent: (sent: SentItem[]) => string,
): Array<ItemResult<ItemOutput>> {
	const sent = results.flatMap((result, position): SentItem[] =>
		'value' in result && result.value.some(({ json }) => json.dryRun !== true)
			? [[position, result.value]]
			: [],
	);
	if (sent.length === 0) return results;
	const note = describeSent(sent);
	return results.map((result) =>
		'error' in result ? { error: addNote(result.error, note) } : result,
	);
}

interface ReadyItem {
	keys: readonly string[];
	send: () => Promise<ItemOutput>;
}

async function send(
	item: ItemContext,
	{ call, complete, output, addHint }: ItemWrite,
): Promise<ItemOutput> {
	const { service } = item;
	const completed = complete ? await complete(call) : call;
	if (isDryRun(item)) return asItems({ dryRun: true, request: { ...service.describe(completed) } });
	try {
		const response = await service.call(completed);
		const shapeOutput = async () => asItems(await output(response, completed));
		return await service.afterSending(completed, shapeOutput, response);
	} catch (error) {
		rethrow(addHint && error instanceof ServiceError ? addHint(error) : error);
	}
}

/**
 * Handles all items of an operation that writes. First it checks every item, so that a mistake in the
 * last one shows before the first is sent; then each item sends its call, or shows it in a dry run.
 * Items that write to the same record run in order.
 * @param describeSent names what was already sent, for the error of an item that stops the run
 */
export async function sendEach(
	{ functions, service, forEachItem }: RunContext,
	prepare: PrepareWrite,
	describeSent = describeSentItems,
): Promise<Array<ItemResult<ItemOutput>>> {
	const earlierTries = new EarlierTries(functions);
	const checked = await forEachItem(async (item): Promise<ReadyItem> => {
		const { itemIndex } = item;
		const known = earlierTries.get(itemIndex);
		if (known) return { keys: [], send: known };
		const write = await prepare(item);
		return {
			keys: recordKeys(write.call, service.vocabulary),
			send: async () => await earlierTries.keep(itemIndex, send(item, write)),
		};
	});
	const stops = !functions.continueOnFail();
	if (stops && checked.some((result) => 'error' in result)) {
		return checked.map((result) => ('error' in result ? result : { value: [] }));
	}
	const results = await forEachItem(
		async ({ itemIndex }) => {
			const result = checked[itemIndex];
			if (!result || 'error' in result) return rethrow(result?.error);
			return await result.value.send();
		},
		(itemIndex) => {
			const result = checked[itemIndex];
			return result && 'value' in result ? result.value.keys : [];
		},
	);
	return stops && results.some((result) => 'error' in result)
		? addSentNote(results, describeSent)
		: results;
}
