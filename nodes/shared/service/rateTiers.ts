import type { RateLimit } from '../transport/keyLimits';
import type { Endpoint, RateCategory } from './endpoints';

export const rateTiers = [
	'startup',
	'standard',
	'preferred',
	'custom',
	'legacy',
	'manual',
	'concurrency',
] as const;

type RateTier = (typeof rateTiers)[number];

type CategoryRates = Record<RateCategory, number>;

/** Requests per second per key: service.md 8.2. */
const tierRates: Record<Exclude<RateTier, 'legacy' | 'manual' | 'concurrency'>, CategoryRates> = {
	startup: { high: 10, medium: 5, low: 2 },
	standard: { high: 50, medium: 10, low: 3 },
	preferred: { high: 200, medium: 15, low: 4 },
	custom: { high: 200, medium: 15, low: 4 },
};

/** The earlier guidance, service.md 8.3: calls that match people have their own limit. */
const legacyRates = { matching: 2, other: 5 };

/** Requests per key and calendar month: service.md 8.2. Other tiers have no limit. */
const tierMonthlyRequests: Partial<Record<RateTier, number>> = {
	startup: 1_000_000,
	standard: 50_000_000,
	custom: 30_000_000,
};

export interface RatePlan {
	tier: RateTier;
	/** Only for the tier `manual`. */
	manual: CategoryRates;
	/** Only for the tier `concurrency`. */
	concurrentRequests: number;
	/** Only for the tiers `manual` and `concurrency`; 0 is unlimited. */
	monthlyRequests: number;
	/** Share of the key's limit, from 0 to 1, for this process. */
	share: number;
}

/** Round down but keep at least 1, or the process would never send. */
function concurrencyOf({ concurrentRequests, share }: RatePlan): number {
	return Math.max(1, Math.floor(concurrentRequests * share));
}

/** How many requests at a time this process may send with the key; undefined if only the rate is limited. */
export function maxConcurrentOf(plan: RatePlan): number | undefined {
	return plan.tier === 'concurrency' ? concurrencyOf(plan) : undefined;
}

export function rateLimitOf(plan: RatePlan, endpoint: Endpoint): RateLimit {
	const { tier, share } = plan;
	if (tier === 'concurrency') return { name: tier, maxConcurrent: concurrencyOf(plan) };
	if (tier === 'legacy') {
		const name = endpoint.matchesPeople ? 'matching' : 'other';
		return { name, perSecond: legacyRates[name] * share };
	}
	const rates = tier === 'manual' ? plan.manual : tierRates[tier];
	return { name: endpoint.category, perSecond: rates[endpoint.category] * share };
}

/** Requests this process may send in a calendar month; Infinity without a limit. */
export function monthlyRequestsOf({ tier, monthlyRequests, share }: RatePlan): number {
	const entered = tier === 'manual' || tier === 'concurrency' ? monthlyRequests : 0;
	const limit = tierMonthlyRequests[tier] ?? entered;
	return limit > 0 ? Math.floor(limit * share) : Number.POSITIVE_INFINITY;
}
