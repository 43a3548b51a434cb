import type { Clock } from './clock';

/** The user stopped the execution; it sends nothing more. */
export class CallCancelled extends Error {
	/** @param mayHaveRun whether the service may have executed the call that was stopped */
	constructor(readonly mayHaveRun = false) {
		super('The execution was canceled.');
		this.name = 'CallCancelled';
	}
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new CallCancelled();
}

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts, at once if it has. The returned function unsubscribes; otherwise the
 * callback stays in memory as long as the signal.
 *
 * A signal gets one listener for all callbacks: Node reports more than ten as a leak.
 */
export function whenAborted(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (!signal) return () => undefined;
	if (signal.aborted) {
		callback();
		return () => undefined;
	}
	let callbacks = callbacksOf.get(signal);
	if (!callbacks) {
		const all = (callbacks = new Set());
		callbacksOf.set(signal, all);
		signal.addEventListener('abort', () => [...all].forEach((call) => call()), { once: true });
	}
	// A wrapper for each call: the same function may be given twice.
	const own = () => callback();
	callbacks.add(own);
	return () => callbacks.delete(own);
}

/**
 * The host's sleep cannot be interrupted, so a wait is cut into slices: a cancelled execution ends
 * within a second.
 */
const SLICE_MS = 250;

/** Waits `ms` milliseconds; throws {@link CallCancelled} soon after `signal` aborts. */
export async function pause(
	clock: Clock,
	ms: number,
	signal: AbortSignal | undefined,
): Promise<void> {
	const end = clock.now() + ms;
	for (;;) {
		throwIfCancelled(signal);
		const left = end - clock.now();
		if (left <= 0) return;
		await clock.sleep(Math.min(left, SLICE_MS));
	}
}
