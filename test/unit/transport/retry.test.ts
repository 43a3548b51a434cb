import * as fc from 'fast-check';

import {
	type AttemptOutcome,
	backOff,
	decideRetry,
	LONGEST_NAMED_WAIT_MS,
	MOST_RATE_RETRIES,
	MOST_RETRIES,
	namedWait,
	type RetryClass,
} from '../../../nodes/shared/transport/retry';

const NO_RETRIES = { rateRetries: 0, waitedMs: 0, retries: 0 };
const respondedWith = (status: number): AttemptOutcome => ({ kind: 'responded', status });

type Row = [
	what: string,
	outcome: AttemptOutcome,
	retryClass: RetryClass,
	expected: {
		/** Sent again under the default policy, and with `replayUnknownOutcome`. */
		retry: boolean;
		retryForced: boolean;
		/** What the error says once no retry is left. */
		outcomeUnknown: boolean;
		replayable: boolean;
	},
];

const rejected = { retry: true, retryForced: true, outcomeUnknown: false, replayable: true };
const unknownRead = { retry: true, retryForced: true, outcomeUnknown: false, replayable: true };
const unknownSafe = { retry: true, retryForced: true, outcomeUnknown: true, replayable: true };
const unknownUnsafe = {
	retry: false,
	retryForced: true,
	outcomeUnknown: true,
	replayable: false,
};
const final = { retry: false, retryForced: false, outcomeUnknown: false, replayable: false };

function forEveryClass(
	what: string,
	outcome: AttemptOutcome,
	expected: [read: Row[3], safe: Row[3], unsafe: Row[3]],
): Row[] {
	const classes: RetryClass[] = ['read', 'safe', 'unsafe'];
	return classes.map((retryClass, index) => [what, outcome, retryClass, expected[index] ?? final]);
}

const matrix: Row[] = [
	...forEveryClass('a 429', respondedWith(429), [rejected, rejected, rejected]),
	...forEveryClass('a 503', respondedWith(503), [rejected, rejected, rejected]),
	...forEveryClass('a refused connection', { kind: 'notSent' }, [rejected, rejected, rejected]),
	...forEveryClass('a time-out or a lost connection', { kind: 'timeout' }, [
		unknownRead,
		unknownSafe,
		unknownUnsafe,
	]),
	...[408, 500, 502, 504, 520].flatMap((status) =>
		forEveryClass(`a ${status}`, respondedWith(status), [unknownRead, unknownSafe, unknownUnsafe]),
	),
	...forEveryClass('a response too large to read', { kind: 'oversized' }, [
		{ ...unknownRead, retry: false, retryForced: false },
		{ ...unknownSafe, retry: false, retryForced: false },
		{ ...unknownUnsafe, retryForced: false },
	]),
	...[400, 401, 403, 404, 405, 409, 422].flatMap((status) =>
		forEveryClass(`a ${status}`, respondedWith(status), [final, final, final]),
	),
];

describe.each(matrix)('after %s (%j) a call of class %s', (_, outcome, retryClass, expected) => {
	const decide = (replayUnknownOutcome = false, counts = NO_RETRIES) =>
		decideRetry(outcome, retryClass, replayUnknownOutcome, counts, 0.5);
	const end = {
		verdict: expect.any(String) as string,
		outcomeUnknown: expected.outcomeUnknown,
		replayable: expected.replayable,
	};

	test(expected.retry ? 'is sent again' : 'is not sent again', () => {
		expect(decide().retry !== undefined).toBe(expected.retry);
	});

	test(`is ${expected.retryForced ? '' : 'not '}sent again where duplicates do no harm`, () => {
		expect(decide(true).retry !== undefined).toBe(expected.retryForced);
	});

	test('ends once the retries are used up, and says what is known of it', () => {
		const usedUp = { ...NO_RETRIES, retries: MOST_RETRIES };
		expect(decide(false, usedUp)).toEqual(end);
	});
});

