import { chunk, uniq } from 'lodash';
import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';
import { CallCancelled, whenAborted } from '../transport/cancellation';

const ENTRIES = { mode: 'entries' } as const;

/** n8n hashes and compares them in one step. */
const RECORDED_AT_ONCE = 50_000;
/** n8n searches its whole list for each text to forget, and does nothing else meanwhile. */
const SEARCHED_AT_ONCE = 5_000_000;
const LEAST_AT_ONCE = 150;

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
 * @returns lets the next one continue
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

/** What n8n can do with the texts of a node. It reads all of them and writes them back without a lock. */
export interface MemorySteps {
	count(): Promise<number>;
	/** @returns the texts that were known; all of them are known afterwards */
	record(texts: readonly string[]): Promise<Set<string>>;
	/** @param atOnce how many in one call; by default as many as do not block n8n */
	forget(texts: readonly string[], atOnce?: number): Promise<void>;
	/** In one step. */
	forgetAllBut(text: string): Promise<void>;
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
		await this.inTurn(async ({ forget }) => await forget(texts));
	}

	/** Several steps that no other run in this process comes between. */
	async inTurn<T>(work: (steps: MemorySteps) => Promise<T>): Promise<T> {
		const end = await takeTurn(this.functions.getNode().id);
		return await work({
			count: async () => await this.count(),
			record: async (texts) => await this.recordAll(texts),
			forget: async (texts, atOnce) => await this.forgetAll(texts, atOnce),
			forgetAllBut: async (text) => {
				await this.check([text], 1);
			},
		}).finally(end);
	}

	/** In several calls: other work of n8n comes between them. */
	private async recordAll(texts: readonly string[]): Promise<Set<string>> {
		const known = new Set<string>();
		for (const some of chunk(uniq(texts), RECORDED_AT_ONCE))
			for (const text of await this.check(some)) known.add(text);
		return known;
	}

	private async forgetAll(texts: readonly string[], given?: number): Promise<void> {
		if (texts.length === 0) return;
		const searched = Math.round(SEARCHED_AT_ONCE / Math.max(1, await this.count()));
		const atOnce = given ?? Math.max(LEAST_AT_ONCE, searched);
		for (const some of chunk(texts, atOnce)) await this.forget(some);
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
}
