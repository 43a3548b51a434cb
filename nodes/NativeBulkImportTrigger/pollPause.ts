import { z } from 'zod';

/** Back-off after polls that could read nothing. */
const pollPauseSchema = z.object({
	/** Consecutive polls that could read nothing. */
	failures: z.number(),
	/** When to poll again, in milliseconds since 1970. */
	until: z.number(),
});

type PollPause = z.infer<typeof pollPauseSchema>;

const FIRST_PAUSE_MS = 2 * 60_000;

/** Longest delay of an event after the service is back. */
export const LONGEST_PAUSE_MS = 5 * 60_000;

function pauseOf(saved: unknown): PollPause | undefined {
	return pollPauseSchema.safeParse(saved).data;
}

/** Whether to skip this poll; a clock that was set back ends the pause. */
export function isPaused(saved: unknown, now: number): boolean {
	const left = (pauseOf(saved)?.until ?? now) - now;
	return left > 0 && left <= LONGEST_PAUSE_MS;
}

/** The pause after another failed poll. The first failure has none. */
export function nextPause(saved: unknown, now: number): PollPause {
	const failures = (pauseOf(saved)?.failures ?? 0) + 1;
	const pauseMs =
		failures === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 2));
	return { failures, until: now + pauseMs };
}
