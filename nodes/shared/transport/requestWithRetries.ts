import type { CallStats } from './callStats';
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
import type { PermitOutcome, Limiter, Permit } from './permitQueue';

/** A call without a usable response after its last attempt. */
export class CallFailed extends Error {
	constructor(
		/** The last response, if there was one. */
		readonly response: HttpResponse | undefined,
		/** What broke the last request, if there was no response. */
		readonly failure: RequestFailure | undefined,
		/** Whether the service may have executed the call. */
		readonly outcomeUnknown: boolean,
		/** Whether retrying the call later is safe. */
		readonly replayable: boolean,
		readonly attempts: number,
		/** The wait named in the last response, in milliseconds. */
		readonly retryAfterMs?: number,
	) {
		super(response ? `status ${response.status}` : (failure?.message ?? 'no response'));
		this.name = 'CallFailed';
	}
}

export interface CallSettings {
	limiter: Limiter;
	retryClass: RetryClass;
	/** Whether to retry an `unsafe` call with an unknown outcome. */
	replayUnknownOutcome: boolean;
	clock: Clock;
	/** A number from 0 to 1, new at each call. */
	random: () => number;
	/** Wall clock in milliseconds since 1970, for `Retry-After` dates. */
	wallClock: () => number;
	signal: AbortSignal | undefined;
	/** Counts a request before it is sent. Throws {@link VolumeUsedUp} if it may not be sent. */
	countRequest: () => void;
	stats: CallStats;
}

interface Attempt<A extends HttpResponse> {
	outcome: AttemptOutcome;
	response?: A;
	failure?: RequestFailure;
}

async function attempt<A extends HttpResponse>(
	settings: CallSettings,
	isRetry: boolean,
	send: () => Promise<A>,
): Promise<Attempt<A>> {
	settings.countRequest();
	settings.stats.startRequest(settings.clock.now(), isRetry);
	try {
		const response = await send();
		const retryAfterMs =
			response.status === 429 || response.status === 503
				? namedWait(response.headers, response.text, settings.wallClock())
				: undefined;
		return { outcome: { kind: 'responded', status: response.status, retryAfterMs }, response };
	} catch (error) {
		if (!(error instanceof RequestFailure)) rethrow(error);
		const isPlain = error.kind === 'notSent' || error.kind === 'oversized';
		return { outcome: { kind: isPlain ? error.kind : 'unknown' }, failure: error };
	} finally {
		settings.stats.endRequest();
	}
}

/**
 * Sends a call within its limiter and retries it if that is safe. Resolves with any response below
 * status 400 or a final rejection (other 4xx), for the caller to judge. Throws {@link CallFailed},
 * {@link VolumeUsedUp} or {@link CallCancelled}.
 * @param send makes one attempt; throws RequestFailure
 * @param mayHaveRunBefore whether the service may have executed the call before the first attempt
 */
export async function sendWithRetries<A extends HttpResponse>(
	settings: CallSettings,
	send: () => Promise<A>,
	mayHaveRunBefore = false,
): Promise<A & { mayHaveRunBefore: boolean }> {
	const { clock, signal, retryClass, replayUnknownOutcome, random } = settings;
	let counts: AttemptCounts = { rateRetries: 0, waitedMs: 0, retries: 0 };
	/** The latest attempt with an unknown outcome. */
	let unknown: CallFailed | undefined;
	let isSending = false;
	try {
		for (let attempts = 1; ; attempts++) {
			const permit = await acquirePermit(settings);
			let ending: PermitOutcome = 'noResponse';
			let made: Attempt<A>;
			try {
				isSending = true;
				made = await attempt(settings, attempts > 1, send);
				isSending = false;
				ending = endingOf(made, settings);
			} finally {
				permit.release(ending);
			}
			const { outcome, response, failure } = made;
			if (response && verdictOf(outcome) === 'final')
				return { ...response, mayHaveRunBefore: mayHaveRunBefore || unknown !== undefined };
			const decision = decideRetry(outcome, retryClass, replayUnknownOutcome, counts, random());
			// Includes what earlier attempts may have done.
			const failed = new CallFailed(
				response,
				failure,
				decision.outcomeUnknown || mayHaveRunBefore || unknown?.outcomeUnknown === true,
				decision.replayable && unknown?.replayable !== false,
				attempts,
				outcome.kind === 'responded' ? outcome.retryAfterMs : undefined,
			);
			if (!decision.retry) throw failed;
			if (decision.verdict === 'unknown') unknown = failed;
			counts = decision.retry.counts;
			await pause(clock, decision.retry.delayMs, signal);
		}
	} catch (error) {
		// Keep what earlier attempts may have done.
		if (error instanceof VolumeUsedUp && unknown?.outcomeUnknown) rethrow(unknown);
		const mayHaveRun = mayHaveRunBefore || unknown?.outcomeUnknown === true || isSending;
		if (error instanceof CallCancelled && retryClass !== 'read')
			rethrow(new CallCancelled(mayHaveRun));
		rethrow(error);
	}
}

async function acquirePermit({ limiter, clock, signal, stats }: CallSettings): Promise<Permit> {
	stats.startWaiting(clock.now());
	try {
		return await limiter.acquire(signal);
	} finally {
		stats.stopWaiting(clock.now());
	}
}

function endingOf(
	{ outcome, response }: Attempt<HttpResponse>,
	{ stats }: CallSettings,
): PermitOutcome {
	if (outcome.kind !== 'responded' || outcome.status !== 429) {
		return response ? 'completed' : 'noResponse';
	}
	stats.rateRejected++;
	// A wait too long to honour ends this call and must not delay the others.
	const wait = outcome.retryAfterMs ?? 0;
	return { rejectedForMs: wait > LONGEST_NAMED_WAIT_MS ? 0 : wait };
}
