import type { Clock } from './clock';
import { type PermitOutcome, type Limiter, type Permit, PermitQueue } from './permitQueue';
import { RequestsInFlight } from './requestsInFlight';

/** The window in which the service counts calls: requests per second, service.md 8.2. */
const WINDOW_MS = 1000;

/** The longest sleep before a check for a changed limit or an emptied queue. */
const LONGEST_SLEEP_MS = 250;

/**
 * Calls started before the rest of n8n may run: its request helper works up to a millisecond on each.
 * With one at a time, posts without a limit took half as much processor time again.
 */
const MOST_STARTS_IN_TURN = 8;

/** Settings of the limiter, chosen by the simulation in bench/pace; bench/pace/results.md compares others. */
export interface Pace {
	/**
	 * Factor by which the service's window is lengthened: jitter of clocks and network must not squeeze
	 * one call too many into it.
	 */
	spacing: number;
	/**
	 * A process alone on the key starts the calls of a window in so many groups: to wake up for each
	 * costs it more processor time than the requests. They divide the window, or a group would find room
	 * for a part of its calls and fall apart. Larger ones need a longer delay over https, where the last
	 * of a group arrives after the handshakes of the others.
	 */
	groups: number;
	/**
	 * Milliseconds from the moment the service's window has room for a group until the group starts.
	 * They take the place of `spacing`, and let the last of the group find room too.
	 */
	groupDelayMs: number;
	/**
	 * How late a limiter that overslept may run and still catch up, in milliseconds. The window check
	 * still keeps every second within the quota.
	 */
	catchUpMs: number;
	/**
	 * The most a call is assumed to have arrived late if its response was slow, in milliseconds: longer
	 * delays are the service's own work, which must not cost throughput.
	 */
	longestLatenessMs: number;
	/**
	 * How far the usual latency follows a quicker response, as a share of the difference: one that was
	 * quick by chance has little effect.
	 */
	usualFall: number;
	/** The same for slower responses; small, to keep delayed calls from becoming the usual ones. */
	usualRise: number;
	/**
	 * Calls the service could have accepted without a rejection before the limiter tries one more call
	 * per second. Fewer find room sooner and cost more rejections.
	 */
	holdCalls: number;
	/** The same after a probe that succeeded at once: there is probably room. */
	firstHoldCalls: number;
	/** After so many further calls without a rejection it tries twice as many. */
	doubleCalls: number;
	/**
	 * A rejection after so many milliseconds without one takes nothing from a process with the whole
	 * limit: another process on the key would cause a rejection every second.
	 */
	isolatedAfterMs: number;
	/** Calls the service could accept between the first probes of a process without a quota. */
	firstProbeCalls: number;
	/** The same after failed probes; fewer find a slot sooner and cost more rejections. */
	probeCalls: number;
	/** Milliseconds by which a probe follows the moment a slot opens. */
	probeDelayMs: number;
}

export const defaultPace: Pace = {
	spacing: 1.005,
	groups: 40,
	groupDelayMs: 6,
	catchUpMs: 250,
	longestLatenessMs: 40,
	usualFall: 0.5,
	usualRise: 0.01,
	holdCalls: 400,
	firstHoldCalls: 20,
	doubleCalls: 30,
	isolatedAfterMs: 2500,
	firstProbeCalls: 25,
	probeCalls: 100,
	probeDelayMs: 18,
};

/** A call that was started, with its result as far as known. */
interface StartedCall {
	startedAt: number;
	/** It asks for a slot in a window in which this process has none. */
	isProbe: boolean;
	isRejected: boolean;
	/** Milliseconds until its response. */
	latency: number | undefined;
}

/**
 * Spaces the calls of one key and rate category evenly at the rate limit, in order.
 *
 * Processes that share a key balance without communicating. Each keeps a quota, a whole number of calls
 * in any second: while the quotas add up to at most the limit, nothing is rejected, in whatever order
 * the calls arrive. A rejection sets the quota to what the service accepted in the second before; then
 * the limiter tries one more call from time to time. A process that sends more is rejected more often,
 * so the quotas become equal. A process without a quota probes with single calls, every other one timed
 * for the moment a slot opens.
 */
