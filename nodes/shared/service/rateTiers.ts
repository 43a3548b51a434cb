import type { Endpoint, RateCategory } from './endpoints';

export type RateTier = 'startup' | 'standard' | 'preferred' | 'custom' | 'legacy' | 'manual';

/** Calls per second by category. */
export type CategoryRates = Record<RateCategory, number>;

/** Requests per second per key: interface.md 8.3. */
const tierRates: Record<Exclude<RateTier, 'legacy' | 'manual'>, CategoryRates> = {
	startup: { high: 10, medium: 5, low: 2 },
	standard: { high: 50, medium: 10, low: 3 },
	preferred: { high: 200, medium: 15, low: 4 },
	custom: { high: 200, medium: 15, low: 4 },
};

/** The earlier guidance, interface.md 8.4: calls that match people are counted apart from all others. */
const legacyRates = { matching: 2, other: 5 };

export interface RatePlan {
	tier: RateTier;
	/** Only for the tier `manual`. */
	manual: CategoryRates;
	/** Share of the key's rate, from 0 to 1, that this process plans with. */
	share: number;
}

/** Which allowance a call draws on, and how large it is in calls per second. */
export interface Allowance {
	name: string;
	perSecond: number;
}

export function allowanceOf(plan: RatePlan, endpoint: Endpoint): Allowance {
	if (plan.tier === 'legacy') {
		const name = endpoint.matchesPeople ? 'matching' : 'other';
		return { name, perSecond: legacyRates[name] * plan.share };
	}
	const rates = plan.tier === 'manual' ? plan.manual : tierRates[plan.tier];
	return { name: endpoint.category, perSecond: rates[endpoint.category] * plan.share };
}
