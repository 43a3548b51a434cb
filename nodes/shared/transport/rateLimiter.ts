import type { Clock } from './clock';
import { type PermitOutcome, type Limiter, type Permit, PermitQueue } from './permitQueue';
import { RequestsInFlight } from './requestsInFlight';

/** The window in which the service counts calls: requests per second, service.md 8.2. */
const WINDOW_MS = 1000;

/** The longest the pacer sleeps before it looks again for a changed limit or an emptied queue. */
const LONGEST_SLEEP_MS = 250;

/**
 * The numbers that make the pace, chosen by the simulation in bench/pace; docs/rate-limits.md shows
 * what other values lead to.
 */
export interface Pace {
	/**
	 * A process alone on its key keeps a window this much longer than the service's, so that the clocks'
	 * and the network's jitter cannot squeeze one call too many into a window counted at the service.
	 */
	spacing: number;
	/** The same for one that shares its key: where there are few calls per second, a rejection costs more. */
	sharedSpacing: number;
	/**
	 * How far a pacer that woke late may run behind its timetable and still catch up, in milliseconds.
	 * The window check keeps the calls of any second within the quota all the same.
	 */
	catchUpMs: number;
	/**
	 * The most that a call is taken to have arrived late when its answer came later than the quick ones,
	 * in milliseconds: longer delays are the service's own work, which must not cost throughput.
	 */
	longestLatenessMs: number;
	/**
	 * What an answer usually takes follows the quicker ones by this share of the difference: one that
	 * was quick by chance is soon outweighed.
	 */
	usualFall: number;
	/** The same for slower ones; so small that held-up calls do not become the usual ones. */
	usualRise: number;
	/**
	 * One more call per second is tried after the service could have taken this many calls without
	 * rejecting one of ours; further ones follow faster and faster. Fewer give equal shares sooner and
	 * cost more rejections: three processes pay about one in eighty.
	 */
	growthCalls: number;
	/**
	 * The same where there is most likely room: after a probe that succeeded at once, and after a
	 * rejection after a long time without one, which changes no quota, as it was most likely an isolated one.
	 */
	firstGrowthCalls: number;
	/** A rejection is isolated after so many calls of the service without one, for a process that shares its key. */
	isolatedAfterCalls: number;
	/**
	 * The same for one with the whole limit, in milliseconds: did another process use the key as well,
	 * there would be a rejection in every second.
	 */
	isolatedAfterMs: number;
	/** A process without any call per second probes after about so many calls of the service at first. */
	firstProbeCalls: number;
	/** The same after probes that failed; fewer give turns sooner and cost more rejections. */
	probeCalls: number;
	/** When the probe arrives after the moment in which a place opens, in milliseconds. */
	probeDelayMs: number;
}

export const defaultPace: Pace = {
	spacing: 1.005,
	sharedSpacing: 1.01,
	catchUpMs: 250,
	longestLatenessMs: 40,
	usualFall: 0.5,
	usualRise: 0.01,
	growthCalls: 250,
	firstGrowthCalls: 20,
	isolatedAfterCalls: 750,
	isolatedAfterMs: 2500,
	firstProbeCalls: 25,
	probeCalls: 100,
	probeDelayMs: 18,
};

/** A call that was started, and what became of it as far as that is known. */
interface StartedCall {
	startedAt: number;
	/** It asks for a place in a window in which this process has none. */
	isProbe: boolean;
	isRejected: boolean;
	/** How long its answer took, in milliseconds. */
	latency: number | undefined;
}

/**
 * Spaces the calls of one key and one rate category evenly at the allowed rate, in the order they
 * asked.
 *
 * Processes that share a key settle beside each other without talking. Each keeps a quota, a whole
 * number of calls in any second: as long as the quotas add up to no more than the limit, nothing is
 * rejected, whatever the order in which the calls of the processes arrive. A rejection sets the quota
 * to what the service did accept in the second before; then one more call is tried from time to time.
 * Who sends more is hit more often, so the quotas drift towards equal ones. A process left without a
 * quota probes: it asks with single calls, the second time at the very moment at which a place opens.
 */
