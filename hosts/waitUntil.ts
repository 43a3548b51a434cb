import { setTimeout as wait } from 'node:timers/promises';

/** Ends what waits for something that never comes. How long a thing takes is not a result: machines differ. */
export const PATIENCE_MS = 10 * 60_000;

const FIRST_PAUSE_MS = 250;
/** What takes long is looked at less often: looking takes processor time, n8n's, too. */
const LONGER = 1.1;
const LONGEST_PAUSE_MS = 1500;

interface WaitOptions {
	/** Pause between two looks; default: a quarter of a second at first, then longer and longer. */
	everyMs?: number;
	/** Gives up waiting. */
	signal?: AbortSignal | undefined;
}

/**
 * Looks again and again until there is a value.
 *
 * @param what for the error
 * @param look undefined and false: not yet
 * @throws Error when nothing was there within {@link PATIENCE_MS}
 */
export async function waitUntil<T>(
	what: string | (() => string),
	look: () => T | false | undefined | Promise<T | false | undefined>,
	{ everyMs, signal }: WaitOptions = {},
): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * LONGER, LONGEST_PAUSE_MS)) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) {
			const missing = typeof what === 'string' ? what : what();
			throw new Error(`Not within ${PATIENCE_MS / 60_000} minutes: ${missing}`);
		}
		await wait(everyMs ?? pause, undefined, { signal });
	}
}
