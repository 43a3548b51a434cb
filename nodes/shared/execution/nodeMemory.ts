import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';

const ENTRIES = { mode: 'entries' } as const;

/** By node: n8n reads a whole memory and writes it back without a lock. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Texts that n8n remembers for a node, also after a restart: as hashes, all in one row of its database. n8n
 * has no way to look at them alone; checking a text remembers it.
 */
export class NodeMemory {
	/**
	 * Throws InvalidInput where n8n has no place for them.
	 * @param field on the screen
	 */
	constructor(
		private readonly functions: IExecuteFunctions,
		field: string,
	) {
		if (functions.getWorkflow().id) return;
		throw new InvalidInput([{ field, text: 'needs a saved workflow. Save it first.' }]);
	}

	async count(): Promise<number> {
		return await this.functions.helpers.getProcessedDataCount('node', ENTRIES);
	}

	/**
	 * Adds texts and returns those that were known.
	 * @param most oldest texts above this number are forgotten
	 */
	async add(texts: readonly string[], most = Number.MAX_SAFE_INTEGER): Promise<Set<unknown>> {
		const options = { ...ENTRIES, maxEntries: most };
		const { checkProcessedAndRecord } = this.functions.helpers;
		const { processed } = await this.inTurn(
			async () => await checkProcessedAndRecord([...texts], 'node', options),
		);
		return new Set(processed);
	}

	async remove(texts: readonly string[]): Promise<void> {
		const { removeProcessed } = this.functions.helpers;
		await this.inTurn(async () => await removeProcessed([...texts], 'node', ENTRIES));
	}

	/** Whether a text is known. */
	async has(text: string): Promise<boolean> {
		const isKnown = (await this.add([text])).has(text);
		// Looking for it has remembered it.
		if (!isKnown) await this.remove([text]);
		return isKnown;
	}

	/**
	 * Forgets all but these texts, and remembers of which kind they are. If n8n is killed meanwhile, it has
	 * forgotten all of them, so no text counts as known that is not.
	 * @returns the texts that were known, and a new one that is known until the next call
	 */
	async keepOnly(
		texts: readonly string[],
		kind: string,
	): Promise<{ known: Set<unknown>; last: string }> {
		const { checkProcessedAndRecord } = this.functions.helpers;
		return await this.inTurn(async () => {
			// A text that is always new comes last, and is all that stays.
			const last = `${Date.now()} ${Math.random()}`;
			const emptied = { ...ENTRIES, maxEntries: 1 };
			const { processed } = await checkProcessedAndRecord([...texts, last], 'node', emptied);
			await checkProcessedAndRecord([...processed, kind], 'node', ENTRIES);
			return { known: new Set(processed), last };
		});
	}

	/**
	 * Adds texts to those that were kept, unless others were kept since.
	 * @param last as it was returned then
	 * @returns whether they were added
	 */
	async addToKept(texts: readonly string[], last: string): Promise<boolean> {
		const { checkProcessedAndRecord, removeProcessed } = this.functions.helpers;
		return await this.inTurn(async () => {
			const { processed } = await checkProcessedAndRecord([last], 'node', ENTRIES);
			const isKept = processed.length > 0;
			if (isKept) await checkProcessedAndRecord([...texts], 'node', ENTRIES);
			// Looking for it has remembered it.
			else await removeProcessed([last], 'node', ENTRIES);
			return isKept;
		});
	}

	/** One after the other in this process. */
	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const { id } = this.functions.getNode();
		const run = (queues.get(id) ?? Promise.resolve()).then(work);
		const ended = run.catch(() => undefined);
		queues.set(id, ended);
		return await run;
	}
}
