import type { NativeService } from '../service/nativeService';
import type { ItemResult } from './operation';
import type { TimeSlice } from './timeSlice';

/** Most items ready to send: those that are ready are still sent after a failure. */
const READY_ITEMS = 50;

interface ItemLoop {
	count: number;
	/** Most items at a time, not counting those that wait for another item. */
	concurrency: number;
	/** Each request in flight occupies an item that is not ready to send another; `onRequest` starts further items. */
	requests: Pick<NativeService, 'inFlight' | 'onRequest'>;
	slice: TimeSlice;
	/** Names of the records an item writes to: items that share one run one after the other. */
	keys?: (itemIndex: number) => readonly string[];
	stopsOnFailure: () => boolean;
}

/** Decides which items may start: in order, each after all earlier items that share a key. */
class ReadyItems {
	/** The items with a key. `first` is the position of the one that may run. */
	private readonly queues = new Map<string, { items: number[]; first: number }>();
	/** Items that wait for no other item. */
	private readonly inOrder: number[] = [];
	private taken = 0;
	/** Items whose wait is over: they go before the others. */
	private readonly released: number[] = [];

	constructor(private readonly keys: (itemIndex: number) => readonly string[]) {}

	add(item: number): void {
		for (const key of new Set(this.keys(item))) {
			const queue = this.queues.get(key);
			if (queue) queue.items.push(item);
			else this.queues.set(key, { items: [item], first: 0 });
		}
		if (this.isFirst(item)) this.inOrder.push(item);
	}

	/** The next item that may start; undefined if there is none now. */
	take(): number | undefined {
		return this.released.shift() ?? this.inOrder[this.taken++];
	}

	finish(item: number): void {
		for (const key of new Set(this.keys(item))) {
			const queue = this.queues.get(key);
			const next = queue?.items[++queue.first];
			if (next === undefined) this.queues.delete(key);
			else if (this.isFirst(next)) this.released.push(next);
		}
	}

	private isFirst(item: number): boolean {
		return this.keys(item).every((key) => {
			const queue = this.queues.get(key);
			return queue?.items[queue.first] === item;
		});
	}
}

/** Results are in input order and leave out items that had not started when the loop stopped. */
export async function runItems<T>(
	{ count, concurrency, requests, slice, keys = () => [], stopsOnFailure }: ItemLoop,
	work: (itemIndex: number) => T | Promise<T>,
): Promise<Array<ItemResult<T>>> {
	const results: Array<ItemResult<T>> = [];
	const ready = new ReadyItems(keys);
	for (let item = 0; item < count; item++) {
		if (slice.isOver) await slice.yield();
		ready.add(item);
	}
	let running = 0;
	let stopped = false;

	const run = async (item: number): Promise<void> => {
		try {
			while (slice.isOver) await slice.yield();
			results[item] = { value: await work(item) };
		} catch (error) {
			results[item] = { error };
			if (stopsOnFailure()) stopped = true;
		}
	};
	await new Promise<void>((resolve) => {
		const begin = (): void => {
			while (!stopped && running < concurrency && running - requests.inFlight < READY_ITEMS) {
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
