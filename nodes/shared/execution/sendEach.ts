import type { PreparedCall } from '../service/endpoints';
import { InvalidInput } from '../service/invalidInput';
import { recordKeys } from '../service/recordKeys';
import { messageOf, ServiceError } from '../service/serviceErrors';
import { CallCancelled } from '../transport/cancellation';
import { HIDDEN } from '../transport/redaction';
import { rethrow } from '../transport/rethrow';
import {
	asItems,
	errorsOf,
	isDryRun,
	type ItemContext,
	type ItemOutput,
	type ItemResult,
	type ItemResults,
	type ItemWrite,
	type PrepareWrite,
	type RunContext,
} from './operation';
import { mayHaveRun } from './runClaims';
import type { Attempted, Effect, ItemHistory, RunHistory } from './runHistory';
import { OnceKeys, SendOnce, sendOnceKey, signsOf } from './sendOnce';
import { TimeSlice } from './timeSlice';

type Tries = Required<Pick<PreparedCall, 'mayHaveRunBefore' | 'onMayHaveRun'>>;

/** A checked item that may be sent. */
interface ReadyItem extends Pick<ItemHistory, 'keys' | 'isRepeatable'> {
	/** Under what it is sent once; undefined if it may be sent each time. */
	once: Parameters<SendOnce['send']>[0] | undefined;
	/** Whether sending it twice could store something twice, and nothing else prevents it. */
	isUnsafe: boolean;
	send: (tries: Tries) => Promise<Attempted>;
}

/** Throws InvalidInput for an address whose user and password were hidden when it was read. */
function checkHidden({ body }: PreparedCall): void {
	if (!JSON.stringify(body)?.includes(`://${HIDDEN}@`)) return;
	const text = `has ${HIDDEN} in place of a user and a password, which are hidden in outputs. Enter the address in full, or leave it out.`;
	throw new InvalidInput([{ field: 'An address', text }]);
}

export function effectOf(error: unknown): Effect {
	const mayHaveRun =
		error instanceof ServiceError
			? error.details.outcomeUnknown
			: error instanceof CallCancelled && error.mayHaveRun;
	return mayHaveRun ? 'unknown' : 'none';
}

async function send(
	item: ItemContext,
	{ call, complete, output, addHint }: ItemWrite,
	tries: Tries,
): Promise<Attempted> {
	const { service } = item;
	let effect: Effect = 'none';
	try {
		const completed = complete ? await complete(call) : call;
		if (isDryRun(item)) {
			const request = { ...service.describe(completed) };
			return { result: { value: asItems({ dryRun: true, request }) }, effect };
		}
		const response = await service.call({ ...completed, ...tries });
		effect = 'executed';
		const shapeOutput = async () => asItems(await output(response, completed));
		const value = await service.afterSending(completed, shapeOutput, response);
		return { result: { value }, effect };
	} catch (thrown) {
		const error = addHint && thrown instanceof ServiceError ? addHint(thrown) : thrown;
		// An unusable response leaves open whether the call was executed.
		const known = effectOf(error);
		return { result: { error }, effect: known === 'none' ? effect : known };
	}
}

/**
 * The items that may not be sent any more: a later item of the same record was sent and cannot be sent
 * again after them.
 */
async function findOvertakenItems(
	ready: ReadonlyArray<ReadyItem | undefined>,
	history: RunHistory,
	slice: TimeSlice,
): Promise<Set<number>> {
	const overtaken = new Set<number>();
	const settledRecords = new Set<string>();
	for (let item = ready.length - 1; item >= 0; item--) {
		if (slice.isOver) await slice.yield();
		const before = history.get(item);
		const keys = (ready[item] ?? before)?.keys ?? [];
		const isOvertaken = keys.some((key) => settledRecords.has(key));
		if (isOvertaken) overtaken.add(item);
		const wasSent = before !== undefined && before.effect !== 'none';
		if (wasSent && (isOvertaken || !ready[item]?.isRepeatable))
			for (const key of keys) settledRecords.add(key);
	}
	return overtaken;
}

function overtakenError(before: ItemHistory | undefined): ServiceError {
	const error = before && 'error' in before.result ? before.result.error : undefined;
	const reason = error === undefined ? '' : ` An earlier attempt failed: ${messageOf(error)}.`;
	return new ServiceError({
		...(error instanceof ServiceError && error.details),
		message: 'This item was not sent again, because a later item has changed the same record',
		description: `Its values are older.${reason} Check the record in the service before you send them.`,
		replayable: false,
	});
}

