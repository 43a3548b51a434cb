import { whenAborted } from './cancellation';

/** How often the time limits of all requests are checked: a request ends up to so much later. */
const CHECK_MS = 100;

/** Requests under way. A timer for each would stay in memory until it fires. */
const open = new Set<RequestLimits>();
let isWatching = false;

function watch(): void {
	isWatching = open.size > 0;
	if (!isWatching) return;
	AbortSignal.timeout(CHECK_MS).addEventListener('abort', () => {
		for (const limits of open) limits.check();
		watch();
	});
}

/** What ends a request before its response is complete: its time limits, and the user. */
export class RequestLimits {
	/** Whether a time limit has ended the request. */
	isLate = false;
	private readonly ending = new AbortController();
	private readonly endsAt: number;
	private readonly stallMs: number;
	private stallsAt = Number.POSITIVE_INFINITY;
	private readonly liftCancelling: () => void;

	constructor(
		{ timeoutMs, stallMs = Number.POSITIVE_INFINITY }: { timeoutMs: number; stallMs?: number },
		readonly signal: AbortSignal | undefined,
	) {
		this.endsAt = performance.now() + timeoutMs;
		this.stallMs = stallMs;
		this.startWaiting();
		this.liftCancelling = whenAborted(signal, () => this.end());
		open.add(this);
		if (!isWatching) watch();
	}

	get abortSignal(): AbortSignal {
		return this.ending.signal;
	}

	startWaiting(): void {
		this.stallsAt = performance.now() + this.stallMs;
	}

	stopWaiting(): void {
		this.stallsAt = Number.POSITIVE_INFINITY;
	}

	check(): void {
		if (performance.now() < Math.min(this.endsAt, this.stallsAt)) return;
		this.isLate = true;
		this.end();
	}

	/** The request is over. */
	lift(): void {
		open.delete(this);
		this.liftCancelling();
	}

	private end(): void {
		open.delete(this);
		this.ending.abort();
	}
}
