import type { TimeSlice } from './timeSlice';
import type { ItemResult } from './operation';

/** Most items ready to send: those that are ready are still sent after a failure. */
const READY_ITEMS = 50;

interface RunRequests {
	/** Requests in flight: each occupies an item that is not ready to send another. */
	readonly inFlight: number;
	/** Called whenever a request is sent. */
	onRequest: (() => void) | undefined;
}

interface ItemLoop {
	count: number;
	/** Most items at a time, not counting those that wait for another item. */
	concurrency: number;
	requests: RunRequests;
	slice: TimeSlice;
	/** Names of the records an item writes to: items that share a name run one after the other. */
	keys?: (itemIndex: number) => readonly string[];
	/** Whether this error stops further items from starting. */
	stopsAfter: (error: unknown) => boolean;
}

/** Which items may start: in order, each behind all earlier items that share a key. */
class ReadyItems {
	private readonly waitingFor: Array<number | undefined> = [];
	private readonly followers = new Map<number, number[]>();
	private readonly released: number[] = [];
	private nextInOrder = 0;

	constructor(private readonly count: number) {}

	/** @param keys names of the records an item writes to */
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

	/** The next item that may start; undefined if there is none now. */
	take(): number | undefined {
		const released = this.released.shift();
		if (released !== undefined) return released;
		while (this.nextInOrder < this.count) {
			const item = this.nextInOrder++;
			if (!this.waitingFor[item]) return item;
		}
		return undefined;
	}

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
 * Runs `work` for every item, several at a time. The results are in input order and leave out items
 * that had not started when the loop stopped.
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
