import {
	collect,
	parameterLimit,
	returnAllProperties,
} from '../../../nodes/shared/operations/getMany';
import { parametersOf } from '../parameters/nodeParameters';

function counter() {
	const read = { items: 0, isClosed: false };
	async function* items(): AsyncGenerator<number> {
		try {
			for (let item = 1; item <= 10; item++) {
				read.items++;
				yield await Promise.resolve(item);
			}
		} finally {
			read.isClosed = true;
		}
	}
	return { read, items: items() };
}

test('no more of a list is read than asked for', async () => {
	const { read, items } = counter();
	expect(await collect(items, 3)).toEqual([1, 2, 3]);
	expect(read).toEqual({ items: 3, isClosed: true });
});

test('a whole list is read', async () => {
	expect(await collect(counter().items, Number.POSITIVE_INFINITY)).toHaveLength(10);
	expect(await collect(counter().items, 100)).toHaveLength(10);
});

test.each<[Record<string, unknown>, number]>([
	[{}, 50],
	[{ limit: '' }, 50],
	[{ limit: 7 }, 7],
	[{ returnAll: false, limit: 7 }, 7],
	[{ returnAll: true, limit: 7 }, Number.POSITIVE_INFINITY],
	[{ returnAll: true, limit: null }, Number.POSITIVE_INFINITY],
	// Expressions give digits as text.
	[{ limit: '7' }, 7],
])('%j asks for %d results', (parameters, results) => {
	expect(parameterLimit(parametersOf(parameters, returnAllProperties))).toBe(results);
});

test.each([-1, 0, 1.5, Number.NaN, 'all', {}])('a limit of %j is rejected', (limit) => {
	expect(() => parameterLimit(parametersOf({ limit }, returnAllProperties))).toThrow(
		/^Limit(: ".*" is not| must be) a whole number from 1\.$/,
	);
});
