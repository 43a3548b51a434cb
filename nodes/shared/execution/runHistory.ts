import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { ServiceError } from '../service/serviceErrors';
import { rethrow } from '../transport/rethrow';
import { executeDataOf } from './executeData';
import type { ItemOutput, ItemResult, ItemResults } from './itemResult';
import { repeatHints } from './showHint';

export type Effect = 'none' | 'unknown' | 'executed';

/** How one try of an item ended. */
export interface Attempted {
	result: ItemResult<ItemOutput>;
	effect: Effect;
}

/** How all tries of an item ended. */
export interface ItemHistory extends Attempted {
	keys: readonly string[];
	/** Whether sending it twice has the same effect as once. */
	isRepeatable: boolean;
}

interface Remembered<T> {
	/** The item's input, which n8n passes to every try. */
	json: IDataObject | undefined;
	known: T;
}

/** Keyed by the object n8n keeps for all tries of one run. */
const histories = new WeakMap<object, RunHistory['tries']>();

/** `1–3, 5` for 0, 1, 2 and 4. */
function itemNumbers(positions: readonly number[]): string {
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

/** Whether an error is that of a job that has imported nothing. */
export function isOfFailedJob(error: unknown): boolean {
	const details = error instanceof ServiceError ? error.details : undefined;
	return details?.jobId !== undefined && !details.outcomeUnknown;
}

/** Whether an item was sent, and its job has imported nothing. */
function cameToNothing({ result }: ItemHistory, end: ItemResult<ItemOutput> | undefined): boolean {
	return 'value' in result && end !== undefined && 'error' in end && isOfFailedJob(end.error);
}

/** What a run has sent, over all tries of n8n's Retry On Fail, which runs all items again. */
export class RunHistory {
	private readonly tries: {
		items: Map<number, Remembered<ItemHistory>>;
		wholeRun?: Remembered<Promise<ItemResults>>;
		isRepeated?: Promise<boolean>;
		hints?: readonly NodeExecutionHint[];
	};

	constructor(private readonly functions: IExecuteFunctions) {
		const run = functions.getNode().retryOnFail ? executeDataOf(functions) : undefined;
		this.tries = (run && histories.get(run)) ?? { items: new Map() };
		if (run) histories.set(run, this.tries);
	}

	get isEmpty(): boolean {
		return this.tries.items.size === 0;
	}

	get(itemIndex: number): ItemHistory | undefined {
		const remembered = this.tries.items.get(itemIndex);
		return remembered?.json === this.jsonOf(itemIndex) ? remembered?.known : undefined;
	}

	/** Adds a try of an item and returns what it came to over all tries. */
	add(
		itemIndex: number,
		{ keys, isRepeatable }: Pick<ItemHistory, 'keys' | 'isRepeatable'>,
		{ result, effect }: Attempted,
	): ItemResult<ItemOutput> {
		const known: ItemHistory = { result, effect, keys, isRepeatable };
		const before = this.get(itemIndex);
		if (before) {
			// A repetition finds what the first try has created.
			const isRepeated = 'value' in before.result && 'value' in result;
			// What fails before it is sent leaves the earlier doubt.
			const isUnsent = 'error' in before.result && 'error' in result && effect === 'none';
			if (isRepeated || (isUnsent && before.effect !== 'none')) known.result = before.result;
			if (before.effect === 'executed' || effect === 'none') known.effect = before.effect;
		}
		this.tries.items.set(itemIndex, { json: this.jsonOf(itemIndex), known });
		return known.result;
	}

	/** The result of an item that succeeded or may have been executed; otherwise undefined. */
	resultOf(itemIndex: number): ItemResult<ItemOutput> | undefined {
		const known = this.get(itemIndex);
		return known && ('value' in known.result || known.effect !== 'none') ? known.result : undefined;
	}

	/** Runs all items together, or returns the result of an earlier try that has sent something. */
	async keepAll(work: () => Promise<ItemResults>, hasSent: () => boolean): Promise<ItemResults> {
		const json = this.jsonOf(0);
		const { wholeRun } = this.tries;
		if (wholeRun && wholeRun.json === json) return await wholeRun.known;
		const known = work();
		try {
			return await known;
		} finally {
			if (hasSent()) this.tries.wholeRun = { json, known };
		}
	}

	/** Asks once in all tries whether n8n has run this before, which only a first try can find out. */
	async isRepeated(ask: () => Promise<boolean>): Promise<boolean> {
		const asked = (this.tries.isRepeated ??= ask());
		try {
			return await asked;
		} catch (error) {
			// The next try asks again.
			this.tries.isRepeated = undefined;
			return rethrow(error);
		}
	}

	/** Shows the hints of earlier tries, too, whose results are kept. */
	keepHints(): void {
		this.tries.hints = repeatHints(this.functions, this.tries.hints ?? []);
	}

	/**
	 * Sentences for the error that stops the run: items that were sent are in no output. Empty if none was
	 * sent, or only the one that the error itself is about.
	 */
	describeSent(error: unknown, results: ReadonlyArray<ItemResult<ItemOutput> | undefined>): string {
		const sent: number[] = [];
		const inDoubt: number[] = [];
		const jobIds: unknown[] = [];
		let isRepeatable = true;
		let isKnown = false;
		for (let item = 0; item < this.functions.getInputData().length; item++) {
			const known = this.get(item);
			if (known?.effect === 'unknown') {
				inDoubt.push(item);
				isRepeatable &&= known.isRepeatable;
				isKnown ||= 'error' in known.result && known.result.error === error;
			} else if (known?.effect === 'executed' && !cameToNothing(known, results[item])) {
				sent.push(item);
				if ('value' in known.result)
					jobIds.push(...known.result.value.flatMap(({ json }) => json.jobId ?? []));
			}
		}
		if (sent.length === 0 && inDoubt.length <= (isKnown ? 1 : 0)) return '';
		const jobs = jobIds.length > 0 ? ` (import jobs ${jobIds.join(', ')})` : '';
		return [
			sent.length > 0 &&
				`Items of this run that were already sent: ${itemNumbers(sent)}${jobs}. Leave them out when you run it again.`,
			inDoubt.length > 0 &&
				`Items of this run with an unknown outcome: ${itemNumbers(inDoubt)}. ${isRepeatable ? 'Running them again is safe.' : 'Check in the service whether they were stored before you run them again.'}`,
			'To get a result for each item, set On Error of this node to Continue.',
		]
			.filter(Boolean)
			.join(' ');
	}

	private jsonOf(itemIndex: number): IDataObject | undefined {
		return this.functions.getInputData()[itemIndex]?.json;
	}
}
