import fc from 'fast-check';
import { sortBy } from 'lodash';

import { SortedNumbers } from '../../../nodes/shared/execution/sortedNumbers';
import { TimeSlice } from '../../../nodes/shared/execution/timeSlice';
import { CountingSlice } from '../../support/countingSlice';
import { longestTurnOf } from '../../support/eventLoop';

const sort = async (numbers: readonly number[]) =>
	await SortedNumbers.of(numbers, new TimeSlice(undefined));

test('numbers come in order, equal ones as they were given, and are found', async () => {
	const few = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(few, async (numbers) => {
			const sorted = await sort(numbers);
			const positions = numbers.map((_, position) => position);
			expect([...sorted.order]).toEqual(sortBy(positions, (position) => numbers[position]));
			expect(sorted.hasEqual).toBe(new Set(numbers).size < numbers.length);
			for (let number = -1; number <= 21; number++) {
				const last = numbers.lastIndexOf(number);
				expect(sorted.find(number)).toBe(last < 0 ? undefined : last);
			}
		}),
	);
});

test('a million numbers are sorted without a long turn', async () => {
	const numbers = Array.from({ length: 1_000_000 }, (_, index) => (index * 7919) % 1_000_003);
	const work = async () => await sort(numbers);
	expect((await work()).find(7919)).toBe(1);
	expect(await longestTurnOf(work, 50)).toBeLessThanOrEqual(50);
});

test('equal numbers are looked for with pauses, too', async () => {
	const slice = new CountingSlice();
	const numbers = Array.from({ length: 100 * 1024 }, (_, index) => index);
	expect((await SortedNumbers.of(numbers, slice)).hasEqual).toBe(false);
	// Once to see that they are in order, and once to compare neighbors.
	expect(slice.pauses).toBeGreaterThan(190);
});
