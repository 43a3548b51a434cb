import { throwIfCancelled } from '../transport/cancellation';
import { type Clock, systemClock } from '../transport/clock';

/** Short: the loops of several executions may run back to back. */
const SLICE_MS = 10;

/**
 * Keeps a long loop from blocking n8n: `if (slice.isOver) await slice.yield();` in each round. Loops of
 * one node share a slice.
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

	get isOver(): boolean {
		return this.clock.now() >= this.end;
	}

	/** Lets the rest of n8n run, then starts a new slice. */
	async yield(): Promise<void> {
		// One pause for all: loops with a slice each would block n8n together.
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

/** `entries.map(work)` that yields to n8n in between. */
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
