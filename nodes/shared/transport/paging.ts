/** One page of a list: service.md 1.2. */
export interface Page<T> {
	items: T[];
	/** URL of the next page; null on the last one. */
	nextPageLink: string | null;
}

/**
 * Yields the items of all pages, one page at a time.
 *
 * Some lists return empty pages that link to a next one forever, so an empty page or a repeated link
 * ends the list.
 * @param fetchPage reads the first page for undefined, later ones by link
 */
export async function* readAllPages<T>(
	fetchPage: (link: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T> {
	const followed = new Set<string>();
	let link: string | undefined;
	for (;;) {
		const page = await fetchPage(link);
		yield* page.items;
		if (page.nextPageLink === null || page.items.length === 0 || followed.has(page.nextPageLink))
			return;
		link = page.nextPageLink;
		followed.add(link);
	}
}
