import type { Clock } from './clock';

/** What follows a response takes up to a millisecond, and the next request of the same item as long again. */
const MOST_IN_TURN = 8;

/**
 * Lets the rest of n8n run between responses: those to hundreds of requests can arrive in one turn of the event
 * loop, and all that follows them would run in it.
 */
export class ResponseTurns {
	/** Responses since the last pause. */
	private count = 0;
	private pausing: Promise<void> | undefined;

	constructor(private readonly clock: Clock) {}

	/** Resolves when what follows a response may run, in the order of the responses. */
	async next(): Promise<void> {
		while (this.count === MOST_IN_TURN) await (this.pausing ??= this.pause());
		this.count++;
	}

	private async pause(): Promise<void> {
		await this.clock.sleep(0);
		this.count = 0;
		this.pausing = undefined;
	}
}
