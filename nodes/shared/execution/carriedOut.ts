import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from '../service/serviceErrors';
import type { ItemOutput, ItemResult } from './operation';

interface Remembered<T> {
	/** The input of the item, which n8n hands to every try. */
	json: IDataObject;
	ended: Promise<T>;
}

/** By what n8n keeps of one run of a node for all its tries; gone with it. */
const items = new WeakMap<object, Map<number, Remembered<ItemOutput>>>();
const wholeRuns = new WeakMap<object, Remembered<Array<ItemResult<ItemOutput>>>>();

/**
 * What earlier tries of the same run of a node have carried out. n8n's Retry On Fail runs all items
 * again, also those that were stored.
 */
export class CarriedOut {
	private readonly run: object | undefined;
	private readonly remembered: Map<number, Remembered<ItemOutput>> | undefined;

	constructor(private readonly functions: IExecuteFunctions) {
		if (!functions.getNode().retryOnFail) return;
		// n8n types it as always given; a tool of an agent may have none.
		this.run = functions.getExecuteData() as object | undefined;
		if (!this.run) return;
		this.remembered = items.get(this.run) ?? new Map<number, Remembered<ItemOutput>>();
		items.set(this.run, this.remembered);
	}

	/** Gives how an item ended in an earlier try; undefined if it is to be sent. */
	get(itemIndex: number): (() => Promise<ItemOutput>) | undefined {
		const known = this.remembered?.get(itemIndex);
		return known && known.json === this.jsonOf(itemIndex)
			? async () => await known.ended
			: undefined;
	}

	/** Waits for an item and keeps how it ended, where sending it again could store it twice. */
	async keep(itemIndex: number, ended: Promise<ItemOutput>): Promise<ItemOutput> {
		const json = this.jsonOf(itemIndex);
		try {
			await ended;
			if (json) this.remembered?.set(itemIndex, { json, ended });
		} catch (error) {
			if (json && mayBeStored(error)) this.remembered?.set(itemIndex, { json, ended });
		}
		return await ended;
	}

	/**
	 * Does all items together, or gives what an earlier try made of them.
	 * @param hasSent whether doing it again could store something twice
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
