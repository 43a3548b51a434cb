import { throwIfCancelled } from '../transport/cancellation';
import { type Clock, systemClock } from '../transport/clock';

/** Short, because the loops of several executions may run one right after the other. */
const SLICE_MS = 10;

/**
 * Keeps a long loop from stalling n8n: `if (slice.isOver) await slice.yield();` in each round.
 * Several loops of one node share a slice.
 */
export class TimeSlice {
	private end: number;
	private yielding: Promise<void> | undefined;

	/** @param signal when it aborts, {@link TimeSlice.yield} throws CallCancelled */
	constructor(
		private readonly signal: AbortSignal | undefined,
		private readonly clock: Clock = systemClock,
	) {
		this.end = clock.now() + SLICE_MS;
	}

	/** Whether it is time to yield. */
	get isOver(): boolean {
		return this.clock.now() >= this.end;
	}

	/** Lets everything else in n8n run, then begins a new slice. */
	async yield(): Promise<void> {
		// One pause for all: loops that each began their own slice would stall n8n together.
		this.yielding ??= this.pause();
		await this.yielding;
	}

	private async pause(): Promise<void> {
		await this.clock.sleep(0);
		this.yielding = undefined;
		this.end = this.clock.now() + SLICE_MS;
		throwIfCancelled(this.signal);
	}
}

/** `entries.map(work)` that lets n8n do other work in between. */
export async function mapInSlices<T, R>(
	entries: readonly T[],
	slice: TimeSlice,
	work: (entry: T, index: number) => R,
): Promise<R[]> {
	const results: R[] = [];
	for (const [index, entry] of entries.entries()) {
		if (slice.isOver) await slice.yield();
		results.push(work(entry, index));
	}
	return results;
}