describe('a wait named by the service', () => {
	const named = (retryAfterMs: number): AttemptOutcome => ({
		kind: 'responded',
		status: 429,
		retryAfterMs,
	});

	test('is kept, with a little jitter that is never longer than the wait itself', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: LONGEST_NAMED_WAIT_MS }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(wait, random) => {
					const { retry } = decideRetry(named(wait), 'unsafe', false, NO_RETRIES, random);
					expect(retry).toMatchObject({
						counts: { rateRetries: 1, waitedMs: wait, retries: 0 },
					});
					const delay = retry?.delayMs ?? Number.NaN;
					expect(delay).toBeGreaterThanOrEqual(wait);
					expect(delay).toBeLessThanOrEqual(Math.min(2 * wait, wait + 50));
				},
			),
		);
	});

	test('that is longer than anybody waits ends the call, which can be made again later', () => {
		const wait = named(LONGEST_NAMED_WAIT_MS + 1);
		expect(decideRetry(wait, 'unsafe', false, NO_RETRIES, 0)).toEqual({
			verdict: 'rejected',
			outcomeUnknown: false,
			replayable: true,
		});
	});

	test('ends after the allowed number of rejections', () => {
		const counts = { ...NO_RETRIES, rateRetries: MOST_RATE_RETRIES };
		expect(decideRetry(named(30), 'read', false, counts, 0).retry).toBeUndefined();
	});

	test('of no time at all is replaced by back-off', () => {
		expect(decideRetry(named(0), 'read', false, NO_RETRIES, 0).retry).toEqual({
			delayMs: 175,
			counts: { rateRetries: 0, waitedMs: 0, retries: 1 },
		});
	});
});

describe('back-off', () => {
	test('doubles from 350 ms up to 20 s, and jitter shortens it by half at most', () => {
		const full = [350, 700, 1400, 2800, 5600, 11_200, 20_000, 20_000];
		expect(full.map((_, retries) => backOff(retries, 1))).toEqual(full);
		expect(full.map((_, retries) => backOff(retries, 0))).toEqual(full.map((delay) => delay / 2));
	});
});

describe('the wait a response names', () => {
	const now = Date.parse('2026-03-01T12:00:00Z');
	const headersOf = (retryAfter: string | undefined): Record<string, string> =>
		retryAfter === undefined ? {} : { 'retry-after': retryAfter };

	test.each<[string, string | undefined, string, number | undefined]>([
		[
			'the sentence of the service in milliseconds',
			undefined,
			'{"errors":[{"code":"429","text":"Rate limit exceeded. Try again in 30 ms."}]}',
			30,
		],
		['a sentence in seconds', undefined, 'Try again in 2 seconds.', 2000],
		['the sentence before the header', '5', 'Try again in 30 ms.', 30],
		['Retry-After in seconds', '3', '', 3000],
		['Retry-After as a date', 'Sun, 01 Mar 2026 12:00:09 GMT', '', 9000],
		['Retry-After as a date that has passed', 'Sun, 01 Mar 2026 11:00:00 GMT', '', 0],
		['nothing', undefined, '', undefined],
		['an empty header', '', '', undefined],
		['a sentence without a number', undefined, 'Try again in a while.', undefined],
		['a number of minutes', undefined, 'Try again in 5 minutes.', 300_000],
		['a number with a comma', undefined, 'Try again in 1,500 ms.', 1500],
		['seconds with their unit', '30s', '', 30_000],
		['a web page', undefined, '<html><body>Too many requests</body></html>', undefined],
	])('%s', (_, header, body, expected) => {
		expect(namedWait(headersOf(header), body, now)).toBe(expected);
	});

	test('is never negative and never not a number, whatever the response says', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (header, body) => {
				const wait = namedWait(headersOf(header), body, now) ?? 0;
				expect(wait).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

describe('Retry-After as a date', () => {
	const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
	const later = 'Sun, 01 Mar 2026 12:00:09 GMT';
	const headers = { date, 'retry-after': later };

	test.each([-3_600_000, 0, 3_600_000])(
		'is measured by the clock of the service if that of n8n is %d ms off',
		(off) => {
			expect(namedWait(headers, '', Date.parse(date) + off)).toBe(9000);
		},
	);

	test.each<Record<string, string>>([{}, { date: 'today' }])(
		'is measured by the clock of n8n for the date %j',
		(date) => {
			const now = Date.parse('2026-03-01T12:00:00Z');
			expect(namedWait({ ...date, 'retry-after': later }, '', now)).toBe(9000);
		},
	);
});

test('named waits may add up to half an hour, and not to a millisecond more', () => {
	const after = (waitedMs: number) =>
		decideRetry(
			{ kind: 'responded', status: 429, retryAfterMs: 1000 },
			'read',
			false,
			{ rateRetries: 1, waitedMs, retries: 0 },
			0,
		).retry !== undefined;
	expect([after(1_799_000), after(1_799_001)]).toEqual([true, false]);
});
