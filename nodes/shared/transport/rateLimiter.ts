import { CallCancelled, throwIfCancelled } from './cancellation';
import type { Clock } from './clock';

/**
 * Calls are spaced this much wider than the limit asks, so that up to 10 ms of network jitter within
 * a second cannot squeeze one call too many into a window counted at the service.
 */
const SPACING = 1.01;

/** The window in which the service counts calls: requests per second, interface.md 8.3. */
const WINDOW_MS = 1000;

/**
 * How far a pacer that woke late may run behind its timetable and still catch up. Without it every
 * late timer would cost throughput; without a bound a long stall would end in a burst.
 */
const CATCH_UP_MS = 50;

/** The longest the pacer sleeps before it looks again for a changed limit or an emptied queue. */
const LONGEST_SLEEP_MS = 250;

/** The planned rate never falls below this share of the limit, so that it can find its way back. */
const LOWEST_SHARE = 0.05;

/**
 * Share of the limit that the planned rate regains for each second without a rejection. Small, because
 * several processes on one key find their limit by running into it: at this pace about one call in
 * thirty is rejected, and full use is back some minutes after the others have gone.
 */
const RECOVERY_PER_SECOND = 0.005;

/** A rejection lowers the planned rate by this share, or by half a call per second if that is more. */
const REDUCTION = 0.02;

interface Waiter {
	start: () => void;
	leave: () => void;
}

/**
 * Spaces the calls of one key and one rate category evenly at the allowed rate, in the order they
 * asked. A rejection by the service pauses the queue and lowers the planned rate, which recovers in
 * small steps: several processes that share a key settle beside each other without talking.
 */
export class RateLimiter {
	private readonly queue: Waiter[] = [];
	private running = false;
	private plannedRate: number;
	/** Where the latest call stands in the timetable. */
	private lastSlot = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private lastAdjustment: number;
	/** Times of the latest calls, at most as many as one window allows. */
	private recentStarts: number[] = [];

	/**
	 * @param clock source of time
	 * @param limit calls per second that the key allows this process
	 */
	constructor(
		private readonly clock: Clock,
		private limit: number,
	) {
		this.plannedRate = limit;
		this.lastAdjustment = clock.now();
	}

	/** Calls per second planned at this moment. */
	get rate(): number {
		return this.plannedRate;
	}

	/** How many calls wait for their turn. */
	get waiting(): number {
		return this.queue.length;
	}

	/** Takes over a changed limit (calls per second) for all calls not yet started. */
	setLimit(limit: number): void {
		if (limit === this.limit) return;
		this.plannedRate = (this.plannedRate / this.limit) * limit;
		this.limit = limit;
	}

	/** Resolves when the call may be sent. Throws {@link CallCancelled} if `signal` aborts before. */
	async acquire(signal?: AbortSignal): Promise<void> {
		throwIfCancelled(signal);
		// A signal of its own per call: many listeners on the execution's signal would look like a leak.
		const cancelled = signal && AbortSignal.any([signal]);
		await new Promise<void>((resolve, reject) => {
			const onAbort = () => {
				const position = this.queue.indexOf(waiter);
				if (position >= 0) this.queue.splice(position, 1);
				reject(new CallCancelled());
			};
			const waiter: Waiter = {
				start: resolve,
				leave: () => cancelled?.removeEventListener('abort', onAbort),
			};
			cancelled?.addEventListener('abort', onAbort, { once: true });
			this.queue.push(waiter);
			if (!this.running) void this.run();
		});
	}

	/**
	 * The service refused a call for its rate (429).
	 * @param retryAfterMs the wait the answer names, in milliseconds; 0 when it names none
	 */
	rejected(retryAfterMs: number): void {
		const now = this.clock.now();
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		const reduction = Math.max(REDUCTION, 0.5 / this.limit);
		this.plannedRate = Math.max(
			this.limit * LOWEST_SHARE,
			this.plannedRate * (1 - Math.min(reduction, 0.5)),
		);
		this.lastAdjustment = now;
	}

	private recover(now: number): void {
		if (this.plannedRate >= this.limit) {
			this.lastAdjustment = now;
			return;
		}
		const quietSeconds = (now - this.lastAdjustment) / 1000;
		if (quietSeconds < 1) return;
		this.plannedRate = Math.min(
			this.limit,
			this.plannedRate + this.limit * RECOVERY_PER_SECOND * quietSeconds,
		);
		this.lastAdjustment = now;
	}

	private earliestStart(): number {
		const blocking = this.recentStarts.at(-this.mostPerWindow());
		return Math.max(
			this.nextSlot(),
			this.pausedUntil,
			blocking === undefined ? Number.NEGATIVE_INFINITY : blocking + WINDOW_MS * SPACING,
		);
	}

	private nextSlot(): number {
		return this.lastSlot + (WINDOW_MS * SPACING) / this.plannedRate;
	}

	/** Calls at the pace of the limit that may fall into one window; a share of a tier may be a fraction. */
	private mostPerWindow(): number {
		return Math.ceil(this.limit);
	}

	private async run(): Promise<void> {
		this.running = true;
		while (this.queue.length > 0) {
			const now = this.clock.now();
			this.recover(now);
			const wait = this.earliestStart() - now;
			if (wait > 0) {
				await this.clock.sleep(Math.min(wait, LONGEST_SLEEP_MS));
				continue;
			}
			const waiter = this.queue.shift();
			if (!waiter) break;
			waiter.leave();
			this.recordStart(now);
			waiter.start();
		}
		this.running = false;
	}

	private recordStart(now: number): void {
		this.lastSlot = Math.max(this.nextSlot(), now - CATCH_UP_MS);
		this.recentStarts.push(now);
		const keep = this.mostPerWindow();
		if (this.recentStarts.length > 2 * keep) this.recentStarts = this.recentStarts.slice(-keep);
	}
}

const limiters = new Map<string, RateLimiter>();

/**
 * The limiter that all nodes of this process share for one key and one kind of calls.
 * @param identity tells base address, key and rate category apart; it never leaves this map
 * @param limit calls per second
 */
export function sharedRateLimiter(identity: string, limit: number, clock: Clock): RateLimiter {
	let limiter = limiters.get(identity);
	if (limiter) {
		limiter.setLimit(limit);
	} else {
		limiter = new RateLimiter(clock, limit);
		limiters.set(identity, limiter);
	}
	return limiter;
}
