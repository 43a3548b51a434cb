const HIDDEN = '***';

/** User and password of any address in a text: `scheme://user:password@host`. */
const URL_CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>@]*(?:@[^\s/?#"'<>@]*)*@/gi;

/** Removes user and password parts of every address in `text`. */
export function redactUrls(text: string): string {
	return text.replace(URL_CREDENTIALS, `$1${HIDDEN}@`);
}

export interface Redactor {
	text(text: string): string;
	/** A copy of a JSON value with every string in it redacted. */
	value<T>(value: T): T;
}

/**
 * A redactor for one credential: hides the key in any casing, also inside the Basic header, and user
 * and password parts of addresses.
 * @param secrets texts that may never be shown; empty ones are ignored
 */
export function createRedactor(secrets: string[]): Redactor {
	const patterns = secrets
		.filter((secret) => secret !== '')
		// Longest first: `key|1` must not leave `|1` behind.
		.sort((a, b) => b.length - a.length)
		.map((secret) => new RegExp(secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'));

	const text = (input: string): string =>
		patterns.reduce((result, pattern) => result.replace(pattern, HIDDEN), redactUrls(input));

	const value = (input: unknown): unknown => {
		if (typeof input === 'string') return text(input);
		if (Array.isArray(input)) return input.map(value);
		if (input !== null && typeof input === 'object') {
			return Object.fromEntries(
				Object.entries(input).map(([key, entry]) => [text(key), value(entry)]),
			);
		}
		return input;
	};

	return { text, value: <T>(input: T): T => value(input) as T };
}
