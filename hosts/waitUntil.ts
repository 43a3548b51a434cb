import { setTimeout as wait } from 'node:timers/promises';

interface WaitOptions {
	/** Default: 90 seconds. */
	withinMs?: number;
	/** Pause between two looks; default: a quarter of a second. */
	everyMs?: number;
	/** Gives up waiting. */
	signal?: AbortSignal | undefined;
}

/**
 * Looks again and again until there is a value.
 *
 * @param what for the error
 * @param look undefined and false: not yet
 * @throws Error when nothing was there in time
 */
export async function waitUntil<T>(
	what: string | (() => string),
	look: () => T | false | undefined | Promise<T | false | undefined>,
	{ withinMs = 90_000, everyMs = 250, signal }: WaitOptions = {},
): Promise<T> {
	for (const deadline = Date.now() + withinMs; ; await wait(everyMs, undefined, { signal })) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) {
			const missing = typeof what === 'string' ? what : what();
			throw new Error(`Not within ${withinMs / 1000} seconds: ${missing}`);
		}
	}
}
