import type { TimeSlice } from './timeSlice';
import type { ItemResult } from './operation';

/** So many items at a time are ready to send; more would still be sent after a failure. */
const READY_ITEMS = 50;

/** What the loop sees of the requests of its run. */
interface RunRequests {
	/** Requests under way: each occupies an item that is not ready to send another. */
	readonly inFlight: number;
	/** Called whenever a request is sent. */
	onRequest: (() => void) | undefined;
}

interface ItemLoop {
	/** How many items there are. */
	count: number;
	/** Most items at a time. An item that waits for another one does not count. */
	concurrency: number;
	requests: RunRequests;
	slice: TimeSlice;
	/** Names of what an item writes to: items with a name in common run one after the other. */
	keys?: (itemIndex: number) => readonly string[];
	/** Whether no further item may begin after this error. */
	stopsAfter: (error: unknown) => boolean;
}

/** Which items may begin: each in its order, but behind all earlier items with one of its keys. */
class ReadyItems {
	private readonly waitingFor: Array<number | undefined> = [];
	private readonly followers = new Map<number, number[]>();
	private readonly released: number[] = [];
	private nextInOrder = 0;

	constructor(private readonly count: number) {}

	/** @param keys names of what an item writes to */
	async findFollowers(
		keys: (itemIndex: number) => readonly string[],
		slice: TimeSlice,
	): Promise<void> {
		const last = new Map<string, number>();
		for (let item = 0; item < this.count; item++) {
			if (slice.isOver) await slice.yield();
			for (const key of keys(item)) {
				const previous = last.get(key);
				last.set(key, item);
				if (previous === undefined || previous === item) continue;
				const followers = this.followers.get(previous) ?? [];
				if (followers.includes(item)) continue;
				followers.push(item);
				this.followers.set(previous, followers);
				this.waitingFor[item] = (this.waitingFor[item] ?? 0) + 1;
			}
		}
	}

	/** Takes the next item that may begin; undefined if there is none now. */
	take(): number | undefined {
		const released = this.released.shift();
		if (released !== undefined) return released;
		while (this.nextInOrder < this.count) {
			const item = this.nextInOrder++;
			if (!this.waitingFor[item]) return item;
		}
		return undefined;
	}

	/** An item has its final outcome. */
	finish(item: number): void {
		for (const follower of this.followers.get(item) ?? []) {
			const left = (this.waitingFor[follower] ?? 0) - 1;
			this.waitingFor[follower] = left;
			if (left === 0 && follower < this.nextInOrder) this.released.push(follower);
		}
		this.followers.delete(item);
	}
}

/**
 * Runs `work` for every item, several at a time. Items that have not begun when the loop stops are left
 * out of the results, which are in the order of the items.
 */
export async function runItems<T>(
	{ count, concurrency, requests, slice, keys, stopsAfter }: ItemLoop,
	work: (itemIndex: number) => T | Promise<T>,
): Promise<Array<ItemResult<T>>> {
	const results: Array<ItemResult<T>> = [];
	const ready = new ReadyItems(count);
	if (keys) await ready.findFollowers(keys, slice);
	let running = 0;
	let stopped = false;

	const run = async (item: number): Promise<void> => {
		try {
			while (slice.isOver) await slice.yield();
			results[item] = { value: await work(item) };
		} catch (error) {
			results[item] = { error };
			if (stopsAfter(error)) stopped = true;
		}
	};
	await new Promise<void>((resolve) => {
		const begin = (): void => {
			while (
				!stopped &&
				running < Math.max(1, concurrency) &&
				running - requests.inFlight < READY_ITEMS
			) {
				const item = ready.take();
				if (item === undefined) break;
				running++;
				void run(item).then(() => {
					running--;
					ready.finish(item);
					begin();
				});
			}
			if (running === 0) resolve();
		};
		requests.onRequest = begin;
		begin();
	});
	requests.onRequest = undefined;
	return results;
}
