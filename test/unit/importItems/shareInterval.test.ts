import {
	shareInterval,
	shareText,
} from '../../../nodes/NativeBulkImport/importItems/features/lookUpMatches';

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** How many of 100 samples of 200 rows have the share of the whole list in their interval. */
function held(rows: number, share: number, firstSeed: number): number {
	const marked = Math.round(rows * share);
	let holding = 0;
	for (let seed = firstSeed; seed < firstSeed + 100; seed++) {
		const random = randomOf(seed);
		let [left, missing, count] = [rows, 200, 0];
		for (let row = 0; row < rows; row++) {
			if (random() * left-- >= missing) continue;
			missing--;
			if (row < marked) count++;
		}
		const { low, high } = shareInterval(count, 200);
		const percent = (100 * marked) / rows;
		if (low <= percent && percent <= high) holding++;
	}
	return holding;
}

it.each(
	[1000, 5000].flatMap((rows) =>
		[0, 0.05, 0.2, 0.62, 0.88].flatMap((share) =>
			[1, 1001, 2001].map((seed) => ({ rows, share, seed })),
		),
	),
)('holds in 95 of 100 samples: $rows rows, share $share, seeds from $seed', (one) => {
	expect(held(one.rows, one.share, one.seed)).toBeGreaterThanOrEqual(95);
});

it.each([
	[0, 200, 0, 2],
	[200, 200, 98, 100],
	[124, 200, 55, 69],
	[1, 1, 20, 100],
])('%i of %i: %i to %i %', (count, sample, low, high) => {
	expect(shareInterval(count, sample)).toEqual({ low, high });
});

it('is told in words', () => {
	expect(shareText(124, 200, 'new')).toBe('about 62% new (55 to 69%)');
});
