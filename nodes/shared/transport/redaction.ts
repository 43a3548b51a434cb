const HIDDEN = '***';

/**
 * User and password of a URL: `scheme://user:password@host`, up to the last `@` before the path. The
 * start is matched as leniently as URL parsers do (`https:/`, `https:`, JSON's `:\/\/`).
 */
const BEGINNING = String.raw`(?:[a-z][a-z0-9+.-]{0,30}:[/\\]{2,}|(?:https?|ftp):[/\\]*)`;

/** Quotation marks and angle brackets end a URL in a text, but may be part of a password. */
const URL_CREDENTIALS = new RegExp(String.raw`\b(${BEGINNING})[^\s/?#"<>]*@`, 'gi');
const WHOLE_URL_CREDENTIALS = new RegExp(String.raw`^(\s*${BEGINNING})[^/?#]*@`, 'i');

/** Up to the last `@`, because people forget to encode characters of a password. */
const USER_INFO = new RegExp(String.raw`^\s*${BEGINNING}(.*)@`, 'is');

/** Removes user and password from every URL in `text`. */
export function redactUrls(text: string): string {
	return text
		.replace(WHOLE_URL_CREDENTIALS, `$1${HIDDEN}@`)
		.replace(URL_CREDENTIALS, `$1${HIDDEN}@`);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const HTML: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** A text as JSON, URLs and web pages write it. */
function writtenForms(text: string): string[] {
	return [text, decoded(text)].flatMap((form) => [
		form,
		JSON.stringify(form).slice(1, -1),
		form.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
		// Lone surrogates cannot be encoded.
		...(/\p{Surrogate}/u.test(form) ? [] : [encodeURIComponent(form), encodeURI(form)]),
	]);
}

/** User and password of a URL, in the forms other texts may repeat. */
function urlSecrets(address: string): { users: string[]; passwords: string[] } | undefined {
	const userInfo = USER_INFO.exec(address)?.[1];
	if (userInfo === undefined) return undefined;
	const [user = '', ...rest] = userInfo.split(':');
	const password = rest.join(':');
	const parsed = URL.canParse(address) ? new URL(address) : undefined;
	return {
		users: [user, parsed?.username ?? ''].flatMap(writtenForms),
		passwords: [password, parsed?.password ?? '', password && userInfo].flatMap(writtenForms),
	};
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Shorter users and passwords may be part of any word: hide them as whole words only. */
const SHORTEST_HIDDEN_IN_WORDS = 4;

const wholeWord = (text: string): string => `(?<![\\p{L}\\d])${escaped(text)}(?![\\p{L}\\d])`;

export interface Redactor {
	text(text: string): string;
	/** A copy of a JSON value with every string redacted. */
	value<T>(value: T): T;
	/** From now on hides user and password of every URL in a JSON value, wherever they appear. */
	hideUrlSecrets(value: unknown): void;
}

/**
 * A redactor for one credential: hides the key in any casing, inside the Basic header, and users and
 * passwords in URLs.
 * @param secrets texts that must never be shown; empty ones are ignored
 */
export function createRedactor(secrets: string[]): Redactor {
	const hidden = new Map<string, RegExp>();
	const hide = (secret: string, pattern: string): void => {
		if (secret.trim() !== '') hidden.set(secret, new RegExp(pattern, 'giu'));
	};
	let patterns: RegExp[] = [];
	// Longest first: `key|1` must not leave `|1` behind.
	const sort = (): void => {
		patterns = [...hidden].sort(([a], [b]) => b.length - a.length).map(([, pattern]) => pattern);
	};
	for (const secret of secrets) hide(secret, escaped(secret));
	sort();

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

	const hideUrlSecrets = (input: unknown): void => {
		if (input !== null && typeof input === 'object')
			return Object.values(input).forEach(hideUrlSecrets);
		if (typeof input !== 'string' || !input.includes('@')) return;
		const found = urlSecrets(input);
		if (!found) return;
		const { users, passwords } = found;
		for (const user of users) hide(user, wholeWord(user));
		for (const password of passwords) {
			const isLong = password.length >= SHORTEST_HIDDEN_IN_WORDS;
			hide(password, isLong ? escaped(password) : wholeWord(password));
		}
		sort();
	};

	return { text, value: <T>(input: T): T => value(input) as T, hideUrlSecrets };
}
