const HIDDEN = '***';

/**
 * User and password of an address: `scheme://user:password@host`, up to the last `@` before the path.
 * The beginning is read as leniently as address parsers do (`https:/`, `https:`, JSON's `:\/\/`).
 */
const BEGINNING = String.raw`(?:[a-z][a-z0-9+.-]{0,30}:[/\\]{2,}|(?:https?|ftp):[/\\]*)`;

/** In a text quotation marks and angle brackets end an address; in a password they may stand. */
const URL_CREDENTIALS = new RegExp(String.raw`\b(${BEGINNING})[^\s/?#"<>]*@`, 'gi');
const WHOLE_URL_CREDENTIALS = new RegExp(String.raw`^(\s*${BEGINNING})[^/?#]*@`, 'i');

/** User and password as far as the last `@`, because people forget to encode signs in a password. */
const USER_INFO = new RegExp(String.raw`^\s*${BEGINNING}(.*)@`, 'is');

/** Removes user and password parts of every address in `text`. */
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

/** A text as JSON, addresses and web pages write it. */
function writtenForms(text: string): string[] {
	return [text, decoded(text)].flatMap((form) => [
		form,
		JSON.stringify(form).slice(1, -1),
		form.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign),
		// Lone surrogates have no encoded form.
		...(/\p{Surrogate}/u.test(form) ? [] : [encodeURIComponent(form), encodeURI(form)]),
	]);
}

/** User and password of an address, in the forms in which other texts may repeat them. */
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

/** A user, and a password that is hardly one, may be part of any word; only whole words are hidden. */
const SHORTEST_HIDDEN_IN_WORDS = 4;

const wholeWord = (text: string): string => `(?<![\\p{L}\\d])${escaped(text)}(?![\\p{L}\\d])`;

export interface Redactor {
	text(text: string): string;
	/** A copy of a JSON value with every string in it redacted. */
	value<T>(value: T): T;
	/** From now on hides user and password of every address in a JSON value, wherever they appear. */
	hideUrlSecrets(value: unknown): void;
}

/**
 * A redactor for one credential: hides the key in any casing, also inside the Basic header, and user
 * and password parts of addresses.
 * @param secrets texts that may never be shown; empty ones are ignored
 */
export function createRedactor(secrets: string[]): Redactor {
	/** What to hide, and its pattern. */
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
