/** Of the normal distribution, for 95 of 100 samples. */
const Z = 1.96;

/** The percentages between which the share of a whole lies, by Wilson's score; rounded away from each other. */
export function shareInterval(count: number, sample: number): { low: number; high: number } {
	const share = count / sample;
	const scale = 1 + Z ** 2 / sample;
	const center = (share + Z ** 2 / (2 * sample)) / scale;
	const half = (Z / scale) * Math.sqrt((share * (1 - share)) / sample + (Z / (2 * sample)) ** 2);
	return {
		low: Math.max(0, Math.floor(100 * (center - half))),
		high: Math.min(100, Math.ceil(100 * (center + half))),
	};
}

/** `about 62 % new (55 to 69 %)`. */
export function shareText(count: number, sample: number, words: string): string {
	const { low, high } = shareInterval(count, sample);
	return `about ${Math.round((100 * count) / sample)} % ${words} (${low} to ${high} %)`;
}
