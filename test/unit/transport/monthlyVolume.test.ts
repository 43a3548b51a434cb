import {
	MonthlyVolume,
	sharedMonthlyVolume,
	VolumeUsedUp,
} from '../../../nodes/shared/transport/monthlyVolume';

test('requests are counted up to the limit and not beyond it', () => {
	const volume = new MonthlyVolume(() => 0);
	for (let request = 0; request < 3; request++) volume.take(3);
	expect(() => volume.take(3)).toThrow(VolumeUsedUp);
	expect(volume.used).toBe(3);
});

test('a raised limit takes effect at once', () => {
	const volume = new MonthlyVolume(() => 0);
	volume.take(1);
	volume.take(2);
	expect(volume.used).toBe(2);
});

test('the count begins again with the calendar month in UTC', () => {
	let now = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
	const volume = new MonthlyVolume(() => now);
	volume.take(1);
	expect(() => volume.take(1)).toThrow(VolumeUsedUp);
	now += 1;
	expect(volume.used).toBe(0);
	volume.take(1);
});

test('all nodes of a process share the count of a key', () => {
	const first = sharedMonthlyVolume('https://api.example.org key', () => 0);
	first.take(10);
	expect(sharedMonthlyVolume('https://api.example.org key', () => 0).used).toBe(1);
	expect(sharedMonthlyVolume('https://api.example.org other', () => 0).used).toBe(0);
});
