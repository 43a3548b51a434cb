import { getEventListeners } from 'node:events';

import * as fc from 'fast-check';

import { CallCancelled } from '../../../nodes/shared/transport/cancellation';
import { ConcurrencyLimiter } from '../../../nodes/shared/transport/concurrencyLimiter';
import { KeyBlocked, type Limiter } from '../../../nodes/shared/transport/permitQueue';
import { defaultPace } from '../../../nodes/shared/transport/pace';
import { RateLimiter } from '../../../nodes/shared/transport/rateLimiter';
import { repetitions } from '../../support/randomCases';
import { HandDrivenClock } from './handDrivenClock';

/** Every rate of service.md 8.2 and 8.3. */
const TIER_RATES = [2, 3, 4, 5, 10, 15, 50, 200];

const half = () => 0.5;

/** The service rejects a call of an otherwise idle limiter for its rate. */
async function reject(
	clock: HandDrivenClock,
	limiter: RateLimiter,
	retryAfterMs = 0,
): Promise<void> {
	const permit = await clock.runUntil(limiter.acquire());
	permit.release({ rejectedForMs: retryAfterMs });
}

/** The most entries of `times` (ascending) in any half-open window of one second. */
function mostInOneSecond(times: number[]): number {
	let most = 0;
	let first = 0;
	times.forEach((time, index) => {
		while (time - (times[first] ?? time) >= 1000) first++;
		most = Math.max(most, index - first + 1);
	});
	return most;
}

/** At how many different times of a second after the first start calls start. */
function momentsIn(starts: number[], second: number): number {
	const [first = 0] = starts;
	return new Set(starts.filter((start) => Math.floor((start - first) / 1000) === second)).size;
}

function repeating(values: number[]): () => number {
	let next = 0;
	return () => values[next++ % values.length] ?? 0;
}

/** Keeps the limiter busy for `ms` milliseconds; gives the times of the starts. */
async function recordStarts(
	clock: HandDrivenClock,
	limiter: RateLimiter,
	ms: number,
): Promise<number[]> {
	const starts: number[] = [];
	const end = new AbortController();
	const caller = async (): Promise<void> => {
		while (!end.signal.aborted) {
			const permit = await limiter.acquire(end.signal);
			starts.push(clock.now());
			permit.release('completed');
		}
	};
	const callers = Array.from({ length: 20 }, caller);
	await clock.advance(ms);
	end.abort();
	await Promise.allSettled(callers);
	return starts;
}

describe('a key that the service rejects all the time', () => {
	/** Calls that are retried after each rejection, until they end. */
	async function rejectAll(
		clock: HandDrivenClock,
		limiter: Limiter,
		calls: number,
		{ rejectedForMs = 0, minutes = 32 } = {},
	) {
		const endings: unknown[] = [];
		const call = async () => {
			for (;;) {
				const permit = await limiter.acquire();
				await clock.sleep(50);
				permit.release({ rejectedForMs });
				await clock.sleep(500);
			}
		};
		for (let count = 0; count < calls; count++)
			void call().catch((error: unknown) => endings.push(error));
		await clock.advance(29 * 60_000);
		expect(endings).toEqual([]);
		await clock.advance((minutes - 29) * 60_000);
		return endings;
	}

	test.each([
		[1, 0],
		[50, 0],
		[4, 30],
		[50, 30],
	])(
		'is waited for half an hour, at %d per second and told to wait %d ms',
		async (limit, rejectedForMs) => {
			const clock = new HandDrivenClock();
			const limiter = new RateLimiter(clock, limit, half);
			const endings = await rejectAll(clock, limiter, 40, { rejectedForMs });
			expect(endings).toHaveLength(40);
			expect(endings.every((error) => error instanceof KeyBlocked)).toBe(true);
			expect(limiter.waiting).toBe(0);
		},
	);

	test('is not waited for much longer at a rate that tries it rarely', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 0.1, half);
		await rejectAll(clock, limiter, 5, { minutes: 75 });
		expect(await rejectAll(clock, limiter, 5, { minutes: 60 })).toHaveLength(5);
	});

	test('is waited for half an hour where only requests at a time are limited', async () => {
		const clock = new HandDrivenClock();
		const limiter = new ConcurrencyLimiter(clock, 5);
		const endings = await rejectAll(clock, limiter, 3);
		expect(endings).toHaveLength(3);
		expect(endings.every((error) => error instanceof KeyBlocked)).toBe(true);
	});

	test('is not waited for if the service names a longer wait than any call has', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 50, half);
		const permit = await clock.runUntil(limiter.acquire());
		const waiting = Promise.allSettled(Array.from({ length: 300 }, () => limiter.acquire()));
		permit.release({ rejectedForMs: 0, blocksKey: true });
		const ends = await clock.runUntil(waiting);
		expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(250);
		await clock.advance(60_000);
		(await clock.runUntil(limiter.acquire())).release('completed');
	});

	test('is tried again a minute later', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 5, half);
		await rejectAll(clock, limiter, 3);
		await clock.advance(60_000);
		(await clock.runUntil(limiter.acquire())).release('completed');
		(await clock.runUntil(limiter.acquire())).release('completed');
	});

	test('is waited for if the service names times', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 5, half);
		for (let minute = 0; minute < 60; minute++) await reject(clock, limiter, 60_000);
		(await clock.runUntil(limiter.acquire())).release('completed');
	});

	test('is no key that was rejected once, long before', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 5, half);
		await reject(clock, limiter);
		await clock.advance(3_600_000);
		await reject(clock, limiter);
		(await clock.runUntil(limiter.acquire())).release('completed');
	});
});

