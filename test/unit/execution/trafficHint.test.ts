import { trafficSummary, volumeWarning } from '../../../nodes/shared/execution/trafficHint';
import type { RateLimit } from '../../../nodes/shared/transport/keyLimits';
import { CallStats } from '../../../nodes/shared/transport/requestWithRetries';

/** A run whose calls were sent evenly, each after it had waited for its turn. */
function traffic(
	rateLimit: RateLimit,
	{ sent, seconds, waits = true }: { sent: number; seconds: number; waits?: boolean },
	changes: Partial<Pick<CallStats, 'retried' | 'rateRejected'>> = {},
) {
	const stats = new CallStats();
	if (waits) stats.startWaiting(0);
	for (let call = 0; call < sent; call++) {
		stats.startRequest((1000 * seconds * call) / Math.max(1, sent - 1), false);
	}
	if (waits) stats.stopWaiting(1000 * seconds);
	return { rateLimit, stats: Object.assign(stats, changes) };
}

const low: RateLimit = { name: 'low', perSecond: 4 };
const high: RateLimit = { name: 'high', perSecond: 200 };

describe('the summary of a run', () => {
	test('is empty where there is nothing to say', () => {
		expect(trafficSummary([])).toBeUndefined();
		expect(trafficSummary([traffic(low, { sent: 1, seconds: 0 })])).toBeUndefined();
		expect(trafficSummary([traffic(low, { sent: 4, seconds: 1.5 })])).toBeUndefined();
		expect(
			trafficSummary([traffic(low, { sent: 100, seconds: 60, waits: false })]),
		).toBeUndefined();
	});

	test('says what was rejected and retried, even in a short run', () => {
		expect(
			trafficSummary([
				traffic(low, { sent: 3, seconds: 1 }, { retried: 2, rateRejected: 1 }),
				traffic(high, { sent: 1, seconds: 0 }, { retried: 1 }),
			]),
		).toBe('4 requests sent; 1 rejected for the rate limit; 3 retried.');
	});

	test.each([
		[99, undefined],
		[100, '100 requests sent; 2 retried.'],
	])('of %d requests that took no long time, says of retries: %s', (sent, expected) => {
		expect(trafficSummary([traffic(high, { sent, seconds: 1 }, { retried: 2 })])).toBe(expected);
	});

	test('gives a rate with three digits', () => {
		const rate: RateLimit = { name: 'medium', perSecond: 15 };
		const pace = (sent: number) => trafficSummary([traffic(rate, { sent, seconds: 60 })]);
		expect(pace(601)).toContain('(10 per second');
		expect(pace(600)).toContain('(9.98 per second');
		expect(pace(618)).toContain('(10.3 per second');
	});

	test('names the number at a time where there is no planned rate', () => {
		expect(
			trafficSummary([
				traffic({ name: 'concurrency', maxConcurrent: 3 }, { sent: 1201, seconds: 60 }),
				traffic(low, { sent: 1, seconds: 0 }),
			]),
		).toBe(
			'1,202 requests sent in 1 min 0 s (20 per second, at most 3 at a time); waited 1 min 0 s for the rate limit.',
		);
	});
});

describe('the warning of the monthly volume', () => {
	test.each([
		[0, Number.POSITIVE_INFINITY],
		[799, 1000],
	])('is not given at %d of %d', (used, limit) => {
		expect(volumeWarning({ used, limit })).toBeUndefined();
	});

	test('is given from 80 percent on', () => {
		expect(volumeWarning({ used: 24_000_000, limit: 30_000_000 })).toBe(
			'This n8n has sent 24,000,000 of the 30,000,000 requests that this key may send this month (80%). At 100%, requests fail until the next month (UTC).',
		);
	});
});
