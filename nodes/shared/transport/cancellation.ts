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
 * Calls back when a signal aborts, at once if it has; the returned function unsubscribes. A signal gets
 * one listener for all callbacks: Node 20 reports more than ten as a leak.
 */
export function whenAborted(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (!signal) return () => undefined;
	if (signal.aborted) {
		callback();
		return () => undefined;
	}
	const callbacks = callbacksOf.get(signal) ?? new Set();
	if (!callbacksOf.has(signal)) {
		callbacksOf.set(signal, callbacks);
		signal.addEventListener('abort', () => [...callbacks].forEach((call) => call()));
	}
	// A wrapper for each call: the same function may be given twice.
	const own = () => callback();
	callbacks.add(own);
	return () => callbacks.delete(own);
}

/** n8n's sleep cannot be interrupted: a wait is cut into slices. */
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
