const alarms = new Set<{ at: number; ring: () => void }>();
/** When the timer fires; Infinity if none is set. */
let timerAt = Number.POSITIVE_INFINITY;

/**
 * Calls `ring` after `ms` milliseconds unless the returned function is called first.
 *
 * All alarms share a timer: one each would stay in memory until it fires, long after its request has
 * ended.
 */
export function setAlarm(ms: number, ring: () => void): () => void {
	const alarm = { at: performance.now() + ms, ring };
	alarms.add(alarm);
	if (alarm.at < timerAt) setTimer(alarm.at);
	return () => alarms.delete(alarm);
}

function setTimer(at: number): void {
	timerAt = at;
	const signal = AbortSignal.timeout(Math.max(0, Math.ceil(at - performance.now())));
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
