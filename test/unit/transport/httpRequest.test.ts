import type { IHttpRequestOptions } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { CallCancelled } from '../../../nodes/shared/transport/cancellation';
import { RequestFailure } from '../../../nodes/shared/transport/requestFailure';
import {
	sendRequest,
	type HttpRequest,
	openRequest,
} from '../../../nodes/shared/transport/httpRequest';
import { deadAddress, type SocketService, socketSender, startSocketService } from './socketService';

const services: SocketService[] = [];

afterEach(async () => {
	await Promise.all(services.splice(0).map(async (service) => await service.close()));
});

async function serviceThat(
	behave: (response: ServerResponse, request: IncomingMessage, position: number) => void,
): Promise<SocketService> {
	const service = await startSocketService(behave);
	services.push(service);
	return service;
}

function requestTo(url: string, timeoutMs = 5000): HttpRequest {
	return { method: 'POST', url, jsonBody: '{"name":"A"}', accept: 'application/json', timeoutMs };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
	return await work.then(
		() => 'no failure',
		(error: unknown) => error,
	);
}

/** Writes a byte every 20 ms for as long as the connection lasts. */
function drip(response: ServerResponse): void {
	const timer = setInterval(() => response.write('x'), 20);
	response.on('close', () => clearInterval(timer));
}

/** Ends once it is so; what never is so ends in the time-out of the test. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await wait(5);
}

describe('a response', () => {
	test.each([200, 201, 302, 400, 404, 429, 500, 503])(
		'of status %d is given with its headers and body',
		async (status) => {
			const { url } = await serviceThat((response) => {
				response.writeHead(status, { 'X-Odd-CASE': 'yes', Location: '/elsewhere' });
				response.end('{"a":"ü€😀"}');
			});
			const response = await sendRequest(socketSender(), requestTo(url), undefined);
			expect(response).toMatchObject({
				status,
				headers: { 'x-odd-case': 'yes', location: '/elsewhere' },
				text: '{"a":"ü€😀"}',
			});
		},
	);

	const json = '{"name":"Zoë 😀"}';
	const marked = Buffer.from(`\ufeff${json}`, 'utf16le');

	test.each([
		['UTF-8 with a byte-order mark', Buffer.from(`\ufeff${json}`)],
		['UTF-16, little-endian with a byte-order mark', marked],
		['UTF-16, big-endian with a byte-order mark', Buffer.from(marked).swap16()],
	])('in %s is read', async (_, bytes) => {
		const { url } = await serviceThat((response) => response.writeHead(200).end(bytes));
		expect((await sendRequest(socketSender(), requestTo(url), undefined)).text).toBe(json);
	});

	test('in chunks that cut characters in two is put together', async () => {
		const bytes = Buffer.from('{"name":"Zoë 😀"}');
		const { url } = await serviceThat((response) => {
			response.writeHead(200);
			const next = (at: number): void => {
				if (at >= bytes.length) return void response.end();
				response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
			};
			next(0);
		});
		expect((await sendRequest(socketSender(), requestTo(url), undefined)).text).toBe(
			bytes.toString(),
		);
	});

	test('that was packed on the way may be shorter than its Content-Length says', async () => {
		const packed = gzipSync('[]');
		const sender = async () =>
			await Promise.resolve({
				statusCode: 200,
				// n8n's helper unpacks the body and removes Content-Encoding, but leaves the length.
				headers: { 'content-length': String(packed.length) },
				body: new Response('[]').body,
			});
		expect((await sendRequest(sender, requestTo('https://x'), undefined)).text).toBe('[]');
	});
});

describe('a request', () => {
	test('carries its body as JSON text, even an empty object', async () => {
		const service = await serviceThat((response) => response.end());
		let seen: IHttpRequestOptions | undefined;
		const sender = socketSender();
		await sendRequest(
			async (options) => {
				seen = options;
				return await sender(options);
			},
			{ ...requestTo(service.url), jsonBody: '{}' },
			undefined,
		);
		expect(service.received).toEqual(['{}']);
		expect(seen?.headers).toEqual({
			Accept: 'application/json',
			'Content-Type': 'application/json',
		});
	});

	test('without a body names no content type', async () => {
		const seen: Array<string | undefined> = [];
		const { url } = await serviceThat((response, request) => {
			seen.push(request.headers['content-type']);
			response.end();
		});
		const request: HttpRequest = { method: 'GET', url, accept: '*/*', timeoutMs: 5000 };
		await sendRequest(socketSender(), request, undefined);
		expect(seen).toEqual([undefined]);
	});

	test('asks n8n not to follow redirects, not to judge the status and not to buffer', async () => {
		let seen: IHttpRequestOptions | undefined;
		const sender = async (options: IHttpRequestOptions) => {
			seen = options;
			return await Promise.resolve({ statusCode: 200, headers: {}, body: new Response('').body });
		};
		await sendRequest(sender, requestTo('https://x', 1234), undefined);
		expect(seen).toMatchObject({
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			encoding: 'stream',
			timeout: 1234,
		});
	});
});

