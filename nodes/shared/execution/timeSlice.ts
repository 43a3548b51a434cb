import { throwIfCancelled } from '../transport/cancellation';
import { type Clock, systemClock, turn } from '../transport/clock';

/** Short: the loops of several executions may run back to back. */
const SLICE_MS = 5;

/** A look at the clock takes as long as a short step of a loop: while steps are shorter than this … */
const SHORT_STEP_MS = 0.02;
/** … so many are made between two looks. */
const SHORT_STEPS = 8;

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
	private lookedAt = Number.NEGATIVE_INFINITY;
	/** Between the last two looks at the clock, and those that are left until the next one. */
	private steps = 1;
	private stepsLeft = 0;

	/** @param signal of the execution; when it aborts, {@link TimeSlice.yield} throws CallCancelled */
	constructor(
		private readonly signal: AbortSignal | undefined,
		private readonly clock: Clock = systemClock,
	) {
		this.slice = sharedSlice(signal);
		this.slice.end = Math.max(this.slice.end, endOfTurn(clock));
	}

	get isOver(): boolean {
		if (this.stepsLeft > 0) {
			this.stepsLeft--;
			return false;
		}
		const now = this.clock.now();
		this.steps = now - this.lookedAt < this.steps * SHORT_STEP_MS ? SHORT_STEPS : 1;
		this.stepsLeft = this.steps - 1;
		this.lookedAt = now;
		return now >= this.slice.end;
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
