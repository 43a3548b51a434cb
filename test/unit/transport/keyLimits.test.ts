import { KeyLimits, keyLimitsOf, VolumeUsedUp } from '../../../nodes/shared/transport/keyLimits';
import { HandDrivenClock } from './handDrivenClock';

test('requests are counted up to the limit and not beyond it', () => {
	const volume = new KeyLimits();
	for (let request = 0; request < 3; request++) volume.countRequest(3, 0);
	expect(() => volume.countRequest(3, 0)).toThrow(VolumeUsedUp);
	expect(volume.usedInMonth(0)).toBe(3);
});

test('the count begins again with the calendar month in UTC', () => {
	let now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
	const volume = new KeyLimits();
	volume.countRequest(1, now);
	expect(() => volume.countRequest(1, now)).toThrow(VolumeUsedUp);
	now += 1;
	expect(volume.usedInMonth(now)).toBe(0);
	volume.countRequest(1, now);
});

test('the count begins again with the month after a clock that was ahead is set back', () => {
	let now = Date.UTC(2035, 0);
	const volume = new KeyLimits();
	volume.countRequest(1, now);
	now = Date.UTC(2026, 1);
	expect(volume.usedInMonth(now)).toBe(0);
});

describe('what all nodes of a process share', () => {
	const clock = new HandDrivenClock();
	const half = () => 0.5;
	const key = keyLimitsOf('https://api.example.org key', 0);

	test('is the same for a key, and another for another key', () => {
		key.countRequest(10, 0);
		expect(keyLimitsOf('https://api.example.org key', 0).usedInMonth(0)).toBe(1);
		expect(keyLimitsOf('https://api.example.org other', 0).usedInMonth(0)).toBe(0);
	});

	test('is kept while somebody asks for the key each month, and forgotten after a longer time', () => {
		const january = Date.UTC(2026, 0, 31);
		const day = 24 * 60 * 60_000;
		const used = keyLimitsOf('used', january);
		const left = keyLimitsOf('left', january);
		expect(keyLimitsOf('used', january + 30 * day)).toBe(used);
		expect(keyLimitsOf('used', january + 60 * day)).toBe(used);
		expect(keyLimitsOf('left', january + 60 * day)).not.toBe(left);
	});

	test('is one rate limiter for each rate limit, which follows a changed limit', () => {
		const first = key.limiterOf({ name: 'low', perSecond: 4 }, clock, half);
		expect(key.limiterOf({ name: 'low', perSecond: 2 }, clock, half)).toBe(first);
		expect(first).toMatchObject({ rate: 2 });
		expect(key.limiterOf({ name: 'high', perSecond: 4 }, clock, half)).not.toBe(first);
	});

	test('is one limiter of concurrent requests, which follows a changed limit', async () => {
		const limiterFor = (maxConcurrent: number) =>
			key.limiterOf({ name: 'concurrency', maxConcurrent }, clock, half);
		const first = limiterFor(1);
		await first.acquire();
		const second = first.acquire();
		expect(limiterFor(2)).toBe(first);
		await expect(second).resolves.toBeDefined();
	});
});
