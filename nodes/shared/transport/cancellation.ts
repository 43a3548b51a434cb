import type { Clock } from './clock';

/** The user stopped the execution; nothing more may be sent for it. */
export class CallCancelled extends Error {
	constructor() {
		super('The execution was canceled.');
		this.name = 'CallCancelled';
	}
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new CallCancelled();
}

/**
 * The host's sleep cannot be interrupted, so a long wait is cut into slices short enough for a
 * cancelled execution to end within a second (DESIGN 5).
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