export class RateLimiter implements Limiter {
	private readonly queue = new PermitQueue();
	private readonly inFlight: RequestsInFlight;
	private running = false;
	/** Calls in any second that the latest rejection left; the whole limit if there was none. */
	private quota: number;
	/** Since when calls are sent without a rejection. */
	private acceptedSince: number;
	/** When the quota was set; rejections of calls that were on their way then say nothing new. */
	private quotaSetAt = Number.NEGATIVE_INFINITY;
	private growthCalls: number;
	private probeCalls: number;
	/** When a process without a quota sends its next call. */
	private probeAt = 0;
	private probesOnTime = false;
	/** Where the latest call stands in the timetable. */
	private lastSlot = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	/** The latest calls, those of several windows. */
	private recentCalls: StartedCall[] = [];
	/** How long an answer takes that nothing held up, in milliseconds. */
	private usualLatency: number | undefined;

	/**
	 * @param clock source of time
	 * @param limit calls per second that the key allows this process
	 * @param random a number from 0 to 1, new at each call, that keeps several processes apart
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
		this.growthCalls = pace.growthCalls;
		this.probeCalls = pace.firstProbeCalls;
	}

	/** Calls per second planned at this moment; 0 while the service has no place for any. */
	get rate(): number {
		if (this.quota >= this.limit || this.quota === 0) return this.quota;
		// The cube: slow where the limit is near, quick where others have left the key.
		const growth = Math.floor((this.callsSinceRejection() / this.growthCalls) ** 3);
		return Math.min(this.limit, this.quota + growth);
	}

	/** How many calls wait for their permit. */
	get waiting(): number {
		return this.queue.length;
	}

	/** Takes over a changed limit (calls per second) for all calls not yet started. */
	setLimit(limit: number): void {
		if (limit === this.limit) return;
		this.quota = this.quota >= this.limit ? limit : Math.floor((this.quota / this.limit) * limit);
		this.limit = limit;
		this.inFlight.setRate(limit);
	}

	async acquire(signal?: AbortSignal): Promise<Permit> {
		const permit = this.queue.wait(signal);
		if (!this.running) void this.run();
		return await permit;
	}

	/** Calls that the service could have taken since the latest rejection. */
	private callsSinceRejection(): number {
		return (Math.max(0, this.clock.now() - this.acceptedSince) / 1000) * this.limit;
	}

	private accepted(call: StartedCall, latency: number): void {
		this.learn(call, latency);
		if (!call.isProbe || this.quota > 0) return;
		this.quota = Math.min(1, this.limit);
		this.acceptedSince = this.clock.now();
		// A place that was there without waiting for it is most likely not the only one.
		if (!this.probesOnTime) this.growthCalls = this.pace.firstGrowthCalls;
		this.probesOnTime = false;
	}

