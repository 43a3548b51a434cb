const LONG_NUMBER = /\d{16}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** Whether JavaScript has rounded a number: above 2^53 it cannot hold every whole number. */
export function isRounded(value: unknown): boolean {
	return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** `JSON.parse`, but a whole number that JavaScript would round becomes text with every digit. */
export function parseJson(text: string): unknown {
	const value: unknown = JSON.parse(text);
	// Only in valid JSON does every string have an end: without one the pattern would be slow.
	if (!LONG_NUMBER.test(text)) return value;
	return JSON.parse(
		text.replace(TOKEN, (token) =>
			/^-?\d+$/.test(token) && isRounded(Number(token)) ? `"${token}"` : token,
		),
	);
}

/** Whether a JSON value has a number that JavaScript has rounded. */
export function hasRounded(value: unknown): boolean {
	if (value === null || typeof value !== 'object') return isRounded(value);
	return Object.values(value).some(hasRounded);
}
