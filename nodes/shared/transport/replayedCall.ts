import type { CallTally } from './callTally';
import { pause } from './cancellation';
import type { Clock } from './clock';
import {
	exchange,
	ExchangeFailure,
	type HttpAnswer,
	type HttpRequest,
	type Sender,
} from './exchange';
import { VolumeUsedUp } from './monthlyVolume';
import {
	decideReplay,
	isUnknown,
	mayNeedReplay,
	namedWait,
	replayEnd,
	type AttemptCounts,
	type AttemptOutcome,
	type ReplayClass,
	type ReplayEnd,
	type ReplayPolicy,
} from './replay';
import type { Ending, Limiter, Turn } from './turnQueue';

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
	limiter: Limiter;
	replayClass: ReplayClass;
	policy: ReplayPolicy;
	clock: Clock;
	/** A number from 0 to 1, new at each call. */
	random: () => number;
	/** Wall clock in milliseconds since 1970, for `Retry-After` dates. */
	wallClock: () => number;
	signal: AbortSignal | undefined;
	/** Counts a request before it is sent. Throws {@link VolumeUsedUp} if it may not be sent. */
	take: () => void;
	tally: CallTally;
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
 * Throws {@link CallFailed}, {@link VolumeUsedUp} or {@link CallCancelled}.
 * @param send makes one attempt; throws ExchangeFailure
 */
export async function replayed<A extends HttpAnswer>(
	settings: CallSettings,
	send: () => Promise<A>,
): Promise<A & { mayHaveRunBefore: boolean }> {
	const { policy, clock, signal } = settings;
	let counts: AttemptCounts = { rateReplays: 0, waitedMs: 0, replays: 0 };
	/** The latest attempt of which nobody can know whether it was carried out. */
	let unknown: CallFailed | undefined;
	for (let attempts = 1; ; attempts++) {
		const turn = await turnFor(settings);
		let ending: Ending = 'unanswered';
		let made: Attempt<A>;
		try {
			settings.take();
			settings.tally.sends(clock.now(), attempts > 1);
			made = await attempt(settings, send);
			ending = endingOf(made, settings);
		} catch (error) {
			// What an attempt before may have done must not be forgotten.
			const isForgotten = unknown?.outcomeUnknown && error instanceof VolumeUsedUp;
			return await Promise.reject(isForgotten ? unknown : (error as Error));
		} finally {
			turn.ended(ending);
		}
		const { outcome, answer, failure } = made;
		if (answer && !mayNeedReplay(outcome)) {
			return { ...answer, mayHaveRunBefore: unknown !== undefined };
		}

		const named = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined;
		/** With what the attempts before may have done, whatever became of this one. */
		const failing = ({ outcomeUnknown, replayable }: ReplayEnd): CallFailed =>
			new CallFailed(
				answer,
				failure,
				outcomeUnknown || unknown?.outcomeUnknown === true,
				replayable && unknown?.replayable !== false,
				attempts,
				named,
			);
		const decision = decideReplay(outcome, settings.replayClass, counts, policy, settings.random());
		if (!decision.replay) throw failing(decision);
		if (isUnknown(outcome)) unknown = failing(replayEnd(outcome, settings.replayClass));
		counts = decision.counts;
		await pause(clock, decision.delayMs, signal);
	}
}

async function turnFor({ limiter, clock, signal, tally }: CallSettings): Promise<Turn> {
	tally.waitBegins(clock.now());
	try {
		return await limiter.acquire(signal);
	} finally {
		tally.waitEnds(clock.now());
	}
}

function endingOf(
	{ outcome, answer }: Attempt<HttpAnswer>,
	{ tally, policy }: CallSettings,
): Ending {
	if (outcome.kind !== 'answered' || outcome.status !== 429) {
		return answer ? 'answered' : 'unanswered';
	}
	tally.rateRejected++;
	// A wait too long to honour ends this call and must not hold back the others.
	const wait = outcome.retryAfterMs ?? 0;
	return { rejectedForMs: wait > policy.longestNamedWaitMs ? 0 : wait };
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
