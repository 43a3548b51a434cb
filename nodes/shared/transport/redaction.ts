const HIDDEN = '***';

/**
 * User and password of an address: `scheme://user:password@host`, up to the last `@` before the path.
 * The beginning is read as leniently as address parsers do (`https:/`, `https:`, JSON's `:\/\/`).
 */
const BEGINNING = String.raw`(?:[a-z][a-z0-9+.-]{0,30}:[/\\]{2,}|(?:https?|ftp):[/\\]*)`;

/** In a text quotation marks and angle brackets end an address; in a password they may stand. */
const URL_CREDENTIALS = new RegExp(String.raw`\b(${BEGINNING})[^\s/?#"<>]*@`, 'gi');
const WHOLE_URL_CREDENTIALS = new RegExp(String.raw`^(\s*${BEGINNING})[^\s/?#]*@`, 'i');

/** Removes user and password parts of every address in `text`. */
export function redactUrls(text: string): string {
	return text
		.replace(WHOLE_URL_CREDENTIALS, `$1${HIDDEN}@`)
		.replace(URL_CREDENTIALS, `$1${HIDDEN}@`);
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
