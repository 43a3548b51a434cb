import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from '../service/serviceErrors';
import type { ItemOutput, ItemResult } from './operation';

interface Remembered<T> {
	/** The item's input, which n8n passes to every try. */
	json: IDataObject;
	ended: Promise<T>;
}

/** Keyed by the object n8n keeps for all tries of one run. */
const items = new WeakMap<object, Map<number, Remembered<ItemOutput>>>();
const wholeRuns = new WeakMap<object, Remembered<Array<ItemResult<ItemOutput>>>>();

/**
 * What earlier tries of a run have done: n8n's Retry On Fail runs all items again, including the stored
 * ones.
 */
export class EarlierTries {
	private readonly run: object | undefined;
	private readonly remembered: Map<number, Remembered<ItemOutput>> | undefined;

	constructor(private readonly functions: IExecuteFunctions) {
		if (!functions.getNode().retryOnFail) return;
		// n8n's type says it is always there; an agent's tool may have none.
		this.run = functions.getExecuteData() as object | undefined;
		if (!this.run) return;
		this.remembered = items.get(this.run) ?? new Map<number, Remembered<ItemOutput>>();
		items.set(this.run, this.remembered);
	}

	/** The item's result from an earlier try; undefined if it has yet to be sent. */
	get(itemIndex: number): (() => Promise<ItemOutput>) | undefined {
		const known = this.remembered?.get(itemIndex);
		return known && known.json === this.jsonOf(itemIndex)
			? async () => await known.ended
			: undefined;
	}

	/** Waits for an item and keeps its result if sending it again could create a duplicate. */
	async keep(itemIndex: number, ended: Promise<ItemOutput>): Promise<ItemOutput> {
		if (!this.remembered) return await ended;
		const json = this.jsonOf(itemIndex);
		try {
			await ended;
			if (json) this.remembered.set(itemIndex, { json, ended });
		} catch (error) {
			if (json && mayBeStored(error)) this.remembered.set(itemIndex, { json, ended });
		}
		return await ended;
	}

	/**
	 * Runs all items together, or returns the result of an earlier try.
	 * @param hasSent whether running again could create duplicates
	 */
	async keepAll(
		work: () => Promise<Array<ItemResult<ItemOutput>>>,
		hasSent: () => boolean,
	): Promise<Array<ItemResult<ItemOutput>>> {
		const json = this.jsonOf(0);
		const known = this.run && wholeRuns.get(this.run);
		if (known && known.json === json) return await known.ended;
		const ended = work();
		try {
			return await ended;
		} finally {
			if (this.run && json && hasSent()) wholeRuns.set(this.run, { json, ended });
		}
	}

	private jsonOf(itemIndex: number): IDataObject | undefined {
		return this.functions.getInputData()[itemIndex]?.json;
	}
}

function mayBeStored(error: unknown): boolean {
	return error instanceof ServiceError && error.details.outcomeUnknown && !error.details.replayable;
}
