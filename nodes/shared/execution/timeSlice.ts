import { throwIfCancelled } from '../transport/cancellation';
import { type Clock, machineClock, turn } from '../transport/clock';

/** Short: the loops of several executions may run back to back. */
const SLICE_MS = 5;

/** A turn of the event loop that takes longer has other work, such as a webhook … */
const BUSY_TURN_MS = 0.5;
/** … which goes on in bits, with waits for the database: so long each … */
const WAIT_MS = 1;
/** … until so many waits are without work … */
const QUIET_WAITS = 3;
/** … or this time is over. */
const LONGEST_PAUSE_MS = 25;

const ends = new WeakMap<Clock, number>();

/** Slices that begin in one turn of the event loop end together: loops may follow each other in it. */
function endOfTurn(clock: Clock): number {
	let end = ends.get(clock);
	if (end === undefined) {
		end = clock.now() + SLICE_MS;
		ends.set(clock, end);
		void turn().then(() => ends.delete(clock));
	}
	return end;
}

/** What the slices of an execution share: where one loop feeds another, a pause of one is a pause of both. */
interface SharedSlice {
	end: number;
	yielding: Promise<void> | undefined;
}

const shared = new WeakMap<AbortSignal, SharedSlice>();

function sharedSlice(signal: AbortSignal | undefined): SharedSlice {
	const known = signal && shared.get(signal);
	if (known) return known;
	const slice: SharedSlice = { end: 0, yielding: undefined };
	if (signal) shared.set(signal, slice);
	return slice;
}

/**
 * Keeps a long loop from blocking n8n: `if (slice.isOver) await slice.yield();` in each round. Loops of
 * one node share a slice.
 */
export class TimeSlice {
	private readonly slice: SharedSlice;

	/** @param signal of the execution; when it aborts, {@link TimeSlice.yield} throws CallCancelled */
	constructor(
		private readonly signal: AbortSignal | undefined,
		private readonly clock: Clock = machineClock,
	) {
		this.slice = sharedSlice(signal);
		this.slice.end = Math.max(this.slice.end, endOfTurn(clock));
	}

	get isOver(): boolean {
		return this.clock.now() >= this.slice.end;
	}

	async yield(): Promise<void> {
		// One pause for all: loops with a slice each would block n8n together.
		this.slice.yielding ??= this.pause();
		await this.slice.yielding;
		throwIfCancelled(this.signal);
	}

	private async pause(): Promise<void> {
		const began = this.clock.now();
		const isBusy = async (waitMs: number): Promise<boolean> => {
			const from = this.clock.now();
			await this.clock.sleep(waitMs);
			return this.clock.now() - from > waitMs + BUSY_TURN_MS;
		};
		let quietWaits = (await isBusy(0)) ? 0 : QUIET_WAITS;
		while (quietWaits < QUIET_WAITS && this.clock.now() < began + LONGEST_PAUSE_MS)
			quietWaits = (await isBusy(WAIT_MS)) ? 0 : quietWaits + 1;
		this.slice.yielding = undefined;
		this.slice.end = this.clock.now() + SLICE_MS;
	}
}

/** `entries.map(work)` that yields to n8n in between. */
export async function mapInSlices<T, R>(
	entries: readonly T[],
	slice: TimeSlice,
	work: (entry: T, index: number) => R,
): Promise<R[]> {
	const results: R[] = [];
	// `entries()` would allocate more per entry than most of these loops do.
	let index = 0;
	for (const entry of entries) {
		if (slice.isOver) await slice.yield();
		results.push(work(entry, index++));
	}
	return results;
}

/** A part of `entries.map(work)`. A generator would be resumed for each entry, which takes longer than most work. */
class SlicedEntries<T, R> implements IterableIterator<R> {
	/** Where the next entry is. */
	at = 0;
	private isFirst = true;

	constructor(
		private readonly entries: readonly T[],
		private readonly slice: TimeSlice,
		private readonly work: (entry: T, index: number) => R,
	) {}

	/** The next part. */
	begin(): this {
		this.isFirst = true;
		return this;
	}

	[Symbol.iterator](): this {
		return this;
	}

	next(): IteratorResult<R, undefined> {
		const index = this.at;
		const { entries } = this;
		if (index >= entries.length || (!this.isFirst && this.slice.isOver))
			return { done: true, value: undefined };
		this.isFirst = false;
		this.at = index + 1;
		return { done: false, value: this.work(entries[index] as T, index) };
	}
}

/**
 * `entries.map(work)` in batches that end with the slice: each entry is worked on when it is asked for, so
 * whoever asks needs no slice.
 */
export async function* batchesInSlices<T, R>(
	entries: readonly T[],
	slice: TimeSlice,
	work: (entry: T, index: number) => R,
): AsyncGenerator<Iterable<R>> {
	const sliced = new SlicedEntries(entries, slice, work);
	while (sliced.at < entries.length) {
		if (slice.isOver) await slice.yield();
		yield sliced.begin();
	}
}