export class RateLimiter implements Limiter {
	private readonly queue = new PermitQueue();
	private readonly inFlight: RequestsInFlight;
	private running = false;
	/** Calls started since it last slept. */
	private startsInTurn = 0;
	/** Calls in any second that the latest rejection left; the whole limit without one. */
	private quota: number;
	/** Since when no call was rejected. */
	private acceptedSince: number;
	/** When the quota was set; rejections of calls sent before then add nothing. */
	private quotaSetAt = Number.NEGATIVE_INFINITY;
	private holdCalls: number;
	private probeCalls: number;
	/** When a process without a quota probes next. */
	private probeAt = 0;
	private probesOnTime = false;
	private isGrouping = false;
	/** Since when calls go out without a rejection, a pause, or responses to wait for. */
	private steadySince = Number.NEGATIVE_INFINITY;
	/** Time slot of the latest call. */
	private lastSlot = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	/** The calls of the latest windows. */
	private recentCalls: StartedCall[] = [];
	/** Latency without delays, in milliseconds. */
	private usualLatency: number | undefined;

	/**
	 * @param limit calls per second for this process
	 * @param random a number from 0 to 1, new at each call, that keeps processes apart
	 */
	constructor(
		private readonly clock: Clock,
		private limit: number,
		private readonly random: () => number,
		private readonly pace: Pace = defaultPace,
	) {
		this.quota = limit;
		this.inFlight = new RequestsInFlight(clock, limit);
		this.acceptedSince = clock.now();
		this.holdCalls = pace.holdCalls;
		this.probeCalls = pace.firstProbeCalls;
	}

	/** Current calls per second; 0 while the service has no slot. */
	get rate(): number {
		if (this.quota >= this.limit || this.quota === 0) return this.quota;
		const calls = this.callsSinceRejection() - this.holdCalls;
		const growth = calls < 0 ? 0 : Math.floor(2 ** (calls / this.pace.doubleCalls));
		return Math.min(this.limit, this.quota + growth);
	}

	get waiting(): number {
		return this.queue.length;
	}

	/** Changes the limit (calls per second) for all calls not yet started. */
	setLimit(limit: number): void {
		if (limit === this.limit) return;
		this.endGrouping();
		this.quota = this.quota >= this.limit ? limit : Math.floor((this.quota / this.limit) * limit);
		this.limit = limit;
		this.inFlight.setRate(limit);
	}

	async acquire(signal?: AbortSignal): Promise<Permit> {
		const permit = this.queue.wait(signal);
		if (!this.running) void this.run();
		return await permit;
	}

	/** Calls the service could have accepted since the latest rejection. */
	private callsSinceRejection(): number {
		return (Math.max(0, this.clock.now() - this.acceptedSince) / 1000) * this.limit;
	}

	private noteAccepted(call: StartedCall, latency: number): void {
		this.learn(call, latency);
		if (!call.isProbe || this.quota > 0) return;
		this.quota = Math.min(1, this.limit);
		this.acceptedSince = this.clock.now();
		// A slot that was free without a wait is probably not the only one.
		if (!this.probesOnTime) this.holdCalls = this.pace.firstHoldCalls;
		this.probesOnTime = false;
	}

