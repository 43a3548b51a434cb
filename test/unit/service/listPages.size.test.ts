import { readAllPages } from '../../../nodes/shared/service/listPages';

test('a list of large pages is an error at last', async () => {
	const text = 'x'.repeat(60_000_000);
	let pages = 0;
	const list = readAllPages(
		async () =>
			await Promise.resolve({ items: [`${++pages}${text}`], nextPageLink: `page${pages + 1}` }),
	);
	const read = async () => {
		for await (const item of list) if (item.startsWith('20')) return 'no end';
		return 'an end';
	};
	await expect(read()).rejects.toThrow(
		'The list cannot be read to its end: it is larger than 500 MB.',
	);
});
