/** What the calls of a run did, for the summary. */
export class CallStats {
	/** Retries included. */
	sent = 0;
	retried = 0;
	rateRejected = 0;
	/** Milliseconds in which at least one call waited for a permit. */
	waitedMs = 0;
	inFlight = 0;
	private waiting = 0;
	private waitingSince = 0;
	private firstSentAt = 0;
	private lastSentAt = 0;

	constructor(private readonly onRequest?: () => void) {}

	/** From the first request to the last. */
	get durationMs(): number {
		return this.lastSentAt - this.firstSentAt;
	}

	startWaiting(now: number): void {
		if (this.waiting++ === 0) this.waitingSince = now;
	}

	stopWaiting(now: number): void {
		if (--this.waiting === 0) this.waitedMs += now - this.waitingSince;
	}

	startRequest(now: number, isRetry: boolean): void {
		if (this.sent++ === 0) this.firstSentAt = now;
		this.lastSentAt = now;
		if (isRetry) this.retried++;
		this.inFlight++;
		this.onRequest?.();
	}

	endRequest(): void {
		this.inFlight--;
	}
}
