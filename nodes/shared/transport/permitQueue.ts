import { CallCancelled, throwIfCancelled, whenAborted } from './cancellation';
import type { Clock } from './clock';
import { LONGEST_NAMED_WAIT_MS, LONGEST_WAITING_MS } from './retry';

/** How a call ended, as far as the rate limit is concerned. */
export type PermitOutcome =
	| 'completed'
	| 'noResponse'
	/** A rejection for the rate limit; 0 if it names no wait. One for longer than any call waits blocks the key. */
	| { rejectedForMs: number; blocksKey?: boolean };

/** The right to send one call. */
export interface Permit {
	/** To be called once, when the call has ended. */
	release(outcome: PermitOutcome): void;
}

/** The service has rejected all calls of a key for so long that no call waits any more. */
export class KeyBlocked extends Error {
	constructor() {
		super('The service rejects all calls of this key.');
		this.name = 'KeyBlocked';
	}
}

export interface Limiter {
	/**
	 * Resolves when a call may be sent. Throws {@link CallCancelled} if the signal of its run aborts first, and
	 * {@link KeyBlocked}.
	 */
	acquire(signal?: AbortSignal): Promise<Permit>;
}

interface Waiter {
	start: (permit: Permit) => void;
	reject: (error: Error) => void;
	leave: () => void;
}

const NO_SIGNAL = Object.freeze({});

/** So many calls of each run go first: a few posts do not wait for ten thousand. */
const FIRST_CALLS = 10;

/** After this many of them, an older run continues: an endless series of short runs must not stop it. */
const MOST_FIRST_IN_A_ROW = 20;

/** So long after a rejection, a call tries whether a blocked key is accepted again. */
const BLOCKED_MS = 60_000;

/** Calls that wait for a permit: new runs first, then runs alternate; the calls of a run keep their order. */
export class PermitQueue {
	private readonly runs = new Map<object, Waiter[]>();
	/** Permits of each run so far. */
	private readonly granted = new WeakMap<object, number>();
	private waiting = 0;
	private firstInARow = 0;
	/** When the first call since an accepted one was rejected, plus the waits named since; and the latest one. */
	private rejected: { since: number; at: number } | undefined;

	constructor(private readonly clock: Clock) {}

	get length(): number {
		return this.waiting;
	}

	async wait(signal: AbortSignal | undefined): Promise<Permit> {
		throwIfCancelled(signal);
		// What was rejected long before says nothing: nobody tried since then.
		if (this.waiting === 0 && this.sinceRejection > 2 * LONGEST_NAMED_WAIT_MS)
			this.rejected = undefined;
		if (this.isKeyBlocked) throw new KeyBlocked();
		const run = signal ?? NO_SIGNAL;
		return await new Promise<Permit>((start, reject) => {
			const waiters = this.runs.get(run) ?? [];
			const leave = whenAborted(signal, () => {
				waiters.splice(waiters.indexOf(waiter), 1);
				this.waiting--;
				if (waiters.length === 0) this.runs.delete(run);
				reject(new CallCancelled());
			});
			const waiter: Waiter = { start, reject, leave };
			waiters.push(waiter);
			this.waiting++;
			this.runs.set(run, waiters);
		});
	}

	grantNext(permit: Permit): void {
		const run = this.nextRun();
		if (!run) return;
		const waiters = this.runs.get(run) ?? [];
		const waiter = waiters.shift();
		// The run goes to the end of the round.
		this.runs.delete(run);
		if (waiters.length > 0) this.runs.set(run, waiters);
		if (!waiter) return;
		this.granted.set(run, this.grantedTo(run) + 1);
		this.waiting--;
		waiter.leave();
		waiter.start(permit);
	}

	/** Ends all calls that wait if the service has accepted none for as long as any call waits. */
	noteEnd(outcome: PermitOutcome): void {
		if (outcome === 'completed') this.rejected = undefined;
		if (typeof outcome !== 'object') return;
		const now = this.clock.now();
		const since = this.rejected?.since ?? now;
		// A wait that is named ends; one of 30 ms says little where only single calls go out.
		const { rejectedForMs, blocksKey } = outcome;
		this.rejected = {
			since: blocksKey ? now - LONGEST_WAITING_MS : since + rejectedForMs,
			at: now,
		};
		if (this.isKeyBlocked) this.rejectAll(new KeyBlocked());
	}

	private get isKeyBlocked(): boolean {
		const { since, at } = this.rejected ?? { since: 0, at: 0 };
		return at - since >= LONGEST_WAITING_MS && this.sinceRejection < BLOCKED_MS;
	}

	private get sinceRejection(): number {
		return this.clock.now() - (this.rejected?.at ?? Number.NEGATIVE_INFINITY);
	}

	private rejectAll(error: Error): void {
		for (const waiter of [...this.runs.values()].flat()) {
			waiter.leave();
			waiter.reject(error);
		}
		this.runs.clear();
		this.waiting = 0;
	}

	private nextRun(): object | undefined {
		const isOthersTurn = this.firstInARow === MOST_FIRST_IN_A_ROW;
		for (const run of this.runs.keys()) {
			const isNew = this.grantedTo(run) < FIRST_CALLS;
			if (isNew === isOthersTurn) continue;
			this.firstInARow = isOthersTurn ? 0 : this.firstInARow + 1;
			return run;
		}
		this.firstInARow = 0;
		return this.runs.keys().next().value;
	}

	private grantedTo(run: object): number {
		return this.granted.get(run) ?? 0;
	}
}
