import { whenAborted } from './cancellation';

const alarms = new Set<{ at: number; ring: () => void }>();
/** When the timer fires; Infinity if none is set. */
let timerAt = Number.POSITIVE_INFINITY;

/**
 * Calls `ring` after `ms` milliseconds unless the returned function is called first.
 *
 * All alarms share a timer: one each would stay in memory until it fires, long after its request has
 * ended.
 */
function setAlarm(ms: number, ring: () => void): () => void {
	const alarm = { at: performance.now() + ms, ring };
	alarms.add(alarm);
	if (alarm.at < timerAt) setTimer(alarm.at);
	return () => alarms.delete(alarm);
}

/** A timer set for longer fires at once, and one for much longer throws. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function setTimer(at: number): void {
	timerAt = at;
	const ms = Math.max(0, Math.ceil(at - performance.now()));
	const signal = AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS));
	signal.addEventListener('abort', () => {
		// An earlier alarm may have set the next timer.
		if (timerAt === at) ringDue();
	});
}

function ringDue(): void {
	const now = performance.now();
	timerAt = Number.POSITIVE_INFINITY;
	let next = Number.POSITIVE_INFINITY;
	for (const alarm of [...alarms]) {
		if (alarm.at > now) {
			next = Math.min(next, alarm.at);
			continue;
		}
		alarms.delete(alarm);
		alarm.ring();
	}
	if (next < timerAt) setTimer(next);
}

/** The limits of one request in milliseconds. */
interface Limits {
	/** For the whole request. */
	timeoutMs: number;
	/** Between two bytes. */
	stallMs?: number;
}

/** What ends a request before its response is complete: its time limits, and the user. */
export class RequestLimits {
	/** Whether a time limit has ended the request. */
	isLate = false;

	/** Ends what the request is waiting for. */
	interrupt: () => void = () => undefined;

	private readonly ending = new AbortController();
	private readonly stallMs: number | undefined;
	private readonly liftTotal: () => void;
	private readonly liftCancelling: () => void;
	private liftStall: () => void = () => undefined;

	constructor(
		{ timeoutMs, stallMs }: Limits,
		readonly signal: AbortSignal | undefined,
	) {
		this.stallMs = stallMs;
		this.liftTotal = this.setLimit(timeoutMs);
		this.startWaiting();
		this.liftCancelling = whenAborted(signal, () => this.end());
	}

	/** Aborts when the request must end. */
	get abortSignal(): AbortSignal {
		return this.ending.signal;
	}

	/** Begins to wait for the next byte. */
	startWaiting(): void {
		if (this.stallMs !== undefined) this.liftStall = this.setLimit(this.stallMs);
	}

	stopWaiting(): void {
		this.liftStall();
	}

	/** The request is over. */
	lift(): void {
		this.liftTotal();
		this.liftStall();
		this.liftCancelling();
	}

	private setLimit(ms: number): () => void {
		return setAlarm(ms, () => {
			this.isLate = true;
			this.end();
		});
	}

	private end(): void {
		this.ending.abort();
		this.interrupt();
	}
}
