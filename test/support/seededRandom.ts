/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): { below(limit: number): number } {
	let state = seed;
	return {
		below(limit) {
			state = (state + 0x6d2b79f5) | 0;
			let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
			mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
			return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
		},
	};
}
