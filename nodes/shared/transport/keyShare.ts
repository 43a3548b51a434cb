import type { Clock } from './clock';
import type { Pace } from './pace';

/** The window in which the service counts calls: requests per second, service.md 8.2. */
export const WINDOW_MS = 1000;

export interface StartedCall {
	startedAt: number;
	/** It asks for a slot where this process has none. */
	isProbe: boolean;
	isRejected: boolean;
	/** Milliseconds until its response, if there was one. */
	latency: number | undefined;
}

interface Rejection {
	/** Calls of this process that the service accepted in the window before. */
	acceptedBefore: number;
	/** Whether more calls wait: otherwise the accepted ones say little about the limit. */
	hasMore: boolean;
	/** No call starts until then; now at the earliest. */
	resumesAt: number;
}

/**
 * How much of a key's limit this process takes, while others use the same key.
 *
 * They balance without communicating. Each keeps a quota, a whole number of calls in any second: while
 * the quotas add up to at most the limit, nothing is rejected, in whatever order the calls arrive. A
 * rejection sets the quota to what the service accepted in the second before. After a time without one
 * a process tries for more: it sends a few calls beyond its quota, and more with every response that
 * accepts them. A process that sends more is rejected more often and waits longer to try, so the quotas
 * become equal. A process without a quota probes with single calls, every other one timed for the moment
 * a slot opens. One that has just joined others tries and probes more often.
 */
export class KeyShare {
	/** Calls in any second that the latest rejection left. */
	private quota: number;
	/** Calls per second beyond the quota that are being tried. */
	private growth = 0;
	/** Calls of the current try that have not started. */
	private callsToTry = 0;
	private lastTried: StartedCall | undefined;
	/** Since when no call was rejected. */
	private acceptedSince: number;
	/** Since when others take part of the limit. */
	private sharedSince = Number.POSITIVE_INFINITY;
	/** Until then, this process counts as one that has just joined others. */
	private newUntil = Number.NEGATIVE_INFINITY;
	/** When the quota was set; rejections of calls sent before then add nothing. */
	private quotaSetAt = Number.NEGATIVE_INFINITY;
	private holdCalls: number;
	private probeCalls: number;
	private nextProbeAt = 0;
	private probesOnTime = false;

	/** @param random from 0 to 1, keeps processes apart */
	constructor(
		private readonly clock: Clock,
		private limit: number,
		private readonly random: () => number,
		private readonly pace: Pace,
	) {
		this.quota = limit;
		this.acceptedSince = clock.now();
		this.holdCalls = pace.holdCalls;
		this.probeCalls = pace.firstProbeCalls;
	}

	get rate(): number {
		return Math.min(this.limit, this.quota + this.growth);
	}

	get isWhole(): boolean {
		return this.rate >= this.limit;
	}

	/** The next probe of a process without a quota. */
	get probeAt(): number {
		return this.nextProbeAt;
	}

	setLimit(limit: number): void {
		const rate = this.rate;
		this.endTry();
		this.quota = rate >= this.limit ? limit : Math.floor((rate / this.limit) * limit);
		this.limit = limit;
	}

	/** Calls to send at once beyond the evenly spaced ones; mostly none. */
	tryForMore(): number {
		if (this.quota === 0 || this.isWhole || this.isTrying || !this.hasWaited) return 0;
		const before = this.growth;
		this.growth = before === 0 ? 1 : Math.ceil(before * this.pace.growth);
		this.callsToTry = this.growth - before;
		return this.callsToTry;
	}

	private get isTrying(): boolean {
		const call = this.lastTried;
		if (this.callsToTry > 0) return true;
		if (!call || call.latency !== undefined) return false;
		return this.clock.now() - call.startedAt < this.pace.longestTryMs;
	}

