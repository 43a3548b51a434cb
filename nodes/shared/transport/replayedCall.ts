import { pause } from './cancellation';
import type { Clock } from './clock';
import {
	exchange,
	ExchangeFailure,
	type HttpAnswer,
	type HttpRequest,
	type Sender,
} from './exchange';
import type { RateLimiter } from './rateLimiter';
import {
	decideReplay,
	isUnknown,
	mayNeedReplay,
	namedWait,
	type AttemptCounts,
	type AttemptOutcome,
	type ReplayClass,
	type ReplayPolicy,
} from './replay';

/** What a run of calls did, for the summary shown to the user. */
export interface CallCounts {
	/** Requests sent, replays included. */
	sent: number;
	/** Requests sent again after a rejection or a fault. */
	replayed: number;
	/** Requests the service refused for their rate. */
	rateRejected: number;
}

/** A call that ended without a usable answer after every allowed attempt. */
export class CallFailed extends Error {
	constructor(
		/** The last answer, if there was one. */
		readonly answer: HttpAnswer | undefined,
		/** What broke the last exchange, if there was no answer. */
		readonly failure: ExchangeFailure | undefined,
		/** Whether the service may have executed the call. */
		readonly outcomeUnknown: boolean,
		/** Whether sending the same call again later is safe. */
		readonly replayable: boolean,
		readonly attempts: number,
		/** The wait the last answer names, in milliseconds. */
		readonly retryAfterMs?: number,
	) {
		super(answer ? `status ${answer.status}` : (failure?.message ?? 'no answer'));
		this.name = 'CallFailed';
	}
}

export interface CallSettings {
	sender: Sender;
	limiter: RateLimiter;
	replayClass: ReplayClass;
	policy: ReplayPolicy;
	clock: Clock;
	/** A number from 0 to 1, new at each call. */
	random: () => number;
	/** Wall clock in milliseconds since 1970, for `Retry-After` dates. */
	wallClock: () => number;
	signal: AbortSignal | undefined;
	counts: CallCounts;
}

interface Attempt<A extends HttpAnswer> {
	outcome: AttemptOutcome;
	answer?: A;
	failure?: ExchangeFailure;
}

async function attempt<A extends HttpAnswer>(
	settings: CallSettings,
	send: () => Promise<A>,
): Promise<Attempt<A>> {
	try {
		const answer = await send();
		const retryAfterMs =
			answer.status === 429 || answer.status === 503
				? namedWait(answer.headers['retry-after'], answer.text, settings.wallClock())
				: undefined;
		return { outcome: { kind: 'answered', status: answer.status, retryAfterMs }, answer };
	} catch (error) {
		if (!(error instanceof ExchangeFailure)) return await Promise.reject(error as Error);
		const isPlain = error.kind === 'notSent' || error.kind === 'oversized';
		return { outcome: { kind: isPlain ? error.kind : 'unknown' }, failure: error };
	}
}

/**
 * Sends a call at the pace of its limiter and sends it again as far as that is safe.
 * Resolves with any answer below status 400 or with a final refusal (other 4xx); the caller judges it.
 * Throws {@link CallFailed} or {@link CallCancelled}.
 * @param send makes one attempt; throws ExchangeFailure
 */
export async function replayed<A extends HttpAnswer>(
	settings: CallSettings,
	send: () => Promise<A>,
): Promise<A & { mayHaveRunBefore: boolean }> {
	const { limiter, policy, clock, signal } = settings;
	let counts: AttemptCounts = { rateReplays: 0, waitedMs: 0, replays: 0 };
	let mayHaveRunBefore = false;
	for (let attempts = 1; ; attempts++) {
		const turn = await limiter.acquire(signal);
		settings.counts.sent++;
		if (attempts > 1) settings.counts.replayed++;
		const { outcome, answer, failure } = await attempt(settings, send);
		if (answer) turn.answered();

		const named = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined;
		if (outcome.kind === 'answered' && outcome.status === 429) {
			settings.counts.rateRejected++;
			// A wait too long to honour ends this call and must not hold back the others.
			const wait = named ?? 0;
			limiter.rejected(wait > policy.longestNamedWaitMs ? 0 : wait);
		}
		if (answer && !mayNeedReplay(outcome)) return { ...answer, mayHaveRunBefore };

		const decision = decideReplay(outcome, settings.replayClass, counts, policy, settings.random());
		if (!decision.replay) {
			const { outcomeUnknown, replayable } = decision;
			throw new CallFailed(answer, failure, outcomeUnknown, replayable, attempts, named);
		}
		mayHaveRunBefore ||= isUnknown(outcome);
		counts = decision.counts;
		await pause(clock, decision.delayMs, signal);
	}
}

/** {@link replayed} for a request whose whole answer is read. */
export async function replayedCall(
	request: HttpRequest,
	settings: CallSettings,
): Promise<HttpAnswer & { mayHaveRunBefore: boolean }> {
	return await replayed(
		settings,
		async () => await exchange(settings.sender, request, settings.signal),
	);
}
