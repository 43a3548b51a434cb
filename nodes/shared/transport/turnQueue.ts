import { CallCancelled, throwIfCancelled, whenAborted } from './cancellation';

/** How a call ended, as far as its pace is concerned. */
export type Ending =
	/** The service answered anything but a refusal for the rate. */
	| 'answered'
	/** There was no answer. */
	| 'unanswered'
	/** The service refused the call for its rate (429); 0 if its answer names no wait. */
	| { rejectedForMs: number };

/** The permission to send one call. */
export interface Turn {
	/** To be called once, when the call is over: the limiter learns from it. */
	ended(how: Ending): void;
}

/** Says when calls may be sent. */
export interface Limiter {
	/** Resolves when the call may be sent. Throws {@link CallCancelled} if `signal` aborts before. */
	acquire(signal?: AbortSignal): Promise<Turn>;
}

interface Waiter {
	start: (turn: Turn) => void;
	leave: () => void;
}

/** Calls that wait for their turn, in the order they asked. */
export class TurnQueue {
	private readonly waiters: Waiter[] = [];

	/** How many calls wait. */
	get length(): number {
		return this.waiters.length;
	}

	/** Resolves with the turn that {@link startNext} gives. Throws {@link CallCancelled}. */
	async wait(signal: AbortSignal | undefined): Promise<Turn> {
		throwIfCancelled(signal);
		return await new Promise<Turn>((start, reject) => {
			const leave = whenAborted(signal, () => {
				const position = this.waiters.indexOf(waiter);
				if (position >= 0) this.waiters.splice(position, 1);
				reject(new CallCancelled());
			});
			const waiter: Waiter = { start, leave };
			this.waiters.push(waiter);
		});
	}

	/** Gives the first waiting call its turn. */
	startNext(turn: Turn): void {
		const waiter = this.waiters.shift();
		waiter?.leave();
		waiter?.start(turn);
	}
}