describe.each([
	['that heeds the signal', true],
	['that does not heed the signal', false],
])('with a sender %s', (_, heedsSignal) => {
	const sender = socketSender(heedsSignal);
	const send = async (url: string, timeoutMs?: number, signal?: AbortSignal) =>
		await sendRequest(sender, requestTo(url, timeoutMs), signal);

	test('a refused connection means that nothing was sent', async () => {
		const failure = await failureOf(send(await deadAddress()));
		expect(failure).toEqual(new RequestFailure('notSent', 'ECONNREFUSED'));
	});

	test('a connection that is reset before the response is broken', async () => {
		const { url } = await serviceThat((response) => response.socket?.resetAndDestroy());
		expect(await failureOf(send(url))).toEqual(new RequestFailure('broken', 'ECONNRESET'));
	});

	test('a response that ends before its Content-Length is broken', async () => {
		const { url } = await serviceThat((response) => {
			response.writeHead(200, { 'Content-Length': '1000' });
			response.write('{"items":[]}', () => response.socket?.end());
		});
		expect(await failureOf(send(url))).toMatchObject({ kind: 'broken' });
	});

	test('a response in chunks without its last one is broken', async () => {
		const { url } = await serviceThat((response) => {
			response.writeHead(200);
			response.write('{"items":[]}', () => response.socket?.end());
		});
		expect(await failureOf(send(url))).toMatchObject({ kind: 'broken' });
	});

	test('something that is not HTTP is broken', async () => {
		const { url } = await serviceThat((response) => {
			response.socket?.end('220 files.example.org FTP server ready\r\n');
		});
		expect(await failureOf(send(url))).toMatchObject({ kind: 'broken' });
	});

	test('no response in time is a time-out', async () => {
		const { url } = await serviceThat(() => undefined);
		expect(await failureOf(send(url, 100))).toMatchObject({ kind: 'timeout' });
	});

	test('a response that drips past the deadline is a time-out', async () => {
		const { url } = await serviceThat((response) => {
			response.writeHead(200);
			drip(response);
		});
		expect(await failureOf(send(url, 200))).toMatchObject({ kind: 'timeout' });
	});

	test.each<[string, (response: ServerResponse) => void]>([
		['before the response', () => undefined],
		['between head and body', (response) => void response.writeHead(200).flushHeaders()],
		[
			'in the middle of the body',
			(response) => {
				response.writeHead(200);
				drip(response);
			},
		],
	])('cancelling %s ends the request', async (_phase, behave) => {
		const service = await serviceThat(behave);
		const cancel = new AbortController();
		const sending = failureOf(send(service.url, 60_000, cancel.signal));
		await until(() => service.received.length === 1);
		await wait(50);
		cancel.abort();
		expect(await sending).toBeInstanceOf(CallCancelled);
	});

	test('the connection does not stay open after a cancelled download', async () => {
		const service = await serviceThat((response) => {
			response.writeHead(200);
			drip(response);
		});
		const cancel = new AbortController();
		const sending = failureOf(send(service.url, 60_000, cancel.signal));
		await until(() => service.received.length === 1);
		cancel.abort();
		await sending;
		await until(() => service.openConnections() === 0);
	});
});

test('requests share a timer', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const { url } = await serviceThat((response) => response.end('{}'));
	const requests = Array.from({ length: 200 }, async () => {
		await sendRequest(socketSender(), requestTo(url, 600_000), undefined);
	});
	await Promise.all(requests);
	expect(timeout.mock.calls.length).toBeLessThan(100);
});

test.each([3_600_000_000, 36_000_000_000])(
	'a timeout of %d ms is longer than a timer can take and does no harm',
	async (timeoutMs) => {
		const { url } = await serviceThat((response) => setTimeout(() => response.end('{}'), 300));
		expect(await sendRequest(socketSender(), requestTo(url, timeoutMs), undefined)).toMatchObject({
			status: 200,
		});
	},
);

