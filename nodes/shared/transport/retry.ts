import type { RequestFailure } from './requestFailure';

/**
 * Whether a call may be retried. `read` changes nothing; `safe` has the same effect twice as once;
 * `unsafe` could store a record twice.
 */
export type RetryClass = 'read' | 'safe' | 'unsafe';

/** How one attempt ended. `retryAfterMs` is the wait named in the response. */
export type AttemptOutcome =
	| { kind: 'responded'; status: number; retryAfterMs?: number }
	| Pick<RequestFailure, 'kind'>;

/** Most retries, except for rejections that name a wait … */
export const MOST_RETRIES = 5;
/** … and for those. */
export const MOST_RATE_RETRIES = 100;

/** The longest named wait to honour; a longer one ends the call. */
export const LONGEST_NAMED_WAIT_MS = 5 * 60_000;
/** What the named waits of one call may add up to; also how long a key may be rejected until no call waits. */
export const LONGEST_WAITING_MS = 30 * 60_000;

export interface AttemptCounts {
	/** For rejections that named a wait … */
	rateRetries: number;
	/** … and the sum of these waits. */
	waitedMs: number;
	retries: number;
}

/** Whether an attempt ended the call, was not executed, or may have been executed. */
type Verdict = 'final' | 'rejected' | 'unknown';

interface RetryDecision {
	verdict: Verdict;
	outcomeUnknown: boolean;
	/** Whether retrying later is safe. */
	replayable: boolean;
	retry?: { delayMs: number; counts: AttemptCounts };
}

const FIRST_DELAY_MS = 350;
const LONGEST_DELAY_MS = 20_000;

/** Milliseconds, with jitter over the upper half. */
export function backOff(retriesSoFar: number, random: number): number {
	const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retriesSoFar);
	return full / 2 + (full / 2) * random;
}

export function verdictOf(outcome: AttemptOutcome): Verdict {
	if (outcome.kind === 'notSent') return 'rejected';
	if (outcome.kind !== 'responded') return 'unknown';
	if (outcome.status === 429 || outcome.status === 503) return 'rejected';
	// Gateways give up on a slow service with 408, too.
	return outcome.status === 408 || outcome.status >= 500 ? 'unknown' : 'final';
}

/**
 * Decides whether to retry a call, and after which delay.
 * @param replayUnknownOutcome whether to retry an `unsafe` call with an unknown outcome
 * @param random from 0 to 1, spreads the delays of several callers
 */
export function decideRetry(
	outcome: AttemptOutcome,
	retryClass: RetryClass,
	replayUnknownOutcome: boolean,
	counts: AttemptCounts,
	random: number,
): RetryDecision {
	const verdict = verdictOf(outcome);
	const isUnknown = verdict === 'unknown';
	const end: RetryDecision = {
		verdict,
		outcomeUnknown: isUnknown && retryClass !== 'read',
		replayable: verdict === 'rejected' || (isUnknown && retryClass !== 'unsafe'),
	};
	const isForced = isUnknown && replayUnknownOutcome;
	// A response that is too large would be again.
	if (outcome.kind === 'oversized' || !(end.replayable || isForced)) return end;

	const namedWait = outcome.kind === 'responded' ? outcome.retryAfterMs : undefined;
	// Ignore a wait of 0: without back-off the call would loop.
	if (!namedWait) {
		if (counts.retries >= MOST_RETRIES) return end;
		const delayMs = backOff(counts.retries, random);
		return { ...end, retry: { delayMs, counts: { ...counts, retries: counts.retries + 1 } } };
	}
	const waitedMs = counts.waitedMs + namedWait;
	if (
		counts.rateRetries >= MOST_RATE_RETRIES ||
		namedWait > LONGEST_NAMED_WAIT_MS ||
		waitedMs > LONGEST_WAITING_MS
	)
		return end;
	// The limiter already delays the category; the jitter keeps processes apart.
	const delayMs = namedWait + random * Math.min(50, namedWait);
	const rateRetries = counts.rateRetries + 1;
	return { ...end, retry: { delayMs, counts: { ...counts, rateRetries, waitedMs } } };
}

const UNITS_MS: Record<string, number> = { ms: 1, millis: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * The wait named in a rejection, in milliseconds: `Retry-After` in seconds or as a date, or the
 * sentence `Try again in N ms` of the service's 429 body (service.md 8.4). Undefined if there is none.
 * @param nowMs wall clock, milliseconds since 1970; the clock of the service goes first
 */
export function namedWait(
	headers: Record<string, string>,
	body: string,
	nowMs: number,
): number | undefined {
	const [, number, unit = ''] =
		/try again in\s+(\d[\d,]*(?:\.\d+)?)\s*(ms|millis|s|m|h)(?:[a-z]*)\b/i.exec(
			body.slice(0, 10_000),
		) ?? [];
	if (number !== undefined)
		return Number(number.replaceAll(',', '')) * (UNITS_MS[unit.toLowerCase()] ?? 1000);
	const header = headers['retry-after']?.trim();
	if (!header) return undefined;
	const [, seconds] = /^(\d+(?:\.\d+)?) ?s?$/i.exec(header) ?? [];
	if (seconds !== undefined) return Number(seconds) * 1000;
	const date = Date.parse(header);
	const sentAt = Date.parse(headers.date ?? '') || nowMs;
	return Number.isNaN(date) ? undefined : Math.max(0, date - sentAt);
}