const repeatedError = (): ServiceError =>
	new ServiceError({
		message: 'This item was not sent, because n8n has run this node before in this execution',
		description:
			'A late call to a link brought the execution back to an earlier wait. The item may already have been sent: check in the service before you send it again.',
		replayable: false,
		outcomeUnknown: true,
	});

/** Whether the result of an earlier try stays. */
function isSettled(
	before: ItemHistory,
	{ keys, isRepeatable }: ReadyItem,
	changedRecords: ReadonlySet<string>,
): boolean {
	// An item that succeeded is sent again only after an item that this try has sent.
	if ('value' in before.result) return !keys.some((key) => changedRecords.has(key));
	return before.effect !== 'none' && !isRepeatable;
}

/**
 * Checks all items of an operation that writes, then sends the call of each, or shows it in a dry run.
 *
 * Items that write to the same record run in order, over all tries of n8n's Retry On Fail: what was sent
 * after an item that failed is sent again after it; where that could create a duplicate, the failed one
 * is not sent any more.
 */
export async function sendEach(
	{ functions, service, history, forEachItem }: RunContext,
	prepare: PrepareWrite,
): Promise<ItemResults> {
	const sentOnce = new OnceKeys();
	const checked = await forEachItem(async (item): Promise<ReadyItem> => {
		const write = await prepare(item);
		checkHidden(write.call);
		const onceKey = isDryRun(item) ? undefined : sendOnceKey(item, write.call);
		if (onceKey) sentOnce.add(onceKey, write.call, item.itemIndex);
		const records = recordKeys(write.call, service.vocabulary);
		const isRepeatable = onceKey === undefined && write.call.endpoint.retry !== 'unsafe';
		return {
			keys: [...records, ...(onceKey ? [onceKey] : [])],
			once:
				onceKey === undefined
					? undefined
					: { key: onceKey, signs: signsOf(write.call), call: write.call },
			isRepeatable,
			isUnsafe: onceKey === undefined && !isRepeatable && !isDryRun(item),
			send: async (tries) => await send(item, write, tries),
		};
	});
	if (!functions.continueOnFail() && checked.some((result) => 'error' in result)) {
		return errorsOf(checked);
	}
	const ready = checked.map((result) => ('value' in result ? result.value : undefined));
	const isRetry = !history.isEmpty;
	const overtaken = isRetry
		? await findOvertakenItems(ready, history, new TimeSlice(service.signal))
		: undefined;
	const keyed = ready.filter((item) => item?.once);
	const once = keyed.length > 0 ? new SendOnce(functions, service, keyed.length) : undefined;
	const changedRecords = new Set<string>();
	const isRepeated =
		ready.some((item) => item?.isUnsafe) &&
		(await history.isRepeated(async () => await mayHaveRun(functions)));

	const sendItem = async (index: number): Promise<ItemResult<ItemOutput>> => {
		const check = checked[index];
		if (!check || 'error' in check) return history.resultOf(index) ?? { error: check?.error };
		const item = check.value;
		const before = history.get(index);
		if (before && isSettled(before, item, changedRecords)) return before.result;
		if (overtaken?.has(index)) return { error: overtakenError(before) };
		if (isRepeated && item.isUnsafe) return { error: repeatedError() };
		const mayHaveRunBefore = before !== undefined && before.effect !== 'none';
		let mayHaveRun = false;
		const onMayHaveRun = () => (mayHaveRun = true);
		const sendNow = async () => await item.send({ mayHaveRunBefore, onMayHaveRun });
		const attempted = once && item.once ? await once.send(item.once, sendNow) : await sendNow();
		// What an earlier try may have done was there before the later items were sent.
		if (isRetry && mayHaveRun) for (const key of item.keys) changedRecords.add(key);
		return history.add(index, item, attempted);
	};
	const results = await forEachItem(
		async ({ itemIndex }) => {
			const result = await sendItem(itemIndex);
			return 'value' in result ? result.value : rethrow(result.error);
		},
		(item) => ready[item]?.keys ?? [],
	);
	await once?.end();
	return results;
}