describe('the pace', () => {
	test('counts a call that arrived late where it arrived, also the very first', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 4, half);
		const starts: number[] = [];
		for (const responseTime of [100, 60, 60, 60, 60]) {
			const permit = await clock.runUntil(limiter.acquire());
			starts.push(clock.now());
			await clock.advance(responseTime);
			permit.release('completed');
		}
		// It was 35 ms slower than the usual 65 ms by then.
		expect(starts[4]).toBeGreaterThanOrEqual(1035);
	});

	test('starts only a few of the calls that are due in one turn of the event loop', async () => {
		const clock = new HandDrivenClock(() => 10);
		const limiter = new RateLimiter(clock, 20_000, half);
		const times: number[] = [];
		const started = Array.from({ length: 100 }, async () => {
			await limiter.acquire();
			times.push(clock.now());
		});
		await clock.runUntil(Promise.all(started));
		const startsAt = (time: number) => times.filter((other) => other === time).length;
		expect(Math.max(...times.map(startsAt))).toBe(8);
	});

	test('starts the calls of a window in groups, without a loss of pace', async () => {
		const clock = new HandDrivenClock(() => 1);
		const limiter = new RateLimiter(clock, 200, half);
		const starts = await recordStarts(clock, limiter, 10_000);
		expect(starts.length).toBeGreaterThan(0.99 * 2000);
		const { groups } = defaultPace;
		// In the first second it is unknown whether others use the key.
		expect(momentsIn(starts, 0)).toBeGreaterThan(0.9 * 200);
		for (let second = 1; second < 10; second++)
			expect(momentsIn(starts, second)).toBeLessThanOrEqual(groups + 1);

		await reject(clock, limiter);
		const restarted = await recordStarts(clock, limiter, 4000);
		expect(momentsIn(restarted, 0)).toBeGreaterThan(0.9 * 200);
		expect(momentsIn(restarted, 3)).toBeLessThanOrEqual(groups + 1);
	});

	test('starts each call on its own while responses take as long as the window', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 200, half);
		const starts: number[] = [];
		for (let call = 0; call < 900; call++) {
			void limiter.acquire().then((permit) => {
				starts.push(clock.now());
				void clock.sleep(1000).then(() => permit.release('completed'));
			});
		}
		await clock.advance(4400);
		expect(starts.length).toBeGreaterThan(850);
		expect(new Set(starts).size).toBe(starts.length);
	});

	test('starts each call on its own while others use the key', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 200, half);
		await recordStarts(clock, limiter, 600);
		await reject(clock, limiter);
		await recordStarts(clock, limiter, 1000);
		const starts = await recordStarts(clock, limiter, 900);
		expect(limiter.rate).toBeLessThan(200);
		expect(starts.length).toBeGreaterThan(10);
		expect(new Set(starts).size).toBe(starts.length);
	});

	/** Its last call comes when calls of a group have left the window, but the delay of groups has not passed. */
	const LATE_BURST: [number, Array<{ pause: number; calls: number }>, number[], number[]] = [
		50,
		[
			{ pause: 0, calls: 51 },
			{ pause: 1037, calls: 32 },
			{ pause: 2, calls: 56 },
			{ pause: 527, calls: 12 },
			{ pause: 1496, calls: 1 },
			{ pause: 0, calls: 1 },
		],
		[0],
		[0, 0, 0, 4, 0, 0, 0, 0, 0],
	];

	test('no window of one second holds more calls than the limit, at any tier, with late timers and an uneven network', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...TIER_RATES),
				fc.array(
					fc.record({ pause: fc.nat({ max: 1500 }), calls: fc.integer({ min: 1, max: 60 }) }),
					{
						minLength: 1,
						maxLength: 8,
					},
				),
				fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { minLength: 1, maxLength: 50 }),
				fc.array(fc.double({ min: 0, max: 4.99, noNaN: true }), { minLength: 1, maxLength: 50 }),
				async (limit, arrivals, lateness, delays) => {
					const clock = new HandDrivenClock(repeating(lateness));
					const limiter = new RateLimiter(clock, limit, half);
					const networkDelay = repeating(delays);
					const arrivedAtService: number[] = [];
					const calls: Array<Promise<void>> = [];
					for (const { pause, calls: count } of arrivals) {
						await clock.advance(pause);
						for (let call = 0; call < count; call++) {
							calls.push(
								limiter.acquire().then((permit) => {
									arrivedAtService.push(clock.now() + networkDelay());
									permit.release('completed');
								}),
							);
						}
					}
					await clock.runUntil(Promise.all(calls));
					expect(arrivedAtService).toHaveLength(calls.length);
					expect(mostInOneSecond(arrivedAtService.sort((a, b) => a - b))).toBeLessThanOrEqual(
						limit,
					);
				},
			),
			{ numRuns: repetitions(60), examples: [LATE_BURST] },
		);
	});

	test('rejections and the waits they name change neither: every call gets its permit, and the accepted ones keep the limit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...TIER_RATES),
				fc.array(fc.option(fc.nat({ max: 400 }), { freq: 8 }), { minLength: 10, maxLength: 150 }),
				fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { minLength: 1, maxLength: 50 }),
				fc.array(fc.double({ min: 0, max: 120, noNaN: true }), { minLength: 1, maxLength: 50 }),
				async (limit, waits, lateness, responseTimes) => {
					const clock = new HandDrivenClock(repeating(lateness));
					const limiter = new RateLimiter(clock, limit, half);
					const responseTime = repeating(responseTimes);
					const accepted: number[] = [];
					const calls = waits.map(async (wait) => {
						const permit = await limiter.acquire();
						if (wait === null) accepted.push(clock.now());
						await clock.sleep(responseTime());
						permit.release(wait === null ? 'completed' : { rejectedForMs: wait });
					});
					await clock.runUntil(Promise.all(calls));
					expect(limiter.waiting).toBe(0);
					expect(mostInOneSecond(accepted)).toBeLessThanOrEqual(limit);
				},
			),
			{ numRuns: repetitions(60) },
		);
	});

	test('a fraction of a tier never puts more than the next whole number into one second', async () => {
		await fc.assert(
			fc.asyncProperty(fc.double({ min: 0.1, max: 20, noNaN: true }), async (limit) => {
				const clock = new HandDrivenClock(repeating([0, 40, 3]));
				const starts = await recordStarts(clock, new RateLimiter(clock, limit, half), 5000);
				expect(mostInOneSecond(starts)).toBeLessThanOrEqual(Math.ceil(limit));
			}),
			{ numRuns: repetitions(40) },
		);
	});

	const timers: Array<[string, number[]]> = [
		['wake on time', [0]],
		['wake 1 to 2 ms late', [1, 2, 1.4]],
	];
	describe.each(timers)('when timers %s', (_, lateness) => {
		test.each([0.1, 0.5, 1.5, 3.6, ...TIER_RATES])(
			'a saturated limit of %d per second is used to 98 percent',
			async (limit) => {
				const clock = new HandDrivenClock(repeating(lateness));
				const seconds = limit < 1 ? 300 : 30;
				const starts = await recordStarts(
					clock,
					new RateLimiter(clock, limit, half),
					seconds * 1000,
				);
				expect(starts.length).toBeGreaterThanOrEqual(Math.floor(seconds * limit * 0.98));
			},
		);
	});

	test('a limit below one call per second keeps its distance between calls', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 0.25, half);
		const starts = await recordStarts(clock, limiter, 20_000);
		const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3990);
	});

	test('a call that finds the limiter idle starts at once', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 2, half);
		await limiter.acquire();
		await clock.advance(5000);
		await limiter.acquire();
		expect(clock.now()).toBe(5000);
	});
});

