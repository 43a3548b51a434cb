import type { Clock } from './clock';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import type { Limiter } from './permitQueue';
import { RateLimiter } from './rateLimiter';

/** The monthly volume is used up; the call was not sent. */
export class VolumeUsedUp extends Error {
	constructor() {
		super('The monthly volume is used up.');
		this.name = 'VolumeUsedUp';
	}
}

/** Calls share the limits of one name. */
export type RateLimit =
	| { name: string; perSecond: number }
	/** Concurrent requests: service.md 8.3. */
	| { name: string; maxConcurrent: number };

/** What all nodes of this process share for one key. */
export class KeyLimits {
	private readonly limiters = new Map<string, RateLimiter | ConcurrencyLimiter>();
	private month = '';
	private count = 0;

	limiterOf(rateLimit: RateLimit, clock: Clock, random: () => number): Limiter {
		const isRate = 'perSecond' in rateLimit;
		const limit = isRate ? rateLimit.perSecond : rateLimit.maxConcurrent;
		const known = this.limiters.get(rateLimit.name);
		known?.setLimit(limit);
		const limiter =
			known ??
			(isRate ? new RateLimiter(clock, limit, random) : new ConcurrencyLimiter(clock, limit));
		this.limiters.set(rateLimit.name, limiter);
		return limiter;
	}

	/** Requests in the calendar month (UTC) of a time in milliseconds since 1970. */
	usedInMonth(now: number): number {
		const month = new Date(now).toISOString().slice(0, 7);
		if (month !== this.month) this.count = 0;
		this.month = month;
		return this.count;
	}

	/** Throws {@link VolumeUsedUp} if `limit` is reached. */
	countRequest(limit: number, now: number): void {
		if (this.usedInMonth(now) >= limit) throw new VolumeUsedUp();
		this.count++;
	}
}

/** Longer than a month, whose count is over then, and than anything waits for a rate limit. */
const FORGOTTEN_AFTER_MS = 32 * 24 * 60 * 60_000;

const keys = new Map<string, { limits: KeyLimits; askedAt: number }>();

/**
 * @param identity base URL and key; it never leaves this map
 * @param now in milliseconds since 1970
 */
export function keyLimitsOf(identity: string, now: number): KeyLimits {
	const limits = keys.get(identity)?.limits ?? new KeyLimits();
	keys.set(identity, { limits, askedAt: now });
	for (const [other, { askedAt }] of keys)
		if (askedAt < now - FORGOTTEN_AFTER_MS) keys.delete(other);
	return limits;
}
