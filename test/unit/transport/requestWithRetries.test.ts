import type { ServerResponse } from 'node:http';

import { CallCancelled } from '../../../nodes/shared/transport/cancellation';
import { RequestFailure } from '../../../nodes/shared/transport/requestFailure';
import {
	type HttpRequest,
	type Sender,
	sendRequest,
} from '../../../nodes/shared/transport/httpRequest';
import { VolumeUsedUp } from '../../../nodes/shared/transport/keyLimits';
import { KeyBlocked, type Limiter } from '../../../nodes/shared/transport/permitQueue';
import { RateLimiter } from '../../../nodes/shared/transport/rateLimiter';
import type { RetryClass } from '../../../nodes/shared/transport/retry';
import { failureError } from '../../../nodes/shared/service/callErrors';
import {
	type CallFailed,
	type CallSettings,
	CallStats,
	sendWithRetries,
} from '../../../nodes/shared/transport/requestWithRetries';
import { HandDrivenClock } from './handDrivenClock';
import { deadAddress, type SocketService, socketSender, startSocketService } from './socketService';

type Behaviour = (response: ServerResponse) => void;

const respond =
	(status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
	(response) =>
		void response.writeHead(status, headers).end(body);
const reset: Behaviour = (response) => response.socket?.resetAndDestroy();
const halfResponse: Behaviour = (response) => {
	response.writeHead(200, { 'Content-Length': '1000' });
	response.write('half', () => response.socket?.resetAndDestroy());
};
const tooManyRequests = respond(
	429,
	'{"errors":[{"code":"429","text":"Rate limit exceeded. Try again in 30 ms."}]}',
);

let service: SocketService | undefined;

afterEach(async () => {
	await service?.close();
	service = undefined;
});

/** Behaves as listed, one entry per request; the last one stays. */
async function serviceThat(...behaviours: Behaviour[]): Promise<SocketService> {
	service = await startSocketService((response, _, position) => {
		behaviours[Math.min(position, behaviours.length - 1)]?.(response);
	});
	return service;
}

function settingsOf(changes: Partial<CallSettings> = {}) {
	const clock = new HandDrivenClock();
	const settings: CallSettings = {
		limiter: new RateLimiter(clock, 50, () => 0.5),
		retryClass: 'unsafe',
		replayUnknownOutcome: false,
		clock,
		random: () => 1,
		wallClock: () => 0,
		signal: undefined,
		countRequest: () => undefined,
		stats: new CallStats(),
		...changes,
	};
	return { clock, settings };
}

const send = async (request: HttpRequest, settings: CallSettings, sender = socketSender()) =>
	await sendWithRetries(settings, async () => await sendRequest(sender, request, settings.signal));

async function call(
	url: string,
	{ sender, ...changes }: Partial<CallSettings> & { sender?: Sender } = {},
	timeoutMs = 5000,
) {
	const { clock, settings } = settingsOf(changes);
	const request = { method: 'POST', url, jsonBody: '{"n":1}', accept: '*/*', timeoutMs } as const;
	const outcome = await clock
		.runUntil(send(request, settings, sender))
		.catch((error: unknown) => error);
	return { outcome, stats: settings.stats, elapsedMs: clock.now() };
}

test('an unsafe call is not sent again when an unknown outcome follows a rejection', async () => {
	const { url, received } = await serviceThat(tooManyRequests, reset, respond(200));
	const { outcome } = await call(url);
	expect(received).toHaveLength(2);
	expect(outcome).toMatchObject({ outcomeUnknown: true, attempts: 2 });
});

describe('a call whose key is blocked', () => {
	/** Permits this many attempts, then none. */
	const blockedAfter = (attempts: number): Limiter => ({
		acquire: async () => {
			if (attempts-- > 0) return { release: () => undefined };
			throw new KeyBlocked();
		},
	});

	test('before its first attempt is not sent', async () => {
		const { url, received } = await serviceThat(respond(200));
		const { outcome } = await call(url, { limiter: blockedAfter(0) });
		expect(received).toHaveLength(0);
		expect(outcome).toMatchObject({ attempts: 0, outcomeUnknown: false, replayable: true });
		const request = { method: 'POST', path: '/codes' } as const;
		expect(failureError(outcome as CallFailed, request)).toMatchObject({
			message: expect.stringContaining('kept rejecting'),
			details: { replayable: true, outcomeUnknown: false },
		});
	});

	test('that an earlier try may have executed stays in doubt', async () => {
		const { settings } = settingsOf({ limiter: blockedAfter(0), retryClass: 'safe' });
		const outcome: unknown = await sendWithRetries(
			settings,
			async () => await Promise.reject(new Error('sent')),
			true,
		).catch((error: unknown) => error);
		const request = { method: 'PUT', path: '/codes/7' } as const;
		expect(failureError(outcome as CallFailed, request)).toMatchObject({
			message:
				'It is unknown whether the service executed PUT /codes/7: there was no usable response, and in the last attempt the service rejected all requests',
			details: { replayable: true, outcomeUnknown: true },
		});
	});

	test.each([
		[tooManyRequests, false, true],
		[reset, true, false],
	])('later ends with its last attempt', async (before, outcomeUnknown, replayable) => {
		const { url, received } = await serviceThat(before);
		const limiter = blockedAfter(1);
		const { outcome } = await call(url, { limiter, replayUnknownOutcome: true });
		expect(received).toHaveLength(1);
		expect(outcome).toMatchObject({ attempts: 1, outcomeUnknown, replayable });
	});
});

describe.each<RetryClass>(['read', 'safe'])('a %s call', (retryClass) => {
	test('is sent again after every kind of fault', async () => {
		const { url } = await serviceThat(
			reset,
			halfResponse,
			respond(500),
			respond(502),
			respond(200),
		);
		const { outcome, stats } = await call(url, { retryClass });
		expect(outcome).toMatchObject({ status: 200 });
		expect(stats).toMatchObject({ sent: 5, retried: 4, rateRejected: 0 });
	});

	test('ends after the allowed number of retries with the last response', async () => {
		const { url, received } = await serviceThat(respond(500, 'sorry'));
		const { outcome, elapsedMs } = await call(url, { retryClass });
		expect(received).toHaveLength(6);
		expect(outcome).toMatchObject({ response: { status: 500, text: 'sorry' }, attempts: 6 });
		expect(elapsedMs).toBeGreaterThanOrEqual(350 + 700 + 1400 + 2800 + 5600);
	});
});

describe('a call whose last attempts were rejected, after one that may have been executed', () => {
	test.each<[RetryClass, boolean, boolean]>([
		['read', false, true],
		['safe', true, true],
		['unsafe', true, false],
	])('of class %s: outcome unknown %s, replayable %s', async (retryClass, unknown, replayable) => {
		const { url } = await serviceThat(
			respond(503),
			reset,
			respond(503),
			tooManyRequests,
			respond(503),
		);
		const { outcome } = await call(url, { retryClass, replayUnknownOutcome: true });
		expect(outcome).toMatchObject({
			response: { status: 503 },
			outcomeUnknown: unknown,
			replayable,
			attempts: 7,
		});
	});

	test.each([
		[reset, true],
		[respond(503), false],
	])('mentions it in a final rejection', async (before, mayHaveRunBefore) => {
		const { url } = await serviceThat(before, respond(400));
		const { outcome } = await call(url, { replayUnknownOutcome: true });
		expect(outcome).toMatchObject({ status: 400, mayHaveRunBefore });
	});
});

test('a service that cannot be reached is tried again, and the call is known not to be executed', async () => {
	const { outcome, stats } = await call(await deadAddress());
	expect(outcome).toMatchObject({
		failure: new RequestFailure('notSent', 'ECONNREFUSED'),
		outcomeUnknown: false,
		replayable: true,
		attempts: 6,
	});
	expect(stats).toMatchObject({ sent: 6, retried: 5, rateRejected: 0 });
});

test('a response too large to read is not asked for again', async () => {
	const bytes = new Uint8Array(16 * 1024 * 1024);
	let sent = 0;
	const sender: Sender = async () => {
		sent++;
		return await Promise.resolve({
			statusCode: 200,
			headers: {},
			body: Object.assign(
				(async function* () {
					for (;;) yield await Promise.resolve(bytes);
				})(),
				{ destroy: () => undefined },
			),
		});
	};
	const { outcome } = await call('https://x', { sender, retryClass: 'read' });
	expect(sent).toBe(1);
	expect(outcome).toMatchObject({ failure: { kind: 'oversized' }, outcomeUnknown: false });
});

test('a rejection lowers the rate of the key and is waited for as long as it says', async () => {
	const named = respond(429, '{"errors":[{"text":"Try again in 3000 ms."}]}');
	const { url } = await serviceThat(named, respond(200));
	const { elapsedMs } = await call(url);
	expect(elapsedMs).toBeGreaterThanOrEqual(3000);
	expect(elapsedMs).toBeLessThan(3500);
});

test('rejections with short waits are outlasted, however many there are', async () => {
	const rejections = Array.from({ length: 40 }, () => tooManyRequests);
	const { url } = await serviceThat(...rejections, respond(200));
	const { outcome, stats } = await call(url);
	expect(outcome).toMatchObject({ status: 200 });
	expect(stats).toMatchObject({ sent: 41, retried: 40, rateRejected: 40 });
});

test('cancelling during back-off ends the call and sends nothing more', async () => {
	const { url, received } = await serviceThat(respond(503));
	const cancel = new AbortController();
	const { clock, settings } = settingsOf({ signal: cancel.signal });
	const request = { method: 'GET', url, accept: '*/*', timeoutMs: 5000 } as const;
	const calling = send(request, settings).catch((error: unknown) => error);
	while (received.length < 3) await clock.advance(50);
	cancel.abort();
	const cancelledAt = clock.now();
	expect(await clock.runUntil(calling)).toBeInstanceOf(CallCancelled);
	expect(clock.now() - cancelledAt).toBeLessThan(1000);
	expect(received.length).toBeLessThanOrEqual(3);
});

describe('when the monthly volume ends', () => {
	/** Lets this many requests be sent. */
	const only = (count: number) => {
		let left = count;
		return () => {
			if (left-- <= 0) throw new VolumeUsedUp();
		};
	};

	test('nothing is sent, and the permit goes to the next call', async () => {
		const { url, received } = await serviceThat(respond(200, '{}'));
		const { clock, settings } = settingsOf({ countRequest: only(0) });
		const request = { method: 'GET', url, accept: '*/*', timeoutMs: 5000 } as const;
		for (let repeat = 0; repeat < 3; repeat++) {
			await expect(clock.runUntil(send(request, settings))).rejects.toBeInstanceOf(VolumeUsedUp);
		}
		expect(received).toHaveLength(0);
		expect(settings.stats.sent).toBe(0);
	});

	test('a call that may have been executed is still reported as such', async () => {
		const { url } = await serviceThat(respond(500));
		const { outcome } = await call(url, { countRequest: only(1), retryClass: 'safe' });
		expect(outcome).toMatchObject({ outcomeUnknown: true, replayable: true, attempts: 1 });
	});
});
