import { z } from 'zod';

const pollPauseSchema = z.object({
	/** Polls in a row in which nothing could be read. */
	failures: z.number(),
	/** Milliseconds since 1970: when the service is asked again. */
	until: z.number(),
});

/** How polling goes on after polls in which nothing could be read. */
type PollPause = z.infer<typeof pollPauseSchema>;

const FIRST_PAUSE_MS = 2 * 60_000;

/** A job that ends while the service is away is reported at most this much later. */
export const LONGEST_PAUSE_MS = 5 * 60_000;

function pauseOf(saved: unknown): PollPause | undefined {
	const parsed = pollPauseSchema.safeParse(saved);
	return parsed.success ? parsed.data : undefined;
}

/** Whether the service is left alone at this time; a clock that was set back ends that. */
export function isPaused(saved: unknown, now: number): boolean {
	const left = (pauseOf(saved)?.until ?? now) - now;
	return left > 0 && left <= LONGEST_PAUSE_MS;
}

/** The pause after one more poll in which nothing could be read. The first failure makes none. */
export function nextPause(saved: unknown, now: number): PollPause {
	const failures = (pauseOf(saved)?.failures ?? 0) + 1;
	const pauseMs =
		failures === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 2));
	return { failures, until: now + pauseMs };
}
