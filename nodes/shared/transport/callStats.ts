/** What the calls of a run did, for the summary shown to the user. */
export class CallStats {
	/** Requests sent, retries included. */
	sent = 0;

	/** Requests sent again after a rejection or a fault. */
	retried = 0;

	/** Requests the service refused for their rate. */
	rateRejected = 0;

	/** Milliseconds in which at least one call waited for its turn. */
	waitedMs = 0;

	private waiting = 0;

	private waitingSince = 0;

	private firstSentAt = 0;

	private lastSentAt = 0;

	/** Requests under way. */
	inFlight = 0;

	/** @param onRequest called whenever a request is sent */
	constructor(private readonly onRequest?: () => void) {}

	/** Milliseconds from the first request to the last one. */
	get durationMs(): number {
		return this.lastSentAt - this.firstSentAt;
	}

	/** A call waits for its turn. */
	startWaiting(now: number): void {
		if (this.waiting++ === 0) this.waitingSince = now;
	}

	/** It has its turn, or waits no longer. */
	stopWaiting(now: number): void {
		if (--this.waiting === 0) this.waitedMs += now - this.waitingSince;
	}

	/** A request is sent. */
	startRequest(now: number, isRetry: boolean): void {
		if (this.sent++ === 0) this.firstSentAt = now;
		this.lastSentAt = now;
		if (isRetry) this.retried++;
		this.inFlight++;
		this.onRequest?.();
	}

	/** It has ended. */
	endRequest(): void {
		this.inFlight--;
	}
}
