/** One page of a list: service.md 1.2. */
export interface Page<T> {
	items: T[];
	/** Address of the next page; null on the last one. */
	nextPageLink: string | null;
}

/**
 * Yields the items of all pages, fetching one page at a time.
 *
 * Some lists of the service answer an empty page that names a next one for ever, so an empty page
 * ends the list; so does a link that was followed before.
 * @param fetchPage reads the first page for undefined, then the page behind each link
 */
export async function* pagedItems<T>(
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
