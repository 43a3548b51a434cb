import { z } from 'zod';
import { count, strictObject } from '../wire/schemas';

/** Rate categories per endpoint (service.md 8.1). */
export type RateCategory = 'high' | 'medium' | 'low';

/** Calls per second by category, and calls per month (null: unlimited). */
const rateLimitsSchema = strictObject({
	high: count,
	medium: count,
	low: count,
	monthly: count.nullable(),
});

export const tierNameSchema = z.enum(['startup', 'standard', 'preferred', 'custom', 'legacy']);
/** A tier by name, or limits of one's own. */
export const tierSchema = z.union([tierNameSchema, rateLimitsSchema]);
export type Tier = z.output<typeof tierSchema>;

/** service.md 8.2. */
export const TIERS = {
	startup: { high: 10, medium: 5, low: 2, monthly: 1_000_000 },
	standard: { high: 50, medium: 10, low: 3, monthly: 50_000_000 },
	preferred: { high: 200, medium: 15, low: 4, monthly: null },
	custom: { high: 200, medium: 15, low: 4, monthly: 30_000_000 },
} satisfies Record<string, z.output<typeof rateLimitsSchema>>;

/** service.md 8.3: before November 2025, by endpoint kind instead of category. */
const LEGACY = { findOrCreate: 2, other: 5 };

const WINDOW_MS = 1000;

/** What the limits need to know of a call. */
interface RatedCall {
	category: RateCategory;
	isFindOrCreate: boolean;
}

export type Admission =
	| { admitted: true; bucket: string }
	| { admitted: false; bucket: string; reason: 'rate'; retryInMs: number }
	| { admitted: false; bucket: string; reason: 'month' | 'concurrency' };

/**
 * The limits of one key, shared by everything that calls with it. Exact: of the admitted calls of a
 * bucket, no more than the limit lie in any window of one second, wherever it starts; rejected calls
 * do not count.
 */
export class RateGate {
	private readonly admittedAt = new Map<string, number[]>();
	private admittedThisMonth = 0;
	private running = 0;

	constructor(private readonly now: () => number) {}

	/**
	 * Decides about one call and counts it if admitted; release() must follow when it has ended.
	 *
	 * @param monthlyRequests overrides the tier's monthly volume; null is unlimited.
	 */
	admit(
		call: RatedCall,
		tier: Tier,
		monthlyRequests?: number | null,
		maxConcurrentRequests?: number | null,
	): Admission {
		const { bucket, limit, monthly } = this.bucketOf(call, tier);
		const month = monthlyRequests === undefined ? monthly : monthlyRequests;
		if (month !== null && this.admittedThisMonth >= month) {
			return { admitted: false, bucket, reason: 'month' };
		}
		if (typeof maxConcurrentRequests === 'number' && this.running >= maxConcurrentRequests) {
			return { admitted: false, bucket, reason: 'concurrency' };
		}
		const now = this.now();
		const times = this.admittedAt.get(bucket) ?? [];
		const oldestThatCounts = times[times.length - limit];
		if (oldestThatCounts !== undefined && oldestThatCounts > now - WINDOW_MS) {
			const retryInMs = Math.max(1, Math.ceil(oldestThatCounts + WINDOW_MS - now));
			return { admitted: false, bucket, reason: 'rate', retryInMs };
		}
		const firstInWindow = times.findIndex((time) => time > now - WINDOW_MS);
		this.admittedAt.set(bucket, [...(firstInWindow < 0 ? [] : times.slice(firstInWindow)), now]);
		this.admittedThisMonth++;
		this.running++;
		return { admitted: true, bucket };
	}

	release(): void {
		this.running--;
	}

	private bucketOf(call: RatedCall, tier: Tier) {
		if (tier === 'legacy') {
			const bucket = call.isFindOrCreate ? 'findOrCreate' : 'other';
			return { bucket, limit: LEGACY[bucket], monthly: null };
		}
		const limits = typeof tier === 'string' ? TIERS[tier] : tier;
		return { bucket: call.category, limit: limits[call.category], monthly: limits.monthly };
	}
}

/** The largest number of the given times (ms, ascending) that fall into one window of a second. */
export function maximumInOneSecond(times: readonly number[]): number {
	let first = 0;
	let maximum = 0;
	times.forEach((time, index) => {
		while ((times[first] ?? time) <= time - WINDOW_MS) first++;
		maximum = Math.max(maximum, index - first + 1);
	});
	return maximum;
}
