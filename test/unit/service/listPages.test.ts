import { type Page, pageOf, readAllPages } from '../../../nodes/shared/service/listPages';

/** Reads a list whose pages are known by their links; '' is the first page. */
async function readList(pages: Record<string, Page<number>>) {
	const fetched: string[] = [];
	const items: number[] = [];
	const reasons: string[] = [];
	const list = readAllPages(
		async (link) => {
			fetched.push(link ?? '');
			return await Promise.resolve(pages[link ?? ''] ?? { items: [], nextPageLink: null });
		},
		(reason) => reasons.push(reason),
	);
	for await (const item of list) items.push(item);
	return { items, fetched, reasons };
}

test('the links are followed to the last page', async () => {
	const pages = {
		'': { items: [1, 2], nextPageLink: 'b' },
		b: { items: [3], nextPageLink: 'c' },
		c: { items: [4], nextPageLink: null },
	};
	const fetched = ['', 'b', 'c'];
	expect(await readList(pages)).toEqual({ items: [1, 2, 3, 4], fetched, reasons: [] });
});

test.each(['', 'b'])('entries behind an empty page are read: %j', async (empty) => {
	const pages: Record<string, Page<number>> = {
		'': { items: [1], nextPageLink: 'b' },
		b: { items: [2], nextPageLink: 'c' },
		c: { items: [3], nextPageLink: null },
	};
	pages[empty] = { items: [], nextPageLink: empty === '' ? 'b' : 'c' };
	const { items, reasons } = await readList(pages);
	expect(items).toEqual(empty === '' ? [2, 3] : [1, 3]);
	expect(reasons).toEqual([]);
});

const noEnd = (read: string) => [`The service returned ${read}, but not the end of the list.`];

test('empty pages without end end the list, which is not known to be whole', async () => {
	const pages: Record<string, Page<number>> = { '': { items: [1], nextPageLink: '1' } };
	for (let page = 1; page < 50; page++) pages[page] = { items: [], nextPageLink: String(page + 1) };
	const { items, fetched, reasons } = await readList(pages);
	expect(items).toEqual([1]);
	expect(fetched).toHaveLength(12);
	expect(reasons).toEqual(noEnd('1 entry'));
});

test('an empty page ends a list that has as many entries as its count', async () => {
	const pages = {
		'': { items: [1], nextPageLink: 'b', count: 1 },
		b: { items: [], nextPageLink: 'c', count: 1 },
	};
	expect(await readList(pages)).toEqual({ items: [1], fetched: ['', 'b'], reasons: [] });
});

test('links that lead in a circle end the list, which is whole if it has all entries', async () => {
	const pages = (count?: number): Record<string, Page<number>> => ({
		'': { items: [1], nextPageLink: 'b', ...(count !== undefined && { count }) },
		b: { items: [2], nextPageLink: 'c' },
		c: { items: [3], nextPageLink: 'b' },
	});
	const read = { items: [1, 2, 3], fetched: ['', 'b', 'c'] };
	expect(await readList(pages())).toEqual({ ...read, reasons: noEnd('3 entries') });
	expect(await readList(pages(3))).toEqual({ ...read, reasons: [] });
});

test('a list that begins again ends', async () => {
	const pages = {
		'': { items: [1], nextPageLink: 'b' },
		b: { items: [2], nextPageLink: 'c' },
		c: { items: [1], nextPageLink: 'd' },
		d: { items: [2], nextPageLink: 'e' },
	};
	const read = { items: [1, 2], fetched: ['', 'b', 'c'] };
	expect(await readList(pages)).toEqual({ ...read, reasons: noEnd('2 entries') });
});

test.each([501, '501'])('a list with fewer entries than its count %j is a part', async (count) => {
	const page = pageOf({ items: [1, 2], nextPageLink: null, count }, false) as Page<number>;
	const { reasons } = await readList({ '': page });
	expect(reasons).toEqual(['The service says that the list has 501 entries, but it returned 2.']);
});

test.each([null, '', 'many', -1, '-1', [5], true, undefined])(
	'a count of %j says nothing',
	async (count) => {
		const page = pageOf({ items: [1], nextPageLink: null, count }, false) as Page<number>;
		expect((await readList({ '': page })).reasons).toEqual([]);
	},
);

test('a page twice in a row is an error, because the rest may be missing', async () => {
	const page = { items: [1], nextPageLink: 'b' };
	await expect(readList({ '': page, b: { ...page, nextPageLink: 'c' } })).rejects.toThrow(
		'The list cannot be read to its end: the service returned the same page twice.',
	);
});

test('a list of ever new pages is an error at last', async () => {
	let pages = 0;
	const list = readAllPages(
		async () => await Promise.resolve({ items: [++pages], nextPageLink: `page${pages + 1}` }),
	);
	const read = async () => {
		for await (const page of list) if (page > 20_000) return 'no end';
		return 'an end';
	};
	await expect(read()).rejects.toThrow(
		'The list cannot be read to its end: it has more than 10,000 pages.',
	);
});

test.each([
	['a number', 500, 500],
	['text', '500', 500],
	['zero', 0, 0],
	['no number', 'many', undefined],
	['null', null, undefined],
])('a count that is %s', (_, count, expected) => {
	expect(pageOf({ items: [], count }, false)?.count).toBe(expected);
});
