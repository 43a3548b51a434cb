import { type Page, readAllPages } from '../../../nodes/shared/service/listPages';

/** Reads a list whose pages are known by their links; '' is the first page. */
async function readList(pages: Record<string, Page<number>>) {
	const fetched: string[] = [];
	const items: number[] = [];
	for await (const item of readAllPages(async (link) => {
		fetched.push(link ?? '');
		return await Promise.resolve(pages[link ?? ''] ?? { items: [], nextPageLink: null });
	})) {
		items.push(item);
	}
	return { items, fetched };
}

test('the links are followed to the last page', async () => {
	const pages = {
		'': { items: [1, 2], nextPageLink: 'b' },
		b: { items: [3], nextPageLink: 'c' },
		c: { items: [4], nextPageLink: null },
	};
	expect(await readList(pages)).toEqual({ items: [1, 2, 3, 4], fetched: ['', 'b', 'c'] });
});

test('an empty page ends the list though it names a next one', async () => {
	const pages = {
		'': { items: [1], nextPageLink: 'b' },
		b: { items: [], nextPageLink: 'c' },
		c: { items: [9], nextPageLink: null },
	};
	expect(await readList(pages)).toEqual({ items: [1], fetched: ['', 'b'] });
});

test('links that lead in a circle end the list', async () => {
	const pages = {
		'': { items: [1], nextPageLink: 'b' },
		b: { items: [2], nextPageLink: 'c' },
		c: { items: [3], nextPageLink: 'b' },
	};
	expect(await readList(pages)).toEqual({ items: [1, 2, 3], fetched: ['', 'b', 'c'] });
});

test('a list that begins again ends', async () => {
	const pages = {
		'': { items: [1], nextPageLink: 'b' },
		b: { items: [2], nextPageLink: 'c' },
		c: { items: [1], nextPageLink: 'd' },
		d: { items: [2], nextPageLink: 'e' },
	};
	expect(await readList(pages)).toEqual({ items: [1, 2], fetched: ['', 'b', 'c'] });
});

test('a page twice in a row is an error, because the rest may be missing', async () => {
	const page = { items: [1], nextPageLink: 'b' };
	await expect(readList({ '': page, b: { ...page, nextPageLink: 'c' } })).rejects.toThrow(
		'The list cannot be read to its end: the service returned the same page twice.',
	);
});

test.each([
	['ever new pages', 'it has more than 10,000 pages.', (page: number) => page],
	[
		'large pages',
		'it is larger than 500 MB.',
		(page: number) => `${page}${'x'.repeat(60_000_000)}`,
	],
])('a list of %s is an error at last', async (_, reason, entry) => {
	let pages = 0;
	const list = readAllPages(
		async () =>
			await Promise.resolve({ items: [entry(++pages)], nextPageLink: `page${pages + 1}` }),
	);
	const read = async () => {
		for await (const item of list) if (pages > 20_000) return item;
		return 'an end';
	};
	await expect(read()).rejects.toThrow(`The list cannot be read to its end: ${reason}`);
});
