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
 * Share of the limit that the planned rate regains after the first second without a rejection; each
 * further quiet second gives back as much more. Processes that share a key meet rejections all the time
 * and so grow slowly, which keeps the rejections few; after a stray one the full rate is back in seconds.
 */
const RECOVERY = 0.005;

/** A rejection lowers the planned rate by this share, or by half a call per second if that is more. */
const REDUCTION = 0.02;

/**
 * Rejections that follow within this time, in milliseconds, are mostly one hiccup of the network that
 * let calls arrive together; each counts this much. A key that is really overdrawn rejects so many that
 * they add up all the same.
 */
const BURST_MS = 200;
const BURST_WEIGHT = 0.125;

/**
 * A call whose answer took longer than the quickest recent one may have reached the service that much
 * later, where it counts. This is the most such lateness that is allowed for, in milliseconds: slow
 * answers are mostly the service's own work, which must not cost throughput.
 */
const LONGEST_LATENESS_MS = 60;

/** A call that was started, and how long its answer took once that is known. */
interface StartedCall {
	startedAt: number;
	latency: number | undefined;
}

/** The permission to send one call. */
export interface Turn {
	/** Says that the answer is there; the limiter learns from it when calls reach the service. */
	answered(): void;
}

interface Waiter {
	start: (turn: Turn) => void;
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
	private lastRejection = Number.NEGATIVE_INFINITY;
	/** Since when calls are sent without a rejection. */
	private quietSince = Number.NEGATIVE_INFINITY;
	private lastAdjustment: number;
	/** The latest calls, at least as many as two windows allow. */
	private recentCalls: StartedCall[] = [];
	/** How long an answer takes that was not held up, in milliseconds. */
	private usualLatency = Number.POSITIVE_INFINITY;

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
	async acquire(signal?: AbortSignal): Promise<Turn> {
		throwIfCancelled(signal);
		// A signal of its own per call: many listeners on the execution's signal would look like a leak.
		const cancelled = signal && AbortSignal.any([signal]);
		return await new Promise<Turn>((resolve, reject) => {
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
		const isFirst = now - this.lastRejection > BURST_MS;
		const reduction = Math.min(
			0.5,
			Math.max(REDUCTION, 0.5 / this.limit) * (isFirst ? 1 : BURST_WEIGHT),
		);
		this.plannedRate = Math.max(this.limit * LOWEST_SHARE, this.plannedRate * (1 - reduction));
		this.lastRejection = now;
		// While the queue is paused nothing is sent, so nothing can be learnt.
		this.lastAdjustment = this.quietSince = Math.max(now, this.pausedUntil);
	}

	private recover(now: number): void {
		if (this.plannedRate >= this.limit) {
			this.lastAdjustment = now;
			return;
		}
		const seconds = (now - this.lastAdjustment) / 1000;
		if (seconds < 1) return;
		const quietSeconds = (now - this.quietSince) / 1000;
		this.plannedRate = Math.min(
			this.limit,
			this.plannedRate + this.limit * RECOVERY * quietSeconds * seconds,
		);
		this.lastAdjustment = now;
	}

	private earliestStart(): number {
		return Math.max(this.nextSlot(), this.pausedUntil, this.windowFreeAt());
	}

	/**
	 * When the service's window has room again, by the latest moment at which each call may have arrived
	 * there; the past if it has room now.
	 */
	private windowFreeAt(): number {
		const window = WINDOW_MS * SPACING;
		const begin = this.clock.now() - window;
		let inside = 0;
		let first = Number.POSITIVE_INFINITY;
		for (let index = this.recentCalls.length - 1; index >= 0; index--) {
			const call = this.recentCalls[index];
			if (!call || call.startedAt <= begin - LONGEST_LATENESS_MS) break;
			const arrival = call.startedAt + this.latenessOf(call);
			if (arrival <= begin) continue;
			inside++;
			first = Math.min(first, arrival);
		}
		return inside < this.mostPerWindow() ? Number.NEGATIVE_INFINITY : first + window;
	}

	private latenessOf({ latency }: StartedCall): number {
		if (latency === undefined) return 0;
		return Math.min(Math.max(0, latency - this.usualLatency), LONGEST_LATENESS_MS);
	}

	/** The quickest answers set what is usual; it follows slower ones within some hundred calls. */
	private learn(latency: number): void {
		const usual = Number.isFinite(this.usualLatency) ? this.usualLatency : latency;
		this.usualLatency = Math.min(latency, usual + (latency - usual) / 100);
	}

	private nextSlot(): number {
		return this.lastSlot + this.slotLength();
	}

	private slotLength(): number {
		return (WINDOW_MS * SPACING) / this.plannedRate;
	}

	/** Calls at the pace of the limit that may fall into one window; a share of a tier may be a fraction. */
	private mostPerWindow(): number {
		return Math.ceil(this.limit);
	}

	private async run(): Promise<void> {
		this.running = true;
		// Catching up is for a pacer that woke late, not for the time in which nobody asked.
		this.lastSlot = Math.max(this.lastSlot, this.clock.now() - this.slotLength());
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
			waiter.start(this.started(now));
		}
		this.running = false;
	}

	private started(now: number): Turn {
		this.lastSlot = Math.max(this.nextSlot(), now - CATCH_UP_MS);
		const call: StartedCall = { startedAt: now, latency: undefined };
		this.recentCalls.push(call);
		const keep = 2 * this.mostPerWindow();
		if (this.recentCalls.length > 2 * keep) this.recentCalls = this.recentCalls.slice(-keep);
		return {
			answered: () => {
				call.latency = this.clock.now() - now;
				this.learn(call.latency);
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
