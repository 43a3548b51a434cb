import type { Slice } from '../importFile/importFiles';

/** Steps between two looks at the time. */
const STEPS = 1024;

/** The positions of numbers in ascending order, those of equal numbers as they were given. */
async function orderOf(numbers: readonly number[], slice: Slice): Promise<Uint32Array> {
	const count = numbers.length;
	const at = (position: number | undefined): number =>
		numbers[position ?? count] ?? Number.POSITIVE_INFINITY;
	let order = new Uint32Array(count);
	let merged = new Uint32Array(count);
	let isSorted = true;
	for (let position = 0; position < count; position++) {
		if (position % STEPS === 0 && slice.isOver) await slice.yield();
		order[position] = position;
		isSorted &&= position === 0 || at(position - 1) <= at(position);
	}
	if (isSorted) return order;
	for (let width = 1; width < count; width *= 2) {
		for (let start = 0; start < count; start += 2 * width) {
			const middle = Math.min(start + width, count);
			const end = Math.min(middle + width, count);
			let [left, right] = [start, middle];
			for (let target = start; target < end; target++) {
				if (target % STEPS === 0 && slice.isOver) await slice.yield();
				const takesLeft = left < middle && (right >= end || at(order[left]) <= at(order[right]));
				merged[target] = order[takesLeft ? left++ : right++] ?? 0;
			}
		}
		[order, merged] = [merged, order];
	}
	return order;
}

/** Numbers that can be looked up and read in order. A set of a million blocks n8n each time it grows. */
export class SortedNumbers {
	private constructor(
		private readonly numbers: readonly number[],
		/** The places at which the numbers were given, sorted by their size; equal ones in the order in which they were given. */
		readonly order: Uint32Array,
		/** Whether two of them are equal. */
		readonly hasEqual: boolean,
	) {}

	/** @param numbers not changed afterwards */
	static async of(numbers: readonly number[], slice: Slice): Promise<SortedNumbers> {
		const order = await orderOf(numbers, slice);
		let hasEqual = false;
		for (let place = 1; place < order.length && !hasEqual; place++) {
			if (place % STEPS === 0 && slice.isOver) await slice.yield();
			hasEqual = numbers[order[place - 1] ?? 0] === numbers[order[place] ?? 0];
		}
		return new SortedNumbers(numbers, order, hasEqual);
	}

	/** The place at which a number was last given; undefined if it was not. */
	find(number: number): number | undefined {
		let [low, high] = [0, this.order.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.numbers[this.order[middle] ?? 0] ?? 0) <= number) low = middle + 1;
			else high = middle;
		}
		const position = low === 0 ? undefined : this.order[low - 1];
		return position !== undefined && this.numbers[position] === number ? position : undefined;
	}
}
