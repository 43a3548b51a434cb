import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { NativeService, RateLimitTraffic } from '../service/nativeService';
import { showHint } from './showHint';

type Traffic = Pick<RateLimitTraffic, 'rateLimit' | 'stats'>;

/** A shorter wait for the rate limit needs no explanation. */
const SHORT_WAIT_MS = 2000;
/** Fewer requests give no meaningful rate. */
const FEWEST_FOR_RATE = 5;
/** In a short run with fewer requests, retries are not worth mentioning. */
const FEW = 100;
/** Share of the monthly volume at which the user is warned. */
const VOLUME_NEAR = 0.8;

const plain = (value: number, digits = 0): string =>
	value.toLocaleString('en-US', { maximumFractionDigits: digits });

function duration(ms: number): string {
	const seconds = ms / 1000;
	if (seconds < 60) return `${plain(seconds, 1)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** `3.9 per second, 98% of the planned 4`, for the busiest kind of calls. */
function reachedRate({ rateLimit, stats }: Traffic): string {
	const perSecond = (stats.sent - 1) / (stats.durationMs / 1000);
	const reached = `${plain(perSecond, perSecond < 10 ? 2 : 1)} per second`;
	if ('maxConcurrent' in rateLimit)
		return `${reached}, at most ${rateLimit.maxConcurrent} at a time`;
	const share = (100 * perSecond) / rateLimit.perSecond;
	return `${reached}, ${plain(share)}% of the planned ${plain(rateLimit.perSecond, 2)}`;
}

/** What the calls of a run did; undefined if nothing is worth reporting. */
export function trafficSummary(traffic: Traffic[]): string | undefined {
	const [busiest] = [...traffic].sort((a, b) => b.stats.sent - a.stats.sent);
	if (!busiest) return undefined;
	const sum = (count: 'sent' | 'retried' | 'rateRejected'): number =>
		traffic.reduce((total, { stats }) => total + stats[count], 0);
	const { waitedMs, durationMs, sent } = busiest.stats;
	const waitedLong = waitedMs >= SHORT_WAIT_MS;
	const retried = sum('retried');
	const rejected = sum('rateRejected');
	const isOrdinary = rejected === 0 && (retried === 0 || sum('sent') < FEW);
	if (!waitedLong && isOrdinary) return undefined;

	const parts = [`${plain(sum('sent'))} request${sum('sent') === 1 ? '' : 's'} sent`];
	if (waitedLong && sent >= FEWEST_FOR_RATE) {
		parts[0] += ` in ${duration(durationMs)} (${reachedRate(busiest)})`;
	}
	if (rejected > 0) parts.push(`${plain(rejected)} rejected for the rate limit`);
	if (retried > 0) parts.push(`${plain(retried)} retried`);
	if (waitedLong) parts.push(`waited ${duration(waitedMs)} for the rate limit`);
	return `${parts.join('; ')}.`;
}

export function volumeWarning({ used, limit }: NativeService['monthlyVolume']): string | undefined {
	if (used < VOLUME_NEAR * limit) return undefined;
	const share = Math.floor((100 * used) / limit);
	return `This n8n has sent ${plain(used)} of the ${plain(limit)} requests that this key may send this month (${share}%). At 100%, requests fail until the next month (UTC).`;
}

export function showTrafficHint(functions: IExecuteFunctions, service: NativeService): void {
	const hint = (message: string | undefined, type: NodeExecutionHint['type']): void => {
		if (message) showHint(functions, message, type);
	};
	hint(trafficSummary(service.traffic), 'info');
	if (service.traffic.length > 0) hint(volumeWarning(service.monthlyVolume), 'warning');
}
