/**
 * Whether a call may be sent again. `read` changes nothing; `safe` may change something but twice
 * leaves the same as once; `unsafe` could store a record twice.
 */
export type RetryClass = 'read' | 'safe' | 'unsafe';

/** How one attempt ended, as far as it matters for sending the call again. */
export type AttemptOutcome =
	/** The service answered. `retryAfterMs` is the wait its answer names. */
	| { kind: 'answered'; status: number; retryAfterMs?: number }
	/** The call cannot have reached the service (connection refused, name not found). */
	| { kind: 'notSent' }
	/** The call may or may not have been executed (time-out, connection lost). */
	| { kind: 'unknown' }
	/** The service answered with more than can be read, and would again. */
	| { kind: 'oversized' };

export interface RetryPolicy {
	/** Attempts after the first one for anything but a named rate wait. */
	maxRetries: number;
	/** Attempts after the first one when the service names the wait. */
	maxRateRetries: number;
	/** The longest named wait that is honoured, in milliseconds; a longer one ends the call. */
	longestNamedWaitMs: number;
	/** How long the named waits of one call may be in all, in milliseconds. */
	longestWaitingMs: number;
	/** Whether an `unsafe` call with an unknown outcome is sent again all the same. */
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
	/** Retries so far for rejections whose wait was named. */
	rateRetries: number;
	/** How long their waits were in all, in milliseconds. */
	waitedMs: number;
	/** Retries so far for every other reason. */
	retries: number;
}

/** What is known of a call that is not sent again. */
export interface RetryEnd {
	/** Whether the service may have executed the call. */
	outcomeUnknown: boolean;
	/** Whether sending the same call again later is safe. */
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
	if (outcome.status >= 500) return 'unknown';
	return outcome.status >= 400 ? 'final' : 'success';
}

/** Whether nobody can know if the service carried out an attempt. */
export function isUnknown(outcome: AttemptOutcome): boolean {
	return verdictOf(outcome) === 'unknown';
}

/** Whether an attempt ended in a way that may be mended by sending the call again. */
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
 * Decides whether a call that did not succeed is sent again, and after which delay.
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
	const namedWait = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined;
	const repeatable =
		verdict === 'rejected' ||
		(outcome.kind !== 'oversized' &&
			verdict === 'unknown' &&
			(retryClass !== 'unsafe' || policy.replayUnknownOutcome));
	const end: RetryDecision = { retry: false, ...retryEnd(outcome, retryClass) };
	if (!repeatable) return end;

	// A wait of nothing names none: without back-off the call would be repeated in a tight loop.
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
			// The limiter already holds the category back; the jitter keeps several processes apart.
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
 * The wait a rejection names, in milliseconds: `Retry-After` in seconds or as a date, or the
 * sentence `Try again in N ms` of the service's 429 body (service.md 8.4). Undefined if none.
 * @param nowMs wall clock, milliseconds since 1970
 */
export function namedWait(
	retryAfterHeader: string | undefined,
	body: string,
	nowMs: number,
): number | undefined {
	const sentence = /try again in\s+(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|seconds?)\b/i.exec(
		body.slice(0, 10_000),
	);
	if (sentence?.[1] && sentence[2]) {
		return Number(sentence[1]) * (/^m/i.test(sentence[2]) ? 1 : 1000);
	}
	const header = retryAfterHeader?.trim();
	if (!header) return undefined;
	if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
