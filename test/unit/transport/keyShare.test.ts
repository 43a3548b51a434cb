import { KeyShare, type StartedCall } from '../../../nodes/shared/transport/keyShare';
import { defaultPace } from '../../../nodes/shared/transport/pace';
import { HandDrivenClock } from './handDrivenClock';

const LIMIT = 200;
const HOLD_MS = (defaultPace.holdCalls / LIMIT) * 1000;

const started = (startedAt: number): StartedCall => ({
	startedAt,
	isProbe: false,
	isRejected: false,
	latency: undefined,
});

/** A share of `accepted` calls per second, after a rejection at the clock's time. */
function rejectedShare(clock: HandDrivenClock, accepted: number): KeyShare {
	const share = new KeyShare(clock, LIMIT, () => 0.5, defaultPace);
	reject(share, clock, accepted);
	return share;
}

function reject(
	share: KeyShare,
	clock: HandDrivenClock,
	acceptedBefore: number,
	retryAfterMs = 0,
): void {
	const now = clock.now();
	const rejection = { acceptedBefore, hasMore: true, resumesAt: now + retryAfterMs };
	share.noteRejected(started(now), rejection);
}

/** Starts the calls of a try, without their responses. */
function start(share: KeyShare, clock: HandDrivenClock, count: number): StartedCall[] {
	const calls = Array.from({ length: count }, () => started(clock.now()));
	for (const call of calls) share.noteStarted(call);
	return calls;
}

test('a share tries for more, twice as many after each response', async () => {
	const clock = new HandDrivenClock();
	const share = rejectedShare(clock, 20);
	await clock.advance(60_000);
	const rates = [share.rate];
	const tried: number[] = [];
	while (!share.isWhole) {
		const more = share.tryForMore();
		tried.push(more);
		rates.push(share.rate);
		const calls = start(share, clock, more);
		expect(share.tryForMore()).toBe(0);
		for (const call of calls) call.latency = 100;
	}
	expect(tried).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128]);
	expect(rates).toEqual([20, 21, 22, 24, 28, 36, 52, 84, 148, LIMIT]);
	expect(share.tryForMore()).toBe(0);
});

test('a slow response holds the next try back for a limited time', async () => {
	const clock = new HandDrivenClock();
	const share = rejectedShare(clock, 20);
	await clock.advance(60_000);
	start(share, clock, share.tryForMore());
	await clock.advance(defaultPace.longestTryMs - 1);
	expect(share.tryForMore()).toBe(0);
	await clock.advance(1);
	expect(share.tryForMore()).toBe(1);
});

test('a try is over only when its calls were started', async () => {
	const clock = new HandDrivenClock();
	const share = rejectedShare(clock, 20);
	await clock.advance(60_000);
	expect(share.tryForMore()).toBe(1);
	await clock.advance(60_000);
	expect(share.tryForMore()).toBe(0);
});

test('a rejection ends the tries and leaves what the service accepted', async () => {
	const clock = new HandDrivenClock();
	const share = rejectedShare(clock, 20);
	await clock.advance(60_000);
	for (const call of start(share, clock, share.tryForMore())) call.latency = 100;
	start(share, clock, share.tryForMore());
	await clock.advance(1);
	reject(share, clock, 21);
	expect(share.rate).toBe(21);
	expect(share.tryForMore()).toBe(0);
});

test.each([40, 100])(
	'%d of 200 wait in proportion, once the key was shared for long',
	async (quota) => {
		const clock = new HandDrivenClock();
		const share = rejectedShare(clock, quota);
		await clock.advance(defaultPace.patientAfterMs + 1);
		reject(share, clock, quota);
		await clock.advance(HOLD_MS + defaultPace.patienceMs * (quota / LIMIT) - 1);
		expect(share.tryForMore()).toBe(0);
		await clock.advance(1);
		expect(share.tryForMore()).toBe(1);
	},
);

test('who had the whole limit a moment ago tries sooner', async () => {
	const clock = new HandDrivenClock();
	const share = new KeyShare(clock, LIMIT, () => 0.5, defaultPace);
	await clock.advance(60_000);
	reject(share, clock, 100);
	await clock.advance(1);
	reject(share, clock, 100);
	expect(share.rate).toBe(100);
	await clock.advance(HOLD_MS - 1);
	expect(share.tryForMore()).toBe(0);
	await clock.advance(1);
	expect(share.tryForMore()).toBe(1);
});

describe('who has just joined others', () => {
	const newForMs = (defaultPace.newCalls / LIMIT) * 1000;
	const newHoldMs = (defaultPace.newHoldCalls / LIMIT) * 1000;

	async function holdOf(share: KeyShare, clock: HandDrivenClock): Promise<number> {
		const from = clock.now();
		while (share.tryForMore() === 0) await clock.advance(1);
		return clock.now() - from;
	}

	test('tries sooner, for a limited time', async () => {
		const clock = new HandDrivenClock();
		const share = rejectedShare(clock, 99);
		expect(await holdOf(share, clock)).toBe(newHoldMs);
		reject(share, clock, 99);
		expect(await holdOf(share, clock)).toBe(newHoldMs);
		await clock.advance(newForMs);
		reject(share, clock, 99);
		expect(await holdOf(share, clock)).toBe(HOLD_MS);
	});

	test('is not who called much before', async () => {
		const clock = new HandDrivenClock();
		expect(await holdOf(rejectedShare(clock, 100), clock)).toBe(HOLD_MS);
	});

	test('is no one when all began together and the service names a long wait', async () => {
		const clock = new HandDrivenClock();
		const longWaitMs = (defaultPace.firstHoldCalls / LIMIT) * 1000;
		const share = new KeyShare(clock, LIMIT, () => 0.5, defaultPace);
		reject(share, clock, 25, longWaitMs + 1);
		expect(await holdOf(share, clock)).toBe(longWaitMs + 1 + HOLD_MS);
		const other = new KeyShare(clock, LIMIT, () => 0.5, defaultPace);
		reject(other, clock, 25, longWaitMs);
		expect(await holdOf(other, clock)).toBe(longWaitMs + newHoldMs);
	});

	test('probes more often', async () => {
		const clock = new HandDrivenClock();
		const share = rejectedShare(clock, 0);
		expect(share.rate).toBe(0);
		expect(share.probeAt - clock.now()).toBe(newHoldMs);
		await clock.advance(newForMs);
		reject(share, clock, 0);
		expect(share.probeAt - clock.now()).toBeGreaterThan(newHoldMs);
	});
});
