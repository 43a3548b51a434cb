import { createHash } from 'crypto';

import { isObject } from './requestBody';
import { ServiceError } from './serviceErrors';

/** One page of a list: service.md 1.2. */
export interface Page<T> {
	items: T[];
	/** URL of the next page; null on the last one. */
	nextPageLink: string | null;
	/** Of the entries of the whole list, if the service says so. */
	count?: number;
}

/** Told of a list that ended although it has more entries. */
export type OnMissing = (read: number, count: number) => void;

/**
 * Longest list, in characters of JSON: about half a million records. In memory they take two to three
 * times that, and Node allows n8n 2 to 4 GB.
 */
const MOST_CHARACTERS = 500_000_000;

/** Most pages: two million records in full pages (service.md 1.2). Ends a list of tiny pages, too. */
const MOST_PAGES = 10_000;

function endlessList(reason: string): ServiceError {
	return new ServiceError({
		message: `The list cannot be read to its end: ${reason}`,
		description:
			'Read a part of it with Limit and filters. In fields with a list, enter the ID in place of the name.',
	});
}

/** The pages of one list so far. */
class ReadPages {
	private readonly links = new Set<string>();
	private readonly contents = new Set<string>();
	private last: string | undefined;
	private characters = 0;

	/** Adds a page. Returns false for an earlier page: the list begins again. */
	add(items: unknown[]): boolean {
		const text = jsonOf(items);
		if (text === undefined) return true;
		this.characters += text.length;
		const content = createHash('sha256').update(text).digest('base64');
		// The rest of the list may be behind a page that the service repeats.
		if (content === this.last) throw endlessList('the service returned the same page twice.');
		if (this.contents.has(content)) return false;
		this.contents.add(content);
		this.last = content;
		return true;
	}

	/** Adds the link to a next page. Returns false for a link that was followed before. */
	follow(link: string): boolean {
		if (this.links.has(link)) return false;
		if (this.links.size === MOST_PAGES)
			throw endlessList(`it has more than ${MOST_PAGES.toLocaleString('en-US')} pages.`);
		if (this.characters > MOST_CHARACTERS) throw endlessList('it is larger than 500 MB.');
		this.links.add(link);
		return true;
	}
}

/** Undefined for values that are nested too deeply to be written. */
function jsonOf(items: unknown[]): string | undefined {
	try {
		return JSON.stringify(items);
	} catch {
		return undefined;
	}
}

/**
 * Yields the items of all pages, one page at a time.
 *
 * Some lists return empty pages that link to a next one forever, and some begin again: an empty page, a
 * link followed before and an earlier page end the list. Throws {@link ServiceError} for a page that
 * comes twice in a row and for a list without end.
 * @param fetchPage reads the first page for undefined, later ones by link
 */
export async function* readAllPages<T>(
	fetchPage: (link: string | undefined) => Promise<Page<T>>,
	onMissing?: OnMissing,
): AsyncGenerator<T> {
	const read = new ReadPages();
	let link: string | undefined;
	let entries = 0;
	let most = 0;
	for (;;) {
		const { items, nextPageLink, count = 0 } = await fetchPage(link);
		const isSinglePage = link === undefined && nextPageLink === null;
		most = Math.max(most, count);
		if (items.length === 0 || (!isSinglePage && !read.add(items))) break;
		entries += items.length;
		yield* items;
		if (nextPageLink === null || !read.follow(nextPageLink)) break;
		link = nextPageLink;
	}
	if (entries < most) onMissing?.(entries, most);
}

/** The entries of a list: `items`, or with `anyName` the envelope's only list. */
function listOf(envelope: Record<string, unknown>, anyName: boolean): unknown[] | undefined {
	if (Array.isArray(envelope.items)) return envelope.items;
	if (!anyName) return undefined;
	const lists = Object.values(envelope).filter((value) => Array.isArray(value));
	return lists.length === 1 ? lists[0] : undefined;
}

/** A page, from the body of a response: an envelope or a bare array; undefined if it is neither. */
export function pageOf(body: unknown, anyName: boolean): Page<unknown> | undefined {
	if (Array.isArray(body)) return { items: body, nextPageLink: null };
	if (!isObject(body)) return undefined;
	const items = listOf(body, anyName);
	const { nextPageLink: link, count } = body;
	return (
		items && {
			items,
			nextPageLink: typeof link === 'string' && link !== '' ? link : null,
			...(typeof count === 'number' && { count }),
		}
	);
}

/**
 * The query of a next page; undefined if the link leads to another host, which must not get the
 * credential. Only hosts are compared, because links carry an explicit `:443` (service.md 1.2).
 * @param root address of the service
 */
export function nextPage(link: string, root: string): { query?: string; hostname: string } {
	const base = new URL(root);
	const next = URL.canParse(link, root) ? new URL(link, root) : undefined;
	const hostname = next?.hostname ?? 'an unreadable address';
	return { hostname, ...(next && hostname === base.hostname && { query: next.search }) };
}