	private rejected(call: StartedCall, latency: number, retryAfterMs: number): void {
		const now = this.clock.now();
		const rate = this.rate;
		call.isRejected = true;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		if (call.startedAt > this.quotaSetAt) {
			const { growthCalls, firstGrowthCalls, firstProbeCalls } = this.pace;
			const { isolatedAfterCalls, isolatedAfterMs } = this.pace;
			const isIsolated =
				this.quota < this.limit
					? this.callsSinceRejection() > isolatedAfterCalls
					: now - this.acceptedSince > isolatedAfterMs;
			if (isIsolated) {
				this.growthCalls = firstGrowthCalls;
				this.probeCalls = firstProbeCalls;
				this.quota = rate;
			} else {
				this.growthCalls = Math.min(growthCalls, 2 * this.growthCalls);
				this.quota = Math.min(rate, this.acceptedBefore(call));
				// Where nothing waits, what was accepted says little about what would have been.
				if (this.queue.length === 0) this.quota = Math.max(this.quota, Math.floor(rate / 2));
			}
			this.quotaSetAt = now;
		} else {
			this.quota = rate;
		}
		// While the queue is paused nothing is sent, so nothing can be learnt.
		this.acceptedSince = Math.max(now, this.pausedUntil);
		if (this.quota === 0) this.planProbe(call.isProbe ? latency : undefined);
		// Each process goes on at a moment of its own: together they would be rejected again.
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
	 * The response to a probe tells when the oldest call leaves the service's window; who sent that one
	 * soon takes the place again, and one window later the place opens once more. So every other probe
	 * is timed to arrive then; the others come at random, so that processes do not probe together.
	 * @param latency how long the answer to a probe took; undefined after any other call
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

	/** How long the service takes for so many calls, in milliseconds. */
	private durationOf(calls: number): number {
		return (calls / this.limit) * 1000;
	}

	private earliestStart(): number {
		if (this.quota === 0) return this.probeAt;
		return Math.max(this.nextSlot(), this.pausedUntil, this.windowFreeAt());
	}

	/**
	 * When a window of the service has room again for one of our calls, by the latest moment at which
	 * each call may have arrived there; the past if it has room now.
	 */
	private windowFreeAt(): number {
		const window = this.windowLength();
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
		// A share of a tier may be a fraction, and some windows hold one call more than others.
		return inside < Math.ceil(this.rate) ? Number.NEGATIVE_INFINITY : firstLeaves;
	}

	/** How much later than the quick ones a call may have arrived, in milliseconds. */
	private latenessOf({ latency }: StartedCall): number {
		if (latency === undefined || this.usualLatency === undefined) return 0;
		return Math.min(Math.max(0, latency - this.usualLatency), this.pace.longestLatenessMs);
	}

	/** Lateness counts from what is usual now: the first calls of a process are all late. */
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

	/** The service's window and the margin that is kept, in milliseconds. */
	private windowLength(): number {
		const { spacing, sharedSpacing } = this.pace;
		return WINDOW_MS * (this.rate < this.limit ? sharedSpacing : spacing);
	}

	private async run(): Promise<void> {
		this.running = true;
		// Catching up is for a pacer that woke late, not for the time in which nobody asked.
		this.lastSlot = Math.max(this.lastSlot, this.clock.now() - this.slotLength());
		while (this.queue.length > 0 && !this.inFlight.isFull) {
			const now = this.clock.now();
			const wait = this.earliestStart() - now;
			if (wait > 0) await this.clock.sleep(Math.min(wait, LONGEST_SLEEP_MS));
			else this.queue.grantNext(this.started(now));
		}
		this.running = false;
	}

	private started(now: number): Permit {
		this.lastSlot = Math.max(this.nextSlot(), now - this.pace.catchUpMs);
		this.inFlight.start();
		const isProbe = this.quota === 0;
		// Until its answer says more; a call without an answer must not end the probing.
		if (isProbe) this.probeAt = now + this.durationOf(this.pace.probeCalls);
		const call: StartedCall = { startedAt: now, isProbe, isRejected: false, latency: undefined };
		this.recentCalls.push(call);
		const keep = 5 * Math.ceil(this.limit);
		if (this.recentCalls.length > 2 * keep) this.recentCalls = this.recentCalls.slice(-keep);
		return {
			release: (outcome: PermitOutcome) => {
				const latency = this.clock.now() - now;
				this.inFlight.end(outcome === 'completed' ? latency : undefined);
				if (outcome === 'completed') this.accepted(call, latency);
				else if (outcome !== 'noResponse') this.rejected(call, latency, outcome.rejectedForMs);
				if (!this.running) void this.run();
			},
		};
	}
}

const limiters = new Map<string, RateLimiter>();

/**
 * The limiter that all nodes of this process share for one key and one kind of calls.
 * @param identity tells base address, key and rate category apart; it never leaves this map
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