describe('the queue', () => {
	test('calls start in the order they asked', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 10, half);
		const started: number[] = [];
		const calls = Array.from({ length: 30 }, (_, call) =>
			limiter.acquire().then((permit) => {
				started.push(call);
				permit.release('completed');
			}),
		);
		await clock.runUntil(Promise.all(calls));
		expect(started).toEqual(Array.from({ length: 30 }, (_, call) => call));
	});

	test('the first ten calls of a run go ahead, then runs take turns, however many calls each has waiting', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 10, half);
		const started: string[] = [];
		const ask = (run: string, calls: number) => {
			const { signal } = new AbortController();
			return Array.from({ length: calls }, async () => {
				const permit = await limiter.acquire(signal);
				started.push(run);
				permit.release('completed');
			});
		};
		const large = ask('L', 40);
		await clock.advance(2000);
		const before = started.length;
		expect(before).toBeGreaterThan(10);
		const others = [...ask('s', 12), ...ask('t', 1)];
		await clock.runUntil(Promise.all([...large, ...others]));
		expect(started.slice(before, before + 15).join('')).toBe('stsssssssssLsLs');
	});

	test('a run goes on however many new runs arrive', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 10, half);
		const { signal } = new AbortController();
		let started = 0;
		const call = async (run: AbortSignal) => {
			const permit = await limiter.acquire(run);
			permit.release('completed');
			if (run === signal) started++;
		};
		for (let calls = 0; calls < 100; calls++) void call(signal);
		await clock.advance(3000);
		const before = started;
		for (let second = 0; second < 30; second++) {
			for (let runs = 0; runs < 12; runs++) void call(new AbortController().signal);
			await clock.advance(1000);
		}
		expect(started - before).toBeGreaterThanOrEqual(10);
	});

	test('a cancelled call leaves at once and its slot goes to the next one', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 2, half);
		const cancel = new AbortController();
		await limiter.acquire();
		const cancelled = limiter.acquire(cancel.signal);
		let startedAt = Number.NaN;
		const next = limiter.acquire().then(() => {
			startedAt = clock.now();
		});
		expect(limiter.waiting).toBe(2);

		cancel.abort();
		await expect(cancelled).rejects.toBeInstanceOf(CallCancelled);
		expect(clock.now()).toBe(0);
		expect(limiter.waiting).toBe(1);
		await clock.runUntil(next);
		expect(startedAt).toBeLessThan(600);
	});

	test('a call of a cancelled execution does not even queue', async () => {
		const limiter = new RateLimiter(new HandDrivenClock(), 2, half);
		await expect(limiter.acquire(AbortSignal.abort())).rejects.toBeInstanceOf(CallCancelled);
		expect(limiter.waiting).toBe(0);
	});

	test('hundreds of waiting calls do not look like a leak of listeners on the execution', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 200, half);
		const { signal } = new AbortController();
		const calls = Array.from({ length: 300 }, async () => await limiter.acquire(signal));
		// From the eleventh on Node warns of a leak.
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await clock.runUntil(Promise.all(calls));
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	});
});