	private get hasWaited(): boolean {
		const { patienceMs, patientAfterMs } = this.pace;
		const isPatient = this.acceptedSince - this.sharedSince > patientAfterMs;
		const patience = isPatient ? patienceMs * (this.quota / this.limit) : 0;
		return this.clock.now() - this.acceptedSince >= this.durationOf(this.holdCalls) + patience;
	}

	private endTry(): void {
		this.growth = 0;
		this.callsToTry = 0;
		this.lastTried = undefined;
	}

	noteStarted(call: StartedCall): void {
		// Preliminary, until the response says more: a call without a response must not end the probing.
		if (call.isProbe) this.nextProbeAt = call.startedAt + this.durationOf(this.pace.probeCalls);
		if (this.callsToTry === 0) return;
		this.callsToTry--;
		this.lastTried = call;
	}

	noteAccepted(call: StartedCall): void {
		if (!call.isProbe || this.quota > 0) return;
		this.quota = Math.min(1, this.limit);
		this.acceptedSince = this.clock.now();
		// A slot that was free without a wait is probably not the only one.
		if (!this.probesOnTime) this.holdCalls = this.pace.firstHoldCalls;
		if (this.isNew) this.holdCalls = this.pace.newHoldCalls;
		this.probesOnTime = false;
	}

	noteRejected(call: StartedCall, rejection: Rejection): void {
		const now = this.clock.now();
		const rate = this.rate;
		const isNews = call.startedAt > this.quotaSetAt;
		const isIsolated = this.isWhole && now - this.acceptedSince > this.pace.isolatedAfterMs;
		this.quota = rate;
		this.endTry();
		if (isNews) {
			this.quotaSetAt = now;
			this.sharedSince = isIsolated ? now : Math.min(this.sharedSince, now);
			if (this.isWhole && this.hasJoined(rejection))
				this.newUntil = now + this.durationOf(this.pace.newCalls);
			if (!isIsolated) this.quota = this.quotaAfter(rate, rejection);
			this.holdCalls = this.isNew ? this.pace.newHoldCalls : this.pace.holdCalls;
		}
		// A paused queue sends nothing, so there is nothing to learn.
		this.acceptedSince = rejection.resumesAt;
		if (this.quota === 0) this.planProbe(call, rejection.resumesAt);
	}

	/** Others used the limit before. A long wait says that many calls came at once: they are new, too. */
	private hasJoined({ acceptedBefore, resumesAt }: Rejection): boolean {
		const longWait = Math.min(this.durationOf(this.pace.firstHoldCalls), WINDOW_MS / 2);
		return acceptedBefore < this.limit / 2 && resumesAt - this.clock.now() <= longWait;
	}

	private get isNew(): boolean {
		return this.clock.now() < this.newUntil;
	}

	private quotaAfter(rate: number, { acceptedBefore, hasMore }: Rejection): number {
		const quota = Math.min(rate, acceptedBefore);
		return hasMore ? quota : Math.max(quota, Math.floor(rate / 2));
	}

	/**
	 * The response to a probe tells when the oldest call leaves the service's window; its sender soon
	 * takes the slot again, and it reopens one window later. Every other probe is timed for that
	 * moment; the others are random, to keep processes from probing together.
	 */
	private planProbe(call: StartedCall, resumesAt: number): void {
		const { probeCalls, probeDelayMs, newHoldCalls } = this.pace;
		const latency = call.isProbe ? call.latency : undefined;
		this.probesOnTime = latency !== undefined && !this.probesOnTime;
		if (latency !== undefined && this.probesOnTime) {
			this.nextProbeAt = resumesAt + WINDOW_MS + probeDelayMs - Math.min(latency, WINDOW_MS);
			return;
		}
		const calls = this.isNew ? newHoldCalls : this.probeCalls;
		this.nextProbeAt = resumesAt + (0.5 + this.random()) * this.durationOf(calls);
		this.probeCalls = Math.min(probeCalls, 2 * this.probeCalls);
	}

	private durationOf(calls: number): number {
		return (calls / this.limit) * 1000;
	}
}
