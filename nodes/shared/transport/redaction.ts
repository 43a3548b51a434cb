export const HIDDEN = '***';

/**
 * Scheme and slashes of a URL, as lenient as URL parsers are (`https:/`, `https:`, JSON's `:\/\/`). No
 * pattern here goes on to the `@`: looking for it from each beginning would stop n8n on a long text.
 */
const BEGINNING = String.raw`(?:[a-z][a-z0-9+.-]{0,30}:[/\\]{2,}|(?:https?|ftp):[/\\]*)`;
const BEGINNINGS = new RegExp(String.raw`\b${BEGINNING}`, 'gi');
const FIRST_BEGINNING = new RegExp(String.raw`^\s*${BEGINNING}`, 'i');

/** Length of a scheme with its colon. */
const LONGEST_SCHEME = 32;

/** Quotation marks and angle brackets end a URL in a text, but may be part of a password. */
const AUTHORITY = /[^\s/?#"<>]+/g;

const isSlash = (sign: string | undefined): boolean => sign === '/' || sign === '\\';

/** Where user and password of an authority begin; undefined if no URL begins in or before it. */
function userInfoStart(text: string, start: number, at: number): number | undefined {
	let from = start;
	while (isSlash(text[from - 1])) from--;
	from = Math.max(0, from - LONGEST_SCHEME);
	for (const { 0: beginning, index } of text.slice(from, at).matchAll(BEGINNINGS)) {
		const end = from + index + beginning.length;
		if (end >= start) return end;
	}
	return undefined;
}

/**
 * The parts of a text that is a URL as a whole. User and password end at the last `@` before the path,
 * because people forget to encode characters of a password.
 */
function splitUrl(text: string): { beginning: string; userInfo: string } | undefined {
	const beginning = FIRST_BEGINNING.exec(text)?.[0];
	if (beginning === undefined) return undefined;
	const [authority = ''] = text.slice(beginning.length).split(/[/?#]/, 1);
	const at = authority.lastIndexOf('@');
	return at < 0 ? undefined : { beginning, userInfo: authority.slice(0, at) };
}

/** Hides user and password of every URL in a text. */
export function redactUrls(text: string): string {
	if (!text.includes('@')) return text;
	const whole = splitUrl(text);
	const input = whole
		? `${whole.beginning}${HIDDEN}${text.slice(whole.beginning.length + whole.userInfo.length)}`
		: text;
	return input.replace(AUTHORITY, (part: string, start: number) => {
		const at = part.lastIndexOf('@');
		const from = at < 0 ? undefined : userInfoStart(input, start, start + at);
		return from === undefined ? part : `${input.slice(start, from)}${HIDDEN}${part.slice(at)}`;
	});
}

interface Group {
	/** Descending: `key|1` must not leave `|1` behind. */
	lengths: number[];
	/** Whether to hide a text only where no letter or digit stands beside it. */
	asWord: Map<string, boolean>;
}

/** Texts are grouped by this many characters. */
const LONGEST_START = 4;
const LETTER_OR_DIGIT = /[\p{L}\d]/u;

/** Up to so many hidden texts are first looked for one by one: nearly no text has any of them. */
const FEW = 20;

/** Without the case of ASCII letters: other letters may change the length of a text. */
function folded(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function standsAlone(text: string, at: number, end: number): boolean {
	// Two code units: a letter outside the basic plane has as many.
	const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
	const [after = ''] = text.slice(end, end + 2);
	return !LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after);
}

/** Descending lengths, with one more. */
function withLength(lengths: number[], length: number): number[] {
	return lengths.includes(length) ? lengths : [...lengths, length].sort((a, b) => b - a);
}

/**
 * Texts to hide wherever they appear, in any casing. One walk over a text finds all of them, however
 * many there are; a pattern for each would take seconds.
 */
class HiddenTexts {
	private readonly groups = new Map<string, Group>();
	private readonly firstCharacters = new Set<string>();
	/** Descending. */
	private startLengths: number[] = [];
	/** All of them, unless they are more than a few. */
	private readonly few = new Set<string>();

	add(secret: string, asWord: boolean): void {
		const text = folded(secret);
		if (text.trim() === '') return;
		const start = text.slice(0, LONGEST_START);
		const group = this.groups.get(start) ?? { lengths: [], asWord: new Map<string, boolean>() };
		group.lengths = withLength(group.lengths, text.length);
		this.startLengths = withLength(this.startLengths, start.length);
		group.asWord.set(text, asWord && group.asWord.get(text) !== false);
		this.groups.set(start, group);
		this.firstCharacters.add(start.charAt(0));
		if (this.few.size <= FEW) this.few.add(text);
	}

	hideIn(input: string, sign: string): string {
		if (this.groups.size === 0) return input;
		const text = folded(input);
		if (this.hasNone(text)) return input;
		let result = '';
		let copied = 0;
		for (let at = 0; at < text.length; at++) {
			const end = this.firstCharacters.has(text.charAt(at)) ? this.endOf(text, at) : at;
			if (end === at) continue;
			result += input.slice(copied, at) + sign;
			copied = end;
			at = end - 1;
		}
		return result + input.slice(copied);
	}

	/** Whether a text certainly has nothing to hide. The walk takes a hundred times as long to find that out. */
	private hasNone(text: string): boolean {
		const { few } = this;
		if (few.size > FEW) return false;
		for (const hidden of few) if (text.includes(hidden)) return false;
		return true;
	}

	/** Where the longest hidden text that begins at a place ends; the place if none begins there. */
	private endOf(text: string, at: number): number {
		for (const start of this.startLengths) {
			const group = this.groups.get(text.slice(at, at + start));
			const length = group?.lengths.find((candidate) => {
				const asWord = group.asWord.get(text.slice(at, at + candidate));
				return asWord === false || (asWord && standsAlone(text, at, at + candidate));
			});
			if (length !== undefined) return at + length;
		}
		return at;
	}
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** How web pages write a quotation mark; the first is the sign itself, as many leave it. */
const DOUBLE_QUOTES = ['"', '&quot;', '&#34;'];
const SINGLE_QUOTES = ["'", '&#39;', '&#039;', '&#x27;', '&apos;'];

/** A text as web pages write it. */
function pageForms(text: string): string[] {
	const written = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return DOUBLE_QUOTES.flatMap((double) =>
		SINGLE_QUOTES.map((single) => written.replaceAll('"', double).replaceAll("'", single)),
	);
}

/** A text as JSON, URLs and web pages write it. */
function writtenForms(text: string): string[] {
	return [text, decoded(text)].flatMap((form) => [
		form,
		JSON.stringify(form).slice(1, -1),
		...pageForms(form),
		// Lone surrogates cannot be encoded.
		...(/\p{Surrogate}/u.test(form) ? [] : [encodeURIComponent(form), encodeURI(form)]),
	]);
}

/** A service does not repeat longer users and passwords. */
const LONGEST_SECRET = 500;
/** Shorter users and passwords may be part of any word: hide them as whole words only. */
const SHORTEST_HIDDEN_IN_WORDS = 4;

/** In the forms other texts may repeat. */
function addUrlSecrets(hidden: HiddenTexts, address: string): void {
	// An @ alone means nothing: profiles and searches have one in their path.
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url || (url.username === '' && url.password === '')) return;
	const { userInfo = '' } = splitUrl(address) ?? {};
	const [user = '', ...rest] = userInfo.split(':');
	const password = rest.join(':');
	const login = `${decoded(url.username)}:${decoded(url.password)}`;
	const add = (texts: string[], isUser: boolean): void => {
		for (const text of texts.filter(({ length }) => length <= LONGEST_SECRET).flatMap(writtenForms))
			hidden.add(text, isUser || text.length < SHORTEST_HIDDEN_IN_WORDS);
	};
	add([user, url.username], true);
	add([password, url.password, password && userInfo, password && login], false);
	// What clients send as a Basic header; its padding says nothing.
	for (const text of [userInfo, login])
		add([Buffer.from(text).toString('base64').replace('=', '').replace('=', '')], false);
}

function addUrlSecretsIn(hidden: HiddenTexts, value: unknown): void {
	if (typeof value === 'string') {
		if (value.includes('@')) addUrlSecrets(hidden, value);
	} else if (value !== null && typeof value === 'object') {
		for (const entry of Object.values(value)) addUrlSecretsIn(hidden, entry);
	}
}

/** Hides the secrets of a credential, in any casing, and users and passwords in URLs. */
export class Redactor {
	private readonly hidden = new HiddenTexts();

	/** @param redactMore hides what this redactor does not know */
	constructor(
		secrets: string[] = [],
		private readonly redactMore: (text: string) => string = redactUrls,
	) {
		for (const secret of secrets) this.hidden.add(secret, false);
	}

	text(text: string): string {
		return this.hidden.hideIn(this.redactMore(text), HIDDEN);
	}

	/** A copy of a JSON value. */
	value<T>(value: T): T {
		return this.redacted(value) as T;
	}

	/** From now on hides user and password of every address in a JSON value. */
	hideUrlSecrets(value: unknown): void {
		addUrlSecretsIn(this.hidden, value);
	}

	/** A redactor that hides those of this value, too. */
	with(value: unknown): Redactor {
		const redactor = new Redactor([], (text) => this.text(text));
		redactor.hideUrlSecrets(value);
		return redactor;
	}

	private redacted(input: unknown): unknown {
		if (typeof input === 'string') return this.text(input);
		if (Array.isArray(input)) return input.map((entry) => this.redacted(entry));
		if (input === null || typeof input !== 'object') return input;
		const entries = Object.entries(input);
		return Object.fromEntries(
			entries.map(([key, entry]) => [this.text(key), this.redacted(entry)]),
		);
	}
}