	private noteRejected(call: StartedCall, latency: number, retryAfterMs: number): void {
		const now = this.clock.now();
		const rate = this.rate;
		call.isRejected = true;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		this.endGrouping();
		if (call.startedAt > this.quotaSetAt) {
			const isIsolated = rate >= this.limit && now - this.acceptedSince > this.pace.isolatedAfterMs;
			if (isIsolated) {
				this.quota = rate;
			} else {
				this.quota = Math.min(rate, this.acceptedBefore(call));
				// With an empty queue, the accepted calls say little about the limit.
				if (this.queue.length === 0) this.quota = Math.max(this.quota, Math.floor(rate / 2));
			}
			this.holdCalls = this.pace.holdCalls;
			this.quotaSetAt = now;
		} else {
			this.quota = rate;
		}
		// A paused queue sends nothing, so there is nothing to learn.
		this.acceptedSince = Math.max(now, this.pausedUntil);
		if (this.quota === 0) this.planProbe(call.isProbe ? latency : undefined);
		// Each process resumes at its own moment: together they would be rejected again.
		else this.lastSlot = this.pausedUntil - this.slotLength() * this.random();
	}

	/** How many of our calls the service accepted in the second before a rejected one. */
	private acceptedBefore({ startedAt }: StartedCall): number {
		const window = this.windowLength();
		return this.recentCalls.filter(
			(call) =>
				!call.isRejected && call.startedAt <= startedAt && call.startedAt > startedAt - window,
		).length;
	}

	/**
	 * The response to a probe tells when the oldest call leaves the service's window; its sender soon
	 * takes the slot again, and it reopens one window later. Every other probe is timed for that
	 * moment; the others are random, to keep processes from probing together.
	 * @param latency of a probe; undefined after any other call
	 */
	private planProbe(latency: number | undefined): void {
		const { probeCalls, probeDelayMs } = this.pace;
		this.probesOnTime = latency !== undefined && !this.probesOnTime;
		if (latency !== undefined && this.probesOnTime) {
			this.probeAt = this.pausedUntil + WINDOW_MS + probeDelayMs - Math.min(latency, WINDOW_MS);
			return;
		}
		this.probeAt = this.pausedUntil + (0.5 + this.random()) * this.durationOf(this.probeCalls);
		this.probeCalls = Math.min(probeCalls, 2 * this.probeCalls);
	}

	/** How long the service needs for this many calls, in milliseconds. */
	private durationOf(calls: number): number {
		return (calls / this.limit) * 1000;
	}

	private earliestStart(): number {
		if (this.quota === 0) return this.probeAt;
		const slot = this.nextSlot();
		if (!this.isGrouping)
			return Math.max(slot, this.pausedUntil, this.windowFreeAt(this.windowLength()));
		const free = this.windowFreeAt(WINDOW_MS) + this.pace.groupDelayMs;
		return Math.max(slot - (slot % this.groupLength()), this.pausedUntil, free);
	}

	/**
	 * When a window of so many milliseconds has room for one of our calls, assuming that each call
	 * arrived as late as possible; the past if it has room now.
	 */
	private windowFreeAt(window: number): number {
		// A share of a tier may be a fraction: some windows hold one call more than others.
		const most = Math.ceil(this.rate);
		if (this.recentCalls.length < most) return Number.NEGATIVE_INFINITY;
		const now = this.clock.now();
		let inside = 0;
		let firstLeaves = Number.POSITIVE_INFINITY;
		for (let index = this.recentCalls.length - 1; index >= 0; index--) {
			const call = this.recentCalls[index];
			if (!call || call.startedAt + this.pace.longestLatenessMs + window <= now) break;
			const leaves = call.startedAt + this.latenessOf(call) + window;
			if (call.isRejected || leaves <= now) continue;
			inside++;
			firstLeaves = Math.min(firstLeaves, leaves);
		}
		return inside < most ? Number.NEGATIVE_INFINITY : firstLeaves;
	}

	/** Milliseconds a call may have arrived later than quick ones. */
	private latenessOf({ latency }: StartedCall): number {
		if (latency === undefined || this.usualLatency === undefined) return 0;
		return Math.min(Math.max(0, latency - this.usualLatency), this.pace.longestLatenessMs);
	}

