import {
	MonthlyVolume,
	sharedMonthlyVolume,
	VolumeUsedUp,
} from '../../../nodes/shared/transport/monthlyVolume';

test('requests are counted up to the limit and not beyond it', () => {
	const volume = new MonthlyVolume(() => 0);
	for (let request = 0; request < 3; request++) volume.countRequest(3);
	expect(() => volume.countRequest(3)).toThrow(VolumeUsedUp);
	expect(volume.used).toBe(3);
});

test('a raised limit takes effect at once', () => {
	const volume = new MonthlyVolume(() => 0);
	volume.countRequest(1);
	volume.countRequest(2);
	expect(volume.used).toBe(2);
});

test('the count begins again with the calendar month in UTC', () => {
	let now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
	const volume = new MonthlyVolume(() => now);
	volume.countRequest(1);
	expect(() => volume.countRequest(1)).toThrow(VolumeUsedUp);
	now += 1;
	expect(volume.used).toBe(0);
	volume.countRequest(1);
});

test('the count begins again with the month after a clock that was ahead is set back', () => {
	let now = Date.UTC(2035, 0);
	const volume = new MonthlyVolume(() => now);
	volume.countRequest(1);
	now = Date.UTC(2026, 1);
	expect(volume.used).toBe(0);
});

test('all nodes of a process share the count of a key', () => {
	const first = sharedMonthlyVolume('https://api.example.org key', () => 0);
	first.countRequest(10);
	expect(sharedMonthlyVolume('https://api.example.org key', () => 0).used).toBe(1);
	expect(sharedMonthlyVolume('https://api.example.org other', () => 0).used).toBe(0);
});
