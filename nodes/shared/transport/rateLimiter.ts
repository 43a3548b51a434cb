import type { Clock } from './clock';
import { KeyShare, type StartedCall, WINDOW_MS } from './keyShare';
import { defaultPace, type Pace } from './pace';
import { type PermitOutcome, type Limiter, type Permit, PermitQueue } from './permitQueue';
import { RequestsInFlight } from './requestsInFlight';

/** The longest sleep before a check for a changed limit or an emptied queue. */
const LONGEST_SLEEP_MS = 250;

/**
 * Calls started before the rest of n8n may run: its request helper works up to a millisecond on each.
 * With one at a time, posts without a limit took half as much processor time again.
 */
const MOST_STARTS_IN_TURN = 8;

/** Spaces the calls of one key and rate category evenly, at the share of the limit that this process has. */
export class RateLimiter implements Limiter {
	private readonly queue: PermitQueue;
	private readonly inFlight: RequestsInFlight;
	private readonly share: KeyShare;
	private running = false;
	/** Calls started since it last slept. */
	private startsInTurn = 0;
	private isGrouping = false;
	/** Since when calls go out without a rejection, a pause, or responses to wait for. */
	private steadySince = Number.NEGATIVE_INFINITY;
	private lastSlot = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private recentCalls: StartedCall[] = [];
	/** Milliseconds without delays. */
	private usualLatency: number | undefined;

	/** @param limit calls per second for this process */
	constructor(
		private readonly clock: Clock,
		private limit: number,
		private readonly random: () => number,
		private readonly pace: Pace = defaultPace,
	) {
		this.queue = new PermitQueue(clock);
		this.share = new KeyShare(clock, limit, random, pace);
		this.inFlight = new RequestsInFlight(clock, limit);
	}

	/** 0 while the service has no slot. */
	get rate(): number {
		return this.share.rate;
	}

	get waiting(): number {
		return this.queue.length;
	}

	setLimit(limit: number): void {
		if (limit === this.limit) return;
		this.endGrouping();
		this.limit = limit;
		this.share.setLimit(limit);
		this.inFlight.setRate(limit);
	}

	async acquire(signal?: AbortSignal): Promise<Permit> {
		const permit = this.queue.wait(signal);
		if (!this.running) void this.run();
		return await permit;
	}

	private end(call: StartedCall, outcome: PermitOutcome): void {
		const latency = this.clock.now() - call.startedAt;
		this.queue.noteEnd(outcome);
		this.inFlight.end(outcome === 'completed' ? latency : undefined);
		if (outcome !== 'noResponse') call.latency = latency;
		if (outcome === 'completed') {
			this.learn(latency);
			this.share.noteAccepted(call);
		} else if (outcome !== 'noResponse') {
			this.noteRejected(call, outcome.rejectedForMs);
		}
		if (!this.running) void this.run();
	}

	private noteRejected(call: StartedCall, retryAfterMs: number): void {
		call.isRejected = true;
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + retryAfterMs);
		this.endGrouping();
		this.share.noteRejected(call, {
			acceptedBefore: this.acceptedBefore(call),
			hasMore: this.queue.length > 0,
			resumesAt: this.pausedUntil,
		});
		// Each process resumes at its own moment: together they would be rejected again.
		if (this.rate > 0) this.lastSlot = this.pausedUntil - this.slotLength() * this.random();
	}

	private acceptedBefore({ startedAt }: StartedCall): number {
		const window = this.windowLength();
		return this.recentCalls.filter(
			(call) =>
				!call.isRejected && call.startedAt <= startedAt && call.startedAt > startedAt - window,
		).length;
	}

	private earliestStart(): number {
		if (this.rate === 0) return this.share.probeAt;
		const slot = this.nextSlot();
		if (!this.isGrouping)
			return Math.max(slot, this.pausedUntil, this.windowFreeAt(this.windowLength()));
		const free = this.windowFreeAt(WINDOW_MS + this.pace.groupDelayMs);
		return Math.max(slot - (slot % this.groupLength()), this.pausedUntil, free);
	}

	/** When a window of this many milliseconds has room for a call, if each arrived as late as possible. */
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

	/** How much later than quick calls it may have arrived. */
	private latenessOf({ latency }: StartedCall): number {
		if (latency === undefined || this.usualLatency === undefined) return 0;
		return Math.min(Math.max(0, latency - this.usualLatency), this.pace.longestLatenessMs);
	}

	/** Measured against the current usual latency: the first calls of a process are all late. */
	private learn(latency: number): void {
		const { longestLatenessMs: most, usualFall, usualRise } = this.pace;
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

	private windowLength(): number {
		return WINDOW_MS * this.pace.spacing;
	}

	private async run(): Promise<void> {
		this.running = true;
		const from = this.clock.now();
		// Catching up is for a limiter that overslept, not for idle time.
		this.lastSlot = Math.max(this.lastSlot, from - this.slotLength());
		const lastStart = this.recentCalls.at(-1)?.startedAt ?? Number.NEGATIVE_INFINITY;
		if (from - lastStart > WINDOW_MS) this.endGrouping();
		while (this.queue.length > 0 && !this.inFlight.isFull) {
			this.lastSlot -= this.share.tryForMore() * this.slotLength();
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
		if (this.isGrouping || !this.share.isWhole || now - this.steadySince <= WINDOW_MS) return;
		if (this.slotLength() >= this.groupLength() || this.isTooSlowToGroup) return;
		this.isGrouping = true;
		// The calls of the window before were spread out: only after this the first group has room.
		this.lastSlot = Math.max(this.lastSlot, now) + this.groupLength();
	}

	/** Whether the calls of a window are not yet known to have been late when the next window begins. */
	private get isTooSlowToGroup(): boolean {
		return (this.usualLatency ?? WINDOW_MS) + this.pace.longestLatenessMs >= WINDOW_MS;
	}

	private endGrouping(): void {
		this.isGrouping = false;
		this.steadySince = Math.max(this.clock.now(), this.pausedUntil);
	}

	private startCall(now: number): Permit {
		this.lastSlot = Math.max(this.nextSlot(), now - this.pace.catchUpMs);
		this.beginGrouping(now);
		this.inFlight.start();
		const isProbe = this.rate === 0;
		const call: StartedCall = { startedAt: now, isProbe, isRejected: false, latency: undefined };
		this.share.noteStarted(call);
		this.recentCalls.push(call);
		const keep = 5 * Math.ceil(this.limit);
		if (this.recentCalls.length > 2 * keep) this.recentCalls = this.recentCalls.slice(-keep);
		return { release: (outcome) => this.end(call, outcome) };
	}
}
