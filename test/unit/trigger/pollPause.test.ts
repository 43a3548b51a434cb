import {
	isPaused,
	LONGEST_PAUSE_MS,
	nextPause,
} from '../../../nodes/NativeBulkImportTrigger/pollPause';

test('a service that cannot be read is asked more and more rarely, at most five minutes apart', () => {
	let pause: unknown;
	const pauses = Array.from({ length: 5 }, () => {
		const next = nextPause(pause, 1000);
		pause = next;
		return next.until - 1000;
	});
	expect(pauses).toEqual([0, 120_000, 240_000, LONGEST_PAUSE_MS, LONGEST_PAUSE_MS]);
	expect(isPaused(pause, 1000 + LONGEST_PAUSE_MS - 1)).toBe(true);
	expect(isPaused(pause, 1000 + LONGEST_PAUSE_MS)).toBe(false);
	expect(isPaused(pause, -1)).toBe(false);
	expect(isPaused(undefined, 1000)).toBe(false);
});