describe('a rejection by the service', () => {
	test('holds the queue back for as long as the response says', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 50, half);
		await reject(clock, limiter, 3000);
		await clock.runUntil(limiter.acquire());
		expect(clock.now()).toBeGreaterThanOrEqual(3000);
		expect(clock.now()).toBeLessThan(3050);
	});

	test('a later, shorter wait does not end an earlier, longer one', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 50, half);
		const first = await limiter.acquire();
		const second = await clock.runUntil(limiter.acquire());
		first.release({ rejectedForMs: 3000 });
		second.release({ rejectedForMs: 10 });
		await clock.runUntil(limiter.acquire());
		expect(clock.now()).toBeGreaterThanOrEqual(3000);
	});

	test('lets every process go on at a moment of its own', async () => {
		const wakings = [0, 0.25, 0.5, 0.99].map(async (share) => {
			const clock = new HandDrivenClock();
			const limiter = new RateLimiter(clock, 10, () => share);
			await reject(clock, limiter, 1000);
			await clock.runUntil(limiter.acquire());
			return clock.now();
		});
		const times = await Promise.all(wakings);
		expect(new Set(times).size).toBe(times.length);
		expect(Math.min(...times)).toBeGreaterThanOrEqual(1000);
	});

	test.each(TIER_RATES)('leaves of %d per second what the service accepted', async (limit) => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, limit, half);
		// The rejected call is the last of its group.
		const group = Math.ceil(limit / 50);
		const accepted = group * Math.ceil(limit / 4 / group) + group - 1;
		for (let call = 0; call < accepted; call++) {
			const permit = await clock.runUntil(limiter.acquire());
			permit.release('completed');
		}
		const rejected = await clock.runUntil(limiter.acquire());
		const waiting = limiter.acquire();
		rejected.release({ rejectedForMs: 0 });
		expect(limiter.rate).toBe(accepted);
		await clock.runUntil(waiting);
	});

	test('out of a long quiet changes nothing, but a second one does', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 15, half);
		await recordStarts(clock, limiter, 20_000);
		await reject(clock, limiter);
		expect(limiter.rate).toBe(15);
		await reject(clock, limiter);
		expect(limiter.rate).toBeLessThan(15);
	});

	test('one of many calls on their way says nothing that the first did not', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 200, half);
		const turns = [];
		for (let call = 0; call < 20; call++) turns.push(await clock.runUntil(limiter.acquire()));
		for (const permit of turns) permit.release({ rejectedForMs: 0 });
		expect(limiter.rate).toBe(100);
	});

	test('a storm of rejections leaves single calls that find their way back', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 15, half);
		for (let rejection = 0; rejection < 20; rejection++) await reject(clock, limiter);
		expect(limiter.rate).toBe(0);
		await recordStarts(clock, limiter, 200_000);
		expect(limiter.rate).toBe(15);
	});

	test('a call without a response does not end the probing', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 4, half);
		for (let rejection = 0; rejection < 5; rejection++) await reject(clock, limiter);
		(await clock.runUntil(limiter.acquire())).release('noResponse');
		(await clock.runUntil(limiter.acquire())).release('completed');
		expect(limiter.rate).toBe(1);
	});
});

describe('a changed limit', () => {
	test('takes over the pace of the calls that wait already', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 0.1, half);
		await limiter.acquire();
		const waiting = limiter.acquire();
		await clock.advance(2000);
		limiter.setLimit(100);
		await clock.runUntil(waiting);
		expect(clock.now()).toBeLessThan(2500);
	});

	test('keeps the share by which the rate is lowered', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 100, half);
		await reject(clock, limiter);
		limiter.setLimit(10);
		expect(limiter.rate).toBe(5);
	});

	test('a lowered limit is kept in the very next window', async () => {
		const clock = new HandDrivenClock();
		const limiter = new RateLimiter(clock, 50, half);
		await recordStarts(clock, limiter, 3000);
		limiter.setLimit(3);
		const starts = await recordStarts(clock, limiter, 5000);
		expect(mostInOneSecond(starts)).toBeLessThanOrEqual(3);
	});
});
