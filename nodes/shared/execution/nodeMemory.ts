import { chunk } from 'lodash';
import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';
import { CallCancelled, whenAborted } from '../transport/cancellation';

const ENTRIES = { mode: 'entries' } as const;

/** Known while texts are remembered that were only looked for. */
const LOOKING = 'looking';
const LOOKED_AT_ONCE = 2000;
/** n8n searches its whole list for each of them, and does nothing else meanwhile. */
const FORGOTTEN_AT_ONCE = 50;

/**
 * What n8n keeps for a node with its workflow, of executions in production. By the ID of the node: n8n's own
 * state of a node is by its name, and gone once it is renamed.
 */
export class NodeState {
	private readonly all: IDataObject;
	private readonly nodeId: string;

	constructor(functions: IExecuteFunctions | IPollFunctions) {
		this.all = functions.getWorkflowStaticData('global');
		this.nodeId = functions.getNode().id;
	}

	get(name: string): unknown {
		return this.all[this.keyOf(name)];
	}

	/** @param value undefined for none; n8n sees that it changed, but not a change in an object */
	set(name: string, value: IDataObject | string[] | undefined): void {
		const key = this.keyOf(name);
		if (value !== undefined) this.all[key] = value;
		else if (key in this.all) delete this.all[key];
	}

	private keyOf(name: string): string {
		return `n8n-nodes-native ${this.nodeId} ${name}`;
	}
}

/** The last of those who take turns, by what they share. */
const lastTurns = new Map<string, Promise<void>>();

/**
 * Waits until nobody else in this process works on something. Throws CallCancelled if the signal aborts first.
 * @returns lets the next one go on
 */
export async function takeTurn(name: string, signal?: AbortSignal): Promise<() => void> {
	const before = lastTurns.get(name) ?? Promise.resolve();
	let end = (): void => undefined;
	const turn = new Promise<void>((resolve) => {
		end = () => {
			if (lastTurns.get(name) === turn) lastTurns.delete(name);
			resolve();
		};
	});
	lastTurns.set(name, turn);
	await new Promise<void>((resolve, reject) => {
		const leave = whenAborted(signal, () => {
			// The next one still waits for those before.
			void before.then(end);
			reject(new CallCancelled());
		});
		void before.then(() => {
			leave();
			resolve();
		});
	});
	return end;
}

/**
 * Texts that n8n remembers for a node, also after a restart: as hashes, all in one row of its database. n8n
 * can only check and remember a text in one step.
 */
export class NodeMemory {
	/** Throws InvalidInput where n8n has no place for them. */
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

	/** Adds texts and returns those that were known. Forgets the oldest ones above `most`. */
	async add(texts: readonly string[], most?: number): Promise<Set<string>> {
		return await this.inTurn(async () => await this.check(texts, most));
	}

	async remove(texts: readonly string[]): Promise<void> {
		await this.inTurn(async () => await this.forget(texts));
	}

	/**
	 * Looks for texts and remembers none of them. If n8n is killed meanwhile, `keepOnly` knows none.
	 * @param mostNew more unknown ones are not looked for: n8n forgets slowly what looking has remembered
	 * @returns the texts that are known; undefined if it looked for too few of them, or was killed before
	 */
	async look(texts: readonly string[], mostNew: number): Promise<Set<string> | undefined> {
		return await this.inTurn(async () => {
			if ((await this.check([LOOKING])).size > 0) return undefined;
			const known = new Set<string>();
			const unknown: string[] = [];
			for (const some of chunk(texts, LOOKED_AT_ONCE)) {
				const found = await this.check(some);
				for (const text of some) {
					if (found.has(text)) known.add(text);
					else unknown.push(text);
				}
				if (unknown.length > mostNew) break;
			}
			for (const some of chunk(unknown, FORGOTTEN_AT_ONCE)) await this.forget(some);
			await this.forget([LOOKING]);
			return unknown.length > mostNew ? undefined : known;
		});
	}

	/**
	 * Forgets all but these texts. If n8n is killed meanwhile, it has forgotten all of them, so no text counts
	 * as known that is not.
	 * @returns the texts that were known, and a new one that is known until the next call
	 */
	async keepOnly(texts: readonly string[]): Promise<{ known: Set<string>; last: string }> {
		return await this.inTurn(async () => {
			// A text that is always new comes last, and is all that stays.
			const last = `${Date.now()} ${Math.random()}`;
			const known = await this.check([...texts, LOOKING, last], 1);
			if (known.has(LOOKING)) known.clear();
			if (known.size > 0) await this.check([...known]);
			return { known, last };
		});
	}

	/**
	 * Adds texts to those that were kept, unless others were kept since.
	 * @param last as it was returned then
	 * @returns whether they were added
	 */
	async addToKept(texts: readonly string[], last: string): Promise<boolean> {
		return await this.inTurn(async () => {
			const isKept = (await this.check([last])).size > 0;
			if (isKept) await this.check(texts);
			else await this.forget([last]);
			return isKept;
		});
	}

	private async check(texts: readonly string[], most = Number.MAX_SAFE_INTEGER) {
		const options = { ...ENTRIES, maxEntries: most };
		const { checkProcessedAndRecord } = this.functions.helpers;
		const { processed } = await checkProcessedAndRecord([...texts], 'node', options);
		return new Set(processed.map(String));
	}

	private async forget(texts: readonly string[]): Promise<void> {
		await this.functions.helpers.removeProcessed([...texts], 'node', ENTRIES);
	}

	/** n8n reads all texts of a node and writes them back without a lock. */
	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const end = await takeTurn(this.functions.getNode().id);
		return await work().finally(end);
	}
}
