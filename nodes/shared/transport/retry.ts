/**
 * Whether a call may be retried. `read` changes nothing; `safe` has the same effect twice as once;
 * `unsafe` could store a record twice.
 */
export type RetryClass = 'read' | 'safe' | 'unsafe';

/** How one attempt ended, as far as it matters for a retry. */
export type AttemptOutcome =
	/** The service responded. `retryAfterMs` is the wait named in the response. */
	| { kind: 'responded'; status: number; retryAfterMs?: number }
	/** The call cannot have reached the service (connection refused, name not found). */
	| { kind: 'notSent' }
	/** The call may have been executed (timeout, connection lost). */
	| { kind: 'unknown' }
	/** The response is too large to read, and would be again. */
	| { kind: 'oversized' };

export interface RetryPolicy {
	/** Most retries, except for rejections that name a wait. */
	maxRetries: number;
	/** Most retries for rejections that name a wait. */
	maxRateRetries: number;
	/** The longest named wait to honour, in milliseconds; a longer one ends the call. */
	longestNamedWaitMs: number;
	/** Most milliseconds that the named waits of one call may add up to. */
	longestWaitingMs: number;
	/** Whether to retry an `unsafe` call with an unknown outcome. */
	replayUnknownOutcome: boolean;
}

export const defaultRetryPolicy: RetryPolicy = {
	maxRetries: 5,
	maxRateRetries: 100,
	longestNamedWaitMs: 5 * 60_000,
	longestWaitingMs: 30 * 60_000,
	replayUnknownOutcome: false,
};

export interface AttemptCounts {
	/** Retries so far for rejections that named a wait. */
	rateRetries: number;
	/** Their total wait in milliseconds. */
	waitedMs: number;
	/** All other retries so far. */
	retries: number;
}

/** What is known of a call that is not retried. */
export interface RetryEnd {
	/** Whether the service may have executed the call. */
	outcomeUnknown: boolean;
	/** Whether retrying the call later is safe. */
	replayable: boolean;
}

type RetryDecision =
	| { retry: true; delayMs: number; counts: AttemptCounts }
	| ({ retry: false } & RetryEnd);

const FIRST_DELAY_MS = 350;
const LONGEST_DELAY_MS = 20_000;

/** Exponential back-off with jitter over its upper half, in milliseconds. */
export function backOff(retriesSoFar: number, random: number): number {
	const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retriesSoFar);
	return full / 2 + (full / 2) * random;
}

type Verdict = 'success' | 'rejected' | 'unknown' | 'final';

function verdictOf(outcome: AttemptOutcome): Verdict {
	if (outcome.kind === 'notSent') return 'rejected';
	if (outcome.kind === 'unknown' || outcome.kind === 'oversized') return 'unknown';
	if (outcome.status === 429 || outcome.status === 503) return 'rejected';
	// Gateways give up on a slow service with 408, too.
	if (outcome.status === 408 || outcome.status >= 500) return 'unknown';
	return outcome.status >= 400 ? 'final' : 'success';
}

/** Whether an attempt may have been executed. */
export function isUnknown(outcome: AttemptOutcome): boolean {
	return verdictOf(outcome) === 'unknown';
}

/** Whether a retry may help after this outcome. */
export function mayNeedRetry(outcome: AttemptOutcome): boolean {
	const verdict = verdictOf(outcome);
	return verdict === 'rejected' || verdict === 'unknown';
}

/** What is known of a call whose last attempt ended like this. */
export function retryEnd(outcome: AttemptOutcome, retryClass: RetryClass): RetryEnd {
	const verdict = verdictOf(outcome);
	return {
		outcomeUnknown: verdict === 'unknown' && retryClass !== 'read',
		replayable: verdict === 'rejected' || (verdict === 'unknown' && retryClass !== 'unsafe'),
	};
}

/**
 * Decides whether to retry a call, and after which delay.
 * @param random a number from 0 to 1 that spreads the delays of several callers
 */
export function decideRetry(
	outcome: AttemptOutcome,
	retryClass: RetryClass,
	counts: AttemptCounts,
	policy: RetryPolicy,
	random: number,
): RetryDecision {
	const verdict = verdictOf(outcome);
	const namedWait = outcome.kind === 'responded' ? outcome.retryAfterMs : undefined;
	const repeatable =
		verdict === 'rejected' ||
		(outcome.kind !== 'oversized' &&
			verdict === 'unknown' &&
			(retryClass !== 'unsafe' || policy.replayUnknownOutcome));
	const end: RetryDecision = { retry: false, ...retryEnd(outcome, retryClass) };
	if (!repeatable) return end;

	// Ignore a wait of 0: without back-off the call would loop.
	if (namedWait) {
		const waitedMs = counts.waitedMs + namedWait;
		if (
			counts.rateRetries >= policy.maxRateRetries ||
			namedWait > policy.longestNamedWaitMs ||
			waitedMs > policy.longestWaitingMs
		)
			return end;
		return {
			retry: true,
			// The limiter already delays the category; the jitter keeps processes apart.
			delayMs: namedWait + random * Math.min(50, namedWait),
			counts: { ...counts, rateRetries: counts.rateRetries + 1, waitedMs },
		};
	}
	if (counts.retries >= policy.maxRetries) return end;
	return {
		retry: true,
		delayMs: backOff(counts.retries, random),
		counts: { ...counts, retries: counts.retries + 1 },
	};
}

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
	const sentence = /try again in\s+(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|seconds?)\b/i.exec(
		body.slice(0, 10_000),
	);
	if (sentence?.[1] && sentence[2]) {
		return Number(sentence[1]) * (/^m/i.test(sentence[2]) ? 1 : 1000);
	}
	const header = headers['retry-after']?.trim();
	if (!header) return undefined;
	if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	const sentAt = Date.parse(headers.date ?? '') || nowMs;
	return Number.isNaN(date) ? undefined : Math.max(0, date - sentAt);
}
