import * as fc from 'fast-check';

import { runItems } from '../../../nodes/shared/execution/itemLoop';
import { TimeSlice } from '../../../nodes/shared/execution/timeSlice';
import { repetitions } from '../../support/randomCases';

const slice = new TimeSlice(undefined, { now: () => 0, sleep: async () => {} });

const requests = { inFlight: 0, onRequest: undefined };

/** Items under way, which a test ends one by one. */
function itemsByHand(
	count: number,
	concurrency: number,
	keys: string[][],
	stopsOnFailure = () => false,
) {
	const log: Array<{ item: number; what: 'begins' | 'ends' }> = [];
	const open = new Map<number, { end: () => void; fail: (error: Error) => void }>();
	const results = runItems(
		{ count, concurrency, requests, slice, keys: (item) => keys[item] ?? [], stopsOnFailure },
		async (item) => {
			log.push({ item, what: 'begins' });
			await new Promise<void>((resolve, reject) => {
				open.set(item, { end: resolve, fail: reject });
			}).finally(() => log.push({ item, what: 'ends' }));
			return item;
		},
	);
	const settle = async () => {
		for (let round = 0; round < 20; round++) await Promise.resolve();
	};
	const end = async (item: number, fails = false) => {
		const handles = open.get(item);
		open.delete(item);
		if (fails) handles?.fail(new Error(`item ${item}`));
		else handles?.end();
		await settle();
	};
	return { log, open, results, end, settle };
}

const runs = fc.record({
	keys: fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }), {
		maxLength: 25,
	}),
	concurrency: fc.integer({ min: 1, max: 6 }),
	choices: fc.infiniteStream(fc.nat()),
	failures: fc.infiniteStream(fc.boolean()),
});

test('items with a key in common run in their order, and no slot is left idle', async () => {
	await fc.assert(
		fc.asyncProperty(runs, async ({ keys, concurrency, choices, failures }) => {
			const { open, results, end, settle, log } = itemsByHand(keys.length, concurrency, keys);
			const done = new Set<number>();
			const mayBegin = (item: number) =>
				keys.every((others, earlier) => {
					const isShared = others.some((key) => keys[item]?.includes(key));
					return earlier >= item || done.has(earlier) || !isShared;
				});
			await settle();
			while (done.size < keys.length) {
				const running = [...open.keys()];
				expect(running.every(mayBegin)).toBe(true);
				const waiting = keys.map((_, item) => item).filter((item) => !done.has(item));
				expect(running).toHaveLength(Math.min(concurrency, waiting.filter(mayBegin).length));
				const chosen = running[(choices.next().value ?? 0) % running.length] ?? -1;
				done.add(chosen);
				await end(chosen, failures.next().value);
			}
			expect(await results).toHaveLength(keys.length);
			expect(log.filter(({ what }) => what === 'begins')).toHaveLength(keys.length);
		}),
		{ numRuns: repetitions(200) },
	);
});

test('after a failure that stops the run, items that wait do not begin', async () => {
	const { end, results, log, settle } = itemsByHand(3, 2, [['a'], ['a'], []], () => true);
	await settle();
	await end(0, true);
	await end(2);
	expect(await results).toEqual([{ error: new Error('item 0') }, undefined, { value: 2 }]);
	expect(log.some(({ item }) => item === 1)).toBe(false);
});

test('many items on one record take no more than their share of time', async () => {
	const count = 20_000;
	const loop = {
		count,
		concurrency: 50,
		requests,
		slice,
		keys: () => ['one'],
		stopsOnFailure: () => false,
	};
	expect(await runItems(loop, (item) => item)).toHaveLength(count);
});

test('the more requests are under way, the more items are at work, 50 of them ready to send', async () => {
	const session = { inFlight: 0, onRequest: undefined as (() => void) | undefined };
	let begun = 0;
	const loop = {
		count: 1000,
		concurrency: 300,
		requests: session,
		slice,
		stopsOnFailure: () => false,
	};
	void runItems(loop, async () => {
		begun++;
		await new Promise(() => undefined);
	});
	expect(begun).toBe(50);
	for (let sent = 0; sent < 120; sent++) {
		session.inFlight++;
		session.onRequest?.();
	}
	expect(begun).toBe(170);
	session.inFlight = 1000;
	session.onRequest?.();
	expect(begun).toBe(300);
});