test('a request of a cancelled execution sends nothing', async () => {
	const service = await serviceThat((response) => response.end());
	const failure = await failureOf(
		sendRequest(socketSender(), requestTo(service.url), AbortSignal.abort()),
	);
	expect(failure).toBeInstanceOf(CallCancelled);
	expect(service.received).toEqual([]);
});

describe('a file that may take long as a whole', () => {
	const read = async (url: string, stallMs: number) => {
		const request = { ...requestTo(url), stallMs };
		const { chunks } = await openRequest(socketSender(), request, undefined);
		let bytes = 0;
		for await (const chunk of chunks) bytes += chunk.length;
		return bytes;
	};

	test('is read as long as something arrives', async () => {
		const { url } = await serviceThat((response) => {
			response.writeHead(200);
			drip(response);
			setTimeout(() => response.end(), 900);
		});
		expect(await read(url, 600)).toBeGreaterThan(5);
	});

	test.each<[string, (response: ServerResponse) => void]>([
		['before the response', () => undefined],
		['in the middle', (response) => response.writeHead(200).write('x')],
	])('is given up when nothing arrives %s', async (_, behave) => {
		const { url } = await serviceThat((response) => void behave(response));
		expect(await failureOf(read(url, 200))).toMatchObject({ kind: 'timeout' });
	});
});

test('a response larger than 64 MB is rejected and its connection closed', async () => {
	const service = await serviceThat((response) => {
		response.writeHead(200);
		response.write(Buffer.alloc(64 * 1024 * 1024));
		drip(response);
	});
	const failure = await failureOf(
		sendRequest(socketSender(), requestTo(service.url, 30_000), undefined),
	);
	expect(failure).toMatchObject({ kind: 'oversized' });
	await until(() => service.openConnections() === 0);
});

test('an unwanted body can be discarded, which closes the connection', async () => {
	const service = await serviceThat((response) => {
		response.writeHead(404);
		drip(response);
	});
	const download = await openRequest(socketSender(), requestTo(service.url), undefined);
	expect(download.status).toBe(404);
	download.discard();
	await until(() => service.openConnections() === 0);
});

test('a download that was cancelled before it is read ends at the first read', async () => {
	const { url } = await serviceThat((response) => {
		response.writeHead(200);
		drip(response);
	});
	const cancel = new AbortController();
	const { chunks } = await openRequest(socketSender(false), requestTo(url), cancel.signal);
	cancel.abort();
	const reading = (async () => {
		for await (const chunk of chunks) void chunk;
	})();
	expect(await failureOf(reading)).toBeInstanceOf(CallCancelled);
});

describe('an error thrown by n8n', () => {
	const catchError = async (error: unknown): Promise<unknown> =>
		await failureOf(
			sendRequest(async () => await Promise.reject(error), requestTo('https://x'), undefined),
		);

	test.each<[string, unknown, RequestFailure]>([
		[
			'with the code of a refused connection',
			Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
			new RequestFailure('notSent', 'ECONNREFUSED'),
		],
		[
			'that wraps an unknown host name',
			new Error('x', { cause: { code: 'ENOTFOUND' } }),
			new RequestFailure('notSent', 'ENOTFOUND'),
		],
		[
			'that keeps an invalid certificate in its response',
			{ httpCode: '500', errorResponse: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
			new RequestFailure('notSent', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
		],
		[
			'for a handshake that was cut, which n8n calls a lost connection',
			{
				httpCode: 'ECONNRESET',
				message: 'The connection was aborted',
				cause: new Error(
					'Client network socket disconnected before secure TLS connection was established',
				),
			},
			new RequestFailure('notSent', 'ERR_TLS_HANDSHAKE_TIMEOUT'),
		],
		[
			'for a record that was damaged after the handshake',
			Object.assign(new Error('x'), { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }),
			new RequestFailure('broken', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'),
		],
		[
			'with the code of a time-out',
			Object.assign(new Error('x'), { code: 'ECONNABORTED' }),
			new RequestFailure('timeout', ''),
		],
		['without a code', new Error('odd'), new RequestFailure('broken', '')],
		['that is no error at all', 'odd', new RequestFailure('broken', '')],
	])('%s is understood', async (_, error, expected) => {
		expect(await catchError(error)).toEqual(expected);
	});

	test('that is its own cause is understood', async () => {
		const error: { cause?: unknown } = {};
		error.cause = error;
		expect(await catchError(error)).toEqual(new RequestFailure('broken', ''));
	});
});
