import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from '../service/serviceErrors';
import type { ItemOutput } from './operation';

interface Remembered {
	/** The input of the item, which n8n hands to every try. */
	json: IDataObject;
	ended: Promise<ItemOutput>;
}

/** By what n8n keeps of one run of a node for all its tries; gone with it. */
const tries = new WeakMap<object, Map<number, Remembered>>();

/**
 * What earlier tries of the same run of a node have carried out. n8n's Retry On Fail runs all items
 * again, also those that were stored.
 */
export class CarriedOut {
	private readonly remembered: Map<number, Remembered> | undefined;

	constructor(private readonly functions: IExecuteFunctions) {
		const run: object | undefined = functions.getNode().retryOnFail
			? functions.getExecuteData()
			: undefined;
		if (!run) return;
		this.remembered = tries.get(run) ?? new Map<number, Remembered>();
		tries.set(run, this.remembered);
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

	private jsonOf(itemIndex: number): IDataObject | undefined {
		return this.functions.getInputData()[itemIndex]?.json;
	}
}

function mayBeStored(error: unknown): boolean {
	return error instanceof ServiceError && error.details.outcomeUnknown && !error.details.replayable;
}
