import { CallCancelled } from '../../../nodes/shared/transport/cancellation';
import { ConcurrencyLimiter } from '../../../nodes/shared/transport/concurrencyLimiter';
import type { Permit } from '../../../nodes/shared/transport/permitQueue';
import { HandDrivenClock, settle } from './handDrivenClock';

/** Asks for `count` turns; gives those that were given so far, and the order. */
function ask(limiter: ConcurrencyLimiter, count: number) {
	const turns: Permit[] = [];
	const order: number[] = [];
	for (let call = 0; call < count; call++) {
		void limiter.acquire().then((permit) => {
			turns.push(permit);
			order.push(call);
		});
	}
	return { turns, order };
}

test('no more calls run at the same time than allowed, and each end lets the next one begin', async () => {
	const { turns, order } = ask(new ConcurrencyLimiter(new HandDrivenClock(), 3), 10);
	await settle();
	expect(turns).toHaveLength(3);
	for (let ended = 0; ended < 7; ended++) {
		turns[ended]?.release(ended % 2 === 0 ? 'completed' : 'noResponse');
		await settle();
		expect(turns).toHaveLength(4 + ended);
	}
	expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a rejection pauses all calls for as long as the response says', async () => {
	const clock = new HandDrivenClock();
	const { turns } = ask(new ConcurrencyLimiter(clock, 2), 4);
	await settle();
	turns[0]?.release({ rejectedForMs: 3000 });
	turns[1]?.release('completed');
	await clock.advance(2999);
	expect(turns).toHaveLength(2);
	await clock.advance(1);
	expect(turns).toHaveLength(4);
});

test('a cancelled call leaves the queue and takes no place', async () => {
	const limiter = new ConcurrencyLimiter(new HandDrivenClock(), 1);
	const cancel = new AbortController();
	const first = await limiter.acquire();
	const cancelled = limiter.acquire(cancel.signal);
	const { turns } = ask(limiter, 1);
	cancel.abort();
	await expect(cancelled).rejects.toBeInstanceOf(CallCancelled);
	first.release('completed');
	await settle();
	expect(turns).toHaveLength(1);
});

test('a raised limit lets waiting calls begin', async () => {
	const limiter = new ConcurrencyLimiter(new HandDrivenClock(), 1);
	const { turns } = ask(limiter, 5);
	await settle();
	limiter.setLimit(4);
	await settle();
	expect(turns).toHaveLength(4);
});