	/** Measured against the current usual latency: the first calls of a process are all late. */
	private learn(call: StartedCall, latency: number): void {
		const { longestLatenessMs: most, usualFall, usualRise } = this.pace;
		call.latency = latency;
		this.usualLatency ??= latency;
		const difference = Math.max(-most, Math.min(latency - this.usualLatency, most));
		this.usualLatency += difference * (difference < 0 ? usualFall : usualRise);
	}

	private nextSlot(): number {
		return this.lastSlot + this.slotLength();
	}

	private slotLength(): number {
		return this.windowLength() / (this.rate || Math.min(1, this.limit));
	}

	private groupLength(): number {
		return this.windowLength() / this.pace.groups;
	}

	/** The service's window plus the margin, in milliseconds. */
	private windowLength(): number {
		return WINDOW_MS * this.pace.spacing;
	}

	private async run(): Promise<void> {
		this.running = true;
		const now = this.clock.now();
		// Catching up is for a limiter that overslept, not for idle time.
		this.lastSlot = Math.max(this.lastSlot, now - this.slotLength());
		const lastStart = this.recentCalls.at(-1)?.startedAt ?? Number.NEGATIVE_INFINITY;
		if (now - lastStart > WINDOW_MS) this.endGrouping();
		while (this.queue.length > 0 && !this.inFlight.isFull) {
			const now = this.clock.now();
			const wait = this.earliestStart() - now;
			if (wait > 0 || this.startsInTurn === MOST_STARTS_IN_TURN) {
				await this.clock.sleep(Math.max(0, Math.min(wait, LONGEST_SLEEP_MS)));
				this.startsInTurn = 0;
			} else {
				this.queue.grantNext(this.startCall(now));
				this.startsInTurn++;
			}
		}
		if (this.inFlight.isFull) this.endGrouping();
		this.running = false;
	}

	/** If this process seems to be alone: others would cause rejections in every window. */
	private beginGrouping(now: number): void {
		if (this.isGrouping || this.rate < this.limit || now - this.steadySince <= WINDOW_MS) return;
		if (this.slotLength() >= this.groupLength()) return;
		this.isGrouping = true;
		// The calls of the window before were spread out: only after this the first group has room.
		this.lastSlot = Math.max(this.lastSlot, now) + this.groupLength();
	}

	private endGrouping(): void {
		this.isGrouping = false;
		this.steadySince = this.clock.now();
	}

	private startCall(now: number): Permit {
		this.lastSlot = Math.max(this.nextSlot(), now - this.pace.catchUpMs);
		this.beginGrouping(now);
		this.inFlight.start();
		const isProbe = this.quota === 0;
		// Until its response says more; a call without a response must not end the probing.
		if (isProbe) this.probeAt = now + this.durationOf(this.pace.probeCalls);
		const call: StartedCall = { startedAt: now, isProbe, isRejected: false, latency: undefined };
		this.recentCalls.push(call);
		const keep = 5 * Math.ceil(this.limit);
		if (this.recentCalls.length > 2 * keep) this.recentCalls = this.recentCalls.slice(-keep);
		return {
			release: (outcome: PermitOutcome) => {
				const latency = this.clock.now() - now;
				this.inFlight.end(outcome === 'completed' ? latency : undefined);
				if (outcome === 'completed') this.noteAccepted(call, latency);
				else if (outcome !== 'noResponse') this.noteRejected(call, latency, outcome.rejectedForMs);
				if (!this.running) void this.run();
			},
		};
	}
}

const limiters = new Map<string, RateLimiter>();

/**
 * The limiter shared by all nodes of this process for one key and rate category.
 * @param identity base URL, key and rate category; it never leaves this map
 * @param limit calls per second
 */
export function sharedRateLimiter(
	identity: string,
	limit: number,
	clock: Clock,
	random: () => number,
): RateLimiter {
	let limiter = limiters.get(identity);
	if (limiter) {
		limiter.setLimit(limit);
	} else {
		limiter = new RateLimiter(clock, limit, random);
		limiters.set(identity, limiter);
	}
	return limiter;
}
