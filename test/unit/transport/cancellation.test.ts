import { CallCancelled, pause } from '../../../nodes/shared/transport/cancellation';
import { HandDrivenClock } from './handDrivenClock';

test('a pause lasts as long as asked', async () => {
	const clock = new HandDrivenClock();
	await clock.runUntil(pause(clock, 12_345, undefined));
	expect(clock.now()).toBe(12_345);
});

test('a pause of no time does not sleep', async () => {
	const clock = new HandDrivenClock();
	await pause(clock, 0, undefined);
	expect(clock.sleeping).toBe(0);
});

test('timers that wake late do not add up', async () => {
	const clock = new HandDrivenClock(() => 20);
	await clock.runUntil(pause(clock, 60_000, undefined));
	expect(clock.now()).toBeLessThanOrEqual(60_020);
});

test('cancelling a long pause ends it within a second', async () => {
	const clock = new HandDrivenClock();
	const cancel = new AbortController();
	const pausing = pause(clock, 3_600_000, cancel.signal).catch((error: unknown) => error);
	await clock.advance(1000);
	cancel.abort();
	expect(await clock.runUntil(pausing)).toBeInstanceOf(CallCancelled);
	expect(clock.now()).toBeLessThan(2000);
});
