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
	/** Resolves when the call may be sent. Throws {@link CallCancelled} if `signal` aborts before. */
	acquire(signal?: AbortSignal): Promise<Permit>;
}

interface Waiter {
	start: (permit: Permit) => void;
	leave: () => void;
}

/** Calls that wait for their permit, in the order they asked. */
export class PermitQueue {
	private readonly waiters: Waiter[] = [];

	/** How many calls wait. */
	get length(): number {
		return this.waiters.length;
	}

	/** Resolves with the permit that {@link grantNext} gives. Throws {@link CallCancelled}. */
	async wait(signal: AbortSignal | undefined): Promise<Permit> {
		throwIfCancelled(signal);
		return await new Promise<Permit>((start, reject) => {
			const leave = whenAborted(signal, () => {
				const position = this.waiters.indexOf(waiter);
				if (position >= 0) this.waiters.splice(position, 1);
				reject(new CallCancelled());
			});
			const waiter: Waiter = { start, leave };
			this.waiters.push(waiter);
		});
	}

	/** Gives the first waiting call its permit. */
	grantNext(permit: Permit): void {
		const waiter = this.waiters.shift();
		waiter?.leave();
		waiter?.start(permit);
	}
}
