import { CallCancelled, throwIfCancelled, whenAborted } from './cancellation';

/** How a call ended, as far as its pace is concerned. */
export type PermitOutcome =
	/** The service answered anything but a refusal for the rate. */
	| 'completed'
	/** There was no answer. */
	| 'noResponse'
	/** The service refused the call for its rate (429); 0 if its answer names no wait. */
	| { rejectedForMs: number };

/** The permission to send one call. */
export interface Permit {
	/** To be called once, when the call is over: the limiter learns from it. */
	release(outcome: PermitOutcome): void;
}

/** Says when calls may be sent. */
export interface Limiter {
	/**
	 * Resolves when the call may be sent. Throws {@link CallCancelled} if `signal` aborts before.
	 * @param signal that of a run: runs take turns, however many calls each has waiting
	 */
	acquire(signal?: AbortSignal): Promise<Permit>;
}

interface Waiter {
	start: (permit: Permit) => void;
	leave: () => void;
}

const NO_SIGNAL = {};

/** Calls that wait for their permit: one of each run in turn, those of a run in the order they asked. */
export class PermitQueue {
	private readonly runs = new Map<object, Waiter[]>();
	private waiting = 0;

	/** How many calls wait. */
	get length(): number {
		return this.waiting;
	}

	/** Resolves with the permit that {@link grantNext} gives. Throws {@link CallCancelled}. */
	async wait(signal: AbortSignal | undefined): Promise<Permit> {
		throwIfCancelled(signal);
		const run = signal ?? NO_SIGNAL;
		return await new Promise<Permit>((start, reject) => {
			const waiters = this.runs.get(run) ?? [];
			const leave = whenAborted(signal, () => {
				waiters.splice(waiters.indexOf(waiter), 1);
				this.waiting--;
				if (waiters.length === 0) this.runs.delete(run);
				reject(new CallCancelled());
			});
			const waiter: Waiter = { start, leave };
			waiters.push(waiter);
			this.waiting++;
			this.runs.set(run, waiters);
		});
	}

	/** Gives the first call of the run whose turn it is its permit. */
	grantNext(permit: Permit): void {
		for (const [run, waiters] of this.runs) {
			const waiter = waiters.shift();
			// The last place is the next turn.
			this.runs.delete(run);
			if (waiters.length > 0) this.runs.set(run, waiters);
			if (!waiter) continue;
			this.waiting--;
			waiter.leave();
			waiter.start(permit);
			return;
		}
	}
}
