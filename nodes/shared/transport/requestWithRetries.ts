import { CallCancelled, pause } from './cancellation';
import type { Clock } from './clock';
import { RequestFailure } from './requestFailure';
import type { HttpResponse } from './httpRequest';
import { VolumeUsedUp } from './keyLimits';
import {
	decideRetry,
	LONGEST_NAMED_WAIT_MS,
	namedWait,
	type AttemptCounts,
	type AttemptOutcome,
	type RetryClass,
	verdictOf,
} from './retry';
import { rethrow } from './rethrow';
import { KeyBlocked, type Limiter, type PermitOutcome } from './permitQueue';

/** A call without a usable response after its last attempt. */
export class CallFailed extends Error {
	/** Without a response and a failure, the key was blocked before the first attempt. */
	constructor(
		readonly response: HttpResponse | undefined,
		/** What broke the last attempt. */
		readonly failure: RequestFailure | undefined,
		readonly outcomeUnknown: boolean,
		readonly replayable: boolean,
		readonly attempts: number,
		/** Named in the last response. */
		readonly retryAfterMs?: number,
	) {
		super(response ? `status ${response.status}` : (failure?.message ?? 'no response'));
		this.name = 'CallFailed';
	}
}

/** What the calls of a run did, for the summary. */
export class CallStats {
	/** Retries included. */
	sent = 0;
	retried = 0;
	rateRejected = 0;
	/** Milliseconds in which at least one call waited for a permit. */
	waitedMs = 0;
	inFlight = 0;
	private waiting = 0;
	private waitingSince = 0;
	private firstSentAt = 0;
	private lastSentAt = 0;

	constructor(private readonly onRequest?: () => void) {}

	/** From the first request to the last. */
	get durationMs(): number {
		return this.lastSentAt - this.firstSentAt;
	}

	startWaiting(now: number): void {
		if (this.waiting++ === 0) this.waitingSince = now;
	}

	stopWaiting(now: number): void {
		if (--this.waiting === 0) this.waitedMs += now - this.waitingSince;
	}

	startRequest(now: number, isRetry: boolean): void {
		if (this.sent++ === 0) this.firstSentAt = now;
		this.lastSentAt = now;
		if (isRetry) this.retried++;
		this.inFlight++;
		this.onRequest?.();
	}

	endRequest(): void {
		this.inFlight--;
	}
}

export interface CallSettings {
	limiter: Limiter;
	retryClass: RetryClass;
	replayUnknownOutcome: boolean;
	/** Whether to give up at the first failure. */
	isTriedOnce?: boolean;
	clock: Clock;
	/** A number from 0 to 1, new at each call. */
	random: () => number;
	/** Milliseconds since 1970. */
	wallClock: () => number;
	signal: AbortSignal | undefined;
	/** Throws {@link VolumeUsedUp} if no request may be sent. */
	countRequest: () => void;
	/** Called after each attempt that the service has executed, or may have. */
	onMayHaveRun?: (() => void) | undefined;
	stats: CallStats;
}

interface Attempt<A extends HttpResponse> {
	outcome: AttemptOutcome;
	response?: A;
	failure?: RequestFailure;
}

async function attempt<A extends HttpResponse>(
	{ clock, countRequest, limiter, signal, stats, wallClock }: CallSettings,
	isRetry: boolean,
	send: () => Promise<A>,
): Promise<Attempt<A>> {
	stats.startWaiting(clock.now());
	const permit = await limiter.acquire(signal).finally(() => stats.stopWaiting(clock.now()));
	let ending: PermitOutcome = 'noResponse';
	try {
		countRequest();
		stats.startRequest(clock.now(), isRetry);
		const response = await send().finally(() => stats.endRequest());
		const { status, headers, text } = response;
		const isRejected = status === 429 || status === 503;
		const retryAfterMs = isRejected ? namedWait(headers, text, wallClock()) : undefined;
		const rejectedForMs = retryAfterMs ?? 0;
		const blocksKey = rejectedForMs > LONGEST_NAMED_WAIT_MS;
		const ofKey = { rejectedForMs: blocksKey ? 0 : rejectedForMs, blocksKey };
		ending = status === 429 ? ofKey : 'completed';
		if (status === 429) stats.rateRejected++;
		return { outcome: { kind: 'responded', status, retryAfterMs }, response };
	} catch (error) {
		if (error instanceof CallCancelled) rethrow(new CallCancelled(true));
		if (!(error instanceof RequestFailure)) rethrow(error);
		return { outcome: { kind: error.kind }, failure: error };
	} finally {
		permit.release(ending);
	}
}

/**
 * Sends a call within its limiter and retries it if that is safe. Resolves with a response below status
 * 400 or a final rejection (4xx). Throws {@link CallFailed}, {@link VolumeUsedUp} or {@link CallCancelled}.
 * @param send makes one attempt; throws RequestFailure
 * @param mayHaveRunBefore whether the service may have executed the call before the first attempt
 */
export async function sendWithRetries<A extends HttpResponse>(
	settings: CallSettings,
	send: () => Promise<A>,
	mayHaveRunBefore = false,
): Promise<A & { mayHaveRunBefore: boolean }> {
	const { clock, signal, retryClass, replayUnknownOutcome, random, onMayHaveRun } = settings;
	let counts: AttemptCounts = { rateRetries: 0, waitedMs: 0, retries: 0 };
	/** The latest attempt with an unknown outcome. */
	let unknown: CallFailed | undefined;
	let latest: CallFailed | undefined;
	try {
		for (let attempts = 1; ; attempts++) {
			const { outcome, response, failure } = await attempt(settings, attempts > 1, send);
			const verdict = verdictOf(outcome);
			if (verdict === 'unknown' || (response && response.status < 400)) onMayHaveRun?.();
			if (response && verdict === 'final')
				return { ...response, mayHaveRunBefore: mayHaveRunBefore || unknown !== undefined };
			const decision = decideRetry(outcome, retryClass, replayUnknownOutcome, counts, random());
			// Includes what earlier attempts may have done.
			const failed = new CallFailed(
				response,
				failure,
				decision.outcomeUnknown || mayHaveRunBefore || unknown?.outcomeUnknown === true,
				decision.replayable && unknown?.replayable !== false,
				attempts,
				'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined,
			);
			if (!decision.retry || settings.isTriedOnce) throw failed;
			if (verdict === 'unknown') unknown = failed;
			latest = failed;
			counts = decision.retry.counts;
			await pause(clock, decision.retry.delayMs, signal);
		}
	} catch (error) {
		// Keep what earlier attempts may have done.
		if (error instanceof VolumeUsedUp && unknown?.outcomeUnknown) rethrow(unknown);
		if (error instanceof KeyBlocked)
			rethrow(latest ?? new CallFailed(undefined, undefined, mayHaveRunBefore, true, 0));
		if (!(error instanceof CallCancelled)) rethrow(error);
		if (error.mayHaveRun) onMayHaveRun?.();
		const mayHaveRun = error.mayHaveRun || mayHaveRunBefore || unknown?.outcomeUnknown === true;
		return rethrow(new CallCancelled(mayHaveRun && retryClass !== 'read'));
	}
}
