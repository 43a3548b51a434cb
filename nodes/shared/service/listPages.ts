import { createHash } from 'crypto';

import { counted } from './counted';
import { isObject } from './requestBody';
import { ServiceError } from './serviceErrors';

/** service.md 1.2. */
export interface Page<T> {
	items: T[];
	nextPageLink: string | null;
	count?: number;
}

/**
 * Called with a sentence at the end of a list that is not known to be whole. What it lacks may exist: whoever
 * takes absence as a fact must stop here.
 */
export type OnPart = (reason: string) => void;

/** About half a million records as JSON; in memory two to three times that, and Node allows 2 to 4 GB. */
const MOST_CHARACTERS = 500_000_000;

/** Empty pages in a row that are followed: entries may come after them (service.md 1.2). */
const MOST_EMPTY_PAGES = 10;

/** Most pages: two million records in full pages (service.md 1.2). Ends a list of tiny pages, too. */
const MOST_PAGES = 10_000;

/** How far a list was read. Decides for all callers that follow its pages whether to continue. */
export class ListProgress {
	private emptyPages = 0;

	/** @param most the most entries that the service said the list has; 0 if it did not say */
	constructor(
		public entries = 0,
		public most = 0,
	) {}

	/**
	 * The link to follow after a page; undefined at the end. Some lists return empty pages that link to a
	 * next one forever, and some begin again.
	 * @param entries of the page that no page before had
	 */
	add({ items, nextPageLink, count = 0 }: Page<unknown>, entries: number): string | undefined {
		this.entries += entries;
		this.most = Math.max(this.most, count);
		this.emptyPages = items.length === 0 ? this.emptyPages + 1 : 0;
		const isCounted = this.most > 0 && this.entries >= this.most;
		const goesOn =
			items.length > 0 ? entries > 0 : !isCounted && this.emptyPages <= MOST_EMPTY_PAGES;
		return (goesOn && nextPageLink) || undefined;
	}
}

function endlessList(reason: string): ServiceError {
	return new ServiceError({
		message: `The list cannot be read to its end: ${reason}`,
		description:
			'Read a part of it with Limit and filters. In fields with a list, enter the ID in place of the name.',
	});
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
 * Yields the items of all pages, one page at a time. A link followed before and an earlier page end the
 * list, too, which is then whole only if it has as many entries as its count. Throws {@link ServiceError} for
 * a page that comes twice in a row and for a list without end.
 * @param fetchPage reads the first page for undefined, later ones by link
 */
export async function* readAllPages<T>(
	fetchPage: (link: string | undefined) => Promise<Page<T>>,
	onPart?: OnPart,
): AsyncGenerator<T> {
	const progress = new ListProgress();
	const links = new Set<string>();
	const contents = new Set<string>();
	let last: string | undefined;
	let link: string | undefined;
	let characters = 0;
	let hasEnd = false;
	for (;;) {
		const page = await fetchPage(link);
		const { items } = page;
		hasEnd = page.nextPageLink === null;
		let isRepeated = false;
		const isSinglePage = link === undefined && hasEnd;
		const text = isSinglePage || items.length === 0 ? undefined : jsonOf(items);
		if (text !== undefined) {
			characters += text.length;
			const content = createHash('sha256').update(text).digest('base64');
			// The rest of the list may come after a page that the service repeats.
			if (content === last) throw endlessList('the service returned the same page twice.');
			isRepeated = contents.has(content);
			contents.add(content);
			last = content;
		}
		link = progress.add(page, isRepeated ? 0 : items.length);
		if (!isRepeated) yield* items;
		if (link === undefined || links.has(link)) break;
		if (links.size === MOST_PAGES)
			throw endlessList(`it has more than ${MOST_PAGES.toLocaleString('en-US')} pages.`);
		if (characters > MOST_CHARACTERS) throw endlessList('it is larger than 500 MB.');
		links.add(link);
	}
	const { entries, most } = progress;
	if (entries < most)
		onPart?.(`The service says that the list has ${most} entries, but it returned ${entries}.`);
	else if (!hasEnd && most === 0)
		onPart?.(
			`The service returned ${counted(entries, 'entry', 'entries')}, but not the end of the list.`,
		);
}

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
	const { nextPageLink: link } = body;
	const count = typeof body.count === 'string' ? Number.parseInt(body.count, 10) : body.count;
	return (
		items && {
			items,
			nextPageLink: typeof link === 'string' && link !== '' ? link : null,
			...(Number.isInteger(count) && { count: Number(count) }),
		}
	);
}
