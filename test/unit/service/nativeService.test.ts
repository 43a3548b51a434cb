import { Readable } from 'node:stream';

import { z } from 'zod';

import { endpoints, prepareCall } from '../../../nodes/shared/service/endpoints';
import type { NativeService } from '../../../nodes/shared/service/nativeService';
import { ServiceError } from '../../../nodes/shared/service/serviceErrors';
import { settle } from '../transport/handDrivenClock';
import { type ScriptedResponse, errorOf, scriptedService } from './scriptedService';

async function listAll(list: AsyncIterable<unknown>): Promise<unknown[]> {
	const items: unknown[] = [];
	for await (const item of list) items.push(item);
	return items;
}

const page = (items: unknown[], nextPageLink: string | null = null): ScriptedResponse => ({
	status: 200,
	body: { items, nextPageLink, count: 9 },
});

describe('a call', () => {
	test('leaves out empty query options and encodes the others', async () => {
		const { service, requests } = scriptedService(() => ({ status: 200, body: [] }));
		await service.call(
			prepareCall(endpoints.listCodes, {
				path: {},
				query: { name: 'A&B=C', codeType: '', parentCodeId: undefined, $top: 0, all: false },
			}),
		);
		const query = new URLSearchParams(requests[0]?.path.split('?')[1]);
		expect(Object.fromEntries(query)).toEqual({ name: 'A&B=C', $top: '0', all: 'false' });
	});

	test.each([undefined, '', ' \n'])('with the response %j has no body', async (body) => {
		const { service } = scriptedService(() => ({ status: 204, body }));
		const response = await service.call(prepareCall(endpoints.deleteCode, { path: { codeId: 1 } }));
		expect(response).toMatchObject({ status: 204, body: undefined });
	});

	test.each(['null', '0', 'false', '""'])('with the response %s has that body', async (body) => {
		const { service } = scriptedService(() => ({ status: 200, body }));
		const response = await service.call(prepareCall(endpoints.getCode, { path: { codeId: 1 } }));
		expect(response.body).toEqual(JSON.parse(body));
	});

	test('lets n8n run between the responses to many calls that arrive together', async () => {
		const calls = 100;
		let sent = 0;
		let respond = (): void => undefined;
		const all = new Promise<void>((resolve) => (respond = resolve));
		const { service, clock } = scriptedService(() => ({ status: 200 }), {
			credential: { rateTier: 'manual', rateHigh: 10_000, rateMedium: 10_000, rateLow: 10_000 },
			sender: async () => {
				sent++;
				await all;
				return { statusCode: 200, headers: {}, body: Readable.from([Buffer.from('{}')]) };
			},
		});
		let ended = 0;
		const endCall = async (): Promise<void> => {
			await service.call(prepareCall(endpoints.getCode, { path: { codeId: 1 } }));
			ended++;
		};
		const running = Promise.all(Array.from({ length: calls }, endCall));
		await clock.advance(10_000);
		expect(sent).toBe(calls);
		respond();
		// The clock stands still: nothing that pauses goes on.
		for (let turn = 0; turn < 20; turn++) await settle();
		expect(ended).toBeGreaterThan(0);
		expect(ended).toBeLessThan(10);
		await clock.runUntil(running);
		expect(ended).toBe(calls);
	});

	const depth = 1_000_000;
	const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;

	test.each([
		['a value', `{"a":${deep}}`],
		['a list of errors', `{"errors":${deep}}`],
	])('that was sent leaves its outcome unknown if %s has a million levels', async (_, body) => {
		const { service } = scriptedService(() => ({ status: 201, body }));
		const read = service.read(
			endpoints.createBulkImportJob,
			{ path: {}, body: {} },
			z.object({ jobId: z.number() }),
		);
		expect(await errorOf(read)).toMatchObject({
			message: expect.stringMatching(
				/^The response to POST \/bulkImportJobs could not be processed/,
			),
			details: { outcomeUnknown: true, replayable: false },
		});
	});

	test('keeps the job it started when what follows goes wrong', async () => {
		const { service } = scriptedService(() => ({ status: 201, body: { jobId: 7 } }));
		const call = prepareCall(endpoints.createBulkImportJob, { path: {}, body: {} });
		const response = await service.call(call);
		const broken = service.afterSending(
			call,
			() => {
				throw new RangeError('Invalid string length');
			},
			response,
		);
		expect(await errorOf(broken)).toMatchObject({
			details: {
				description: expect.stringContaining('It started import job 7.'),
				jobId: 7,
				outcomeUnknown: true,
				replayable: false,
			},
		});
	});

	test('whose body cannot be written was not sent', async () => {
		const { service, requests } = scriptedService(() => ({ status: 201 }));
		const body: Record<string, unknown> = {};
		body.itself = body;
		const call = prepareCall(endpoints.createCode, { path: {}, body });
		expect(await errorOf(service.call(call))).not.toBeInstanceOf(ServiceError);
		expect([requests.length, service.hasWritten]).toEqual([0, false]);
	});

	test('sends the password of an address to the service, but shows it nowhere', async () => {
		const body = { file: { sourceUrl: 'sftp://me:secret@files.example.org/a.zip' } };
		const { service, requests } = scriptedService(() => ({ status: 200, body: { jobId: 1 } }));
		expect(
			service.describe(prepareCall(endpoints.createBulkImportJob, { path: {}, body })),
		).toEqual({
			method: 'POST',
			path: '/bulkImportJobs',
			body: { file: { sourceUrl: 'sftp://***@files.example.org/a.zip' } },
		});
		await service.call(prepareCall(endpoints.createBulkImportJob, { path: {}, body }));
		expect(requests[0]?.body).toEqual(body);
	});

	test('may be unsafe to repeat for its body, though its endpoint is safe', async () => {
		const { service, clock, requests } = scriptedService(() => ({ status: 500, body: '' }));
		const work = service.call(
			prepareCall({ ...endpoints.findOrCreatePerson, retry: 'unsafe' }, { path: {}, body: {} }),
		);
		expect(await clock.runUntil(errorOf(work))).toMatchObject({
			details: { outcomeUnknown: true, replayable: false },
		});
		expect(requests).toHaveLength(1);
	});
});

describe('a response with a shape', () => {
	const shape = z.object({ jobId: z.number() });
	const read = async (body: unknown) => {
		const { service } = scriptedService(() => ({ status: 200, body }));
		return await service.read(endpoints.getBulkImportJob, { path: { jobId: 7 } }, shape);
	};

	test.each([
		[{ id: 7 }, 'data of an unknown shape'],
		['', 'nothing at all'],
	])('is an error when it is %j instead', async (body, what) => {
		expect(await errorOf(read(body))).toMatchObject({
			message: `The service responded to GET /bulkImportJobs/7 with ${what}`,
			details: { httpCode: 200 },
		});
	});

	test('leaves the outcome of an unsafe call unknown when it is another', async () => {
		const { service } = scriptedService(() => ({ status: 200, body: { ok: true } }));
		const work = service.read(endpoints.createBulkImportJob, { path: {}, body: {} }, shape);
		expect(await errorOf(work)).toMatchObject({
			details: { outcomeUnknown: true, replayable: false },
		});
	});
});

describe('a list', () => {
	test('of pages is read by its links, which carry an explicit port', async () => {
		const { service, clock, requests } = scriptedService((_, position) =>
			position === 0
				? page([1, 2], 'https://api.example.org:443/v2/codes?$top=2&$skip=2&name=A%26B')
				: page([3]),
		);
		const list = service.list(endpoints.listCodes, { path: {}, query: { name: 'A&B' } }, undefined);
		expect(await clock.runUntil(listAll(list))).toEqual([1, 2, 3]);
		const queries = requests.map(({ path }) =>
			Object.fromEntries(new URLSearchParams(path.split('?')[1])),
		);
		expect(queries).toEqual([
			{ $top: '200', name: 'A&B' },
			{ $top: '2', $skip: '2', name: 'A&B' },
		]);
	});

	test.each(['https://elsewhere.example.net/v2/codes?$skip=1', 'http://['])(
		'that continues at %s is not followed there',
		async (link) => {
			const { service, clock, requests } = scriptedService(() => page([1], link));
			const error = await errorOf(
				clock.runUntil(listAll(service.list(endpoints.listCodes, { path: {} }, undefined))),
			);
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({
				message: 'The list continues at another address than the service',
				details: { description: expect.stringContaining('the key must not be sent there') },
			});
			expect(requests).toHaveLength(1);
		},
	);

	test.each([
		'https://api.example.org/v2/codes/page/2',
		'https://api.example.org/v2/page/2/codes2?$skip=1',
		'/v2/notes?$skip=1',
	])('that continues at the path of %s is an error, not other records', async (link) => {
		const { service, clock, requests } = scriptedService(() => page([1], link));
		const list = service.list(endpoints.listCodes, { path: {} }, undefined);
		expect(await errorOf(clock.runUntil(listAll(list)))).toMatchObject({
			message: 'The list continues at another path of the service',
			details: {
				description: expect.stringMatching(/^Its next page is at "\/v2\/.+"\. It was not/),
			},
		});
		expect(requests).toHaveLength(1);
	});

	test.each([
		'/v2/codes?$skip=1',
		'?$skip=1',
		'codes?$skip=1',
		'https://api.example.org:443/V2/Codes/?$skip=1',
		'/behind-a-gateway/c%6Fdes?$skip=1',
	])('may name its next page as %s', async (link) => {
		const { service, clock, requests } = scriptedService((_, position) =>
			position === 0 ? page([1], link) : page([2]),
		);
		expect(
			await clock.runUntil(listAll(service.list(endpoints.listCodes, { path: {} }, undefined))),
		).toEqual([1, 2]);
		expect(requests[1]?.path).toBe('/codes?$skip=1');
	});

	test.each([
		[{ rows: [] }, 'data that is not a list'],
		['null', 'data that is not a list'],
		['', 'nothing at all'],
	])('is an error when it is %j instead', async (body, what) => {
		const { service, clock } = scriptedService(() => ({ status: 200, body }));
		expect(
			await errorOf(
				clock.runUntil(listAll(service.list(endpoints.listCodes, { path: {} }, undefined))),
			),
		).toMatchObject({
			message: `The service responded to GET /codes with ${what}`,
		});
	});
});

/** The content of a file as text. */
async function downloaded(service: NativeService, link: string, what: string): Promise<string> {
	return await service.files.download(link, what, async (chunks) => {
		const parts: Uint8Array[] = [];
		for await (const part of chunks) parts.push(part);
		return Buffer.concat(parts).toString();
	});
}

describe('an address that n8n does not allow', () => {
	// Newer n8n throws this where protection against requests to internal addresses is on.
	const blocked = Object.assign(
		new Error('The request was blocked because it resolves to a restricted IP address'),
		{ name: 'SsrfBlockedIpError' },
	);
	const advice = /SSRF.*N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES/;

	test('is named as such for a call', async () => {
		const { service, clock } = scriptedService(() => new Error('', { cause: blocked }));
		const call = service.call(prepareCall(endpoints.listCodes, { path: {} }));
		expect(await clock.runUntil(errorOf(call))).toMatchObject({
			message: 'n8n does not allow the address of GET /codes',
			details: { description: expect.stringMatching(advice) as string, outcomeUnknown: false },
		});
	});

	test('is named as such for a file', async () => {
		const { service, clock } = scriptedService(() => blocked);
		const download = downloaded(service, 'https://files.example.org/a.csv', 'result file 1');
		const error = (await clock.runUntil(errorOf(download))) as ServiceError;
		expect(`${error.message} ${error.details.description}`).toMatch(
			/n8n does not allow this address/,
		);
		expect(error.details.description).toMatch(advice);
	});
});

describe('a download', () => {
	test.each(['http://127.0.0.1:5678/a.csv', 'https://localhost/a.csv', 'http://[::1]/a.csv'])(
		'from %s is rejected, because the service is on another machine',
		async (address) => {
			const { service, downloads } = scriptedService(() => ({ status: 200, body: 'a' }));
			expect(await errorOf(downloaded(service, address, 'result file 2'))).toMatchObject({
				message: 'The link to result file 2 points to the machine on which n8n runs',
			});
			expect(downloads).toEqual([]);
		},
	);

	test('from this machine is opened if the service is there too', async () => {
		const { service, downloads } = scriptedService(() => ({ status: 200, body: 'a' }), {
			credential: { baseUrl: 'http://localhost:8080' },
		});
		await downloaded(service, 'http://127.0.0.1:8081/a.csv', 'result file 1');
		expect(downloads).toHaveLength(1);
	});

	const link = 'https://results.example.net/a.csv?sig=secret';

	test('is opened without the credential', async () => {
		const { service, requests, downloads } = scriptedService(() => ({ status: 200, body: 'a,b' }));
		expect(await downloaded(service, link, 'result file 1')).toBe('a,b');
		expect(requests).toEqual([]);
		expect(downloads).toMatchObject([{ method: 'GET', path: link }]);
		expect(Object.keys(downloads[0]?.headers ?? {})).toEqual(['Accept']);
	});

	test.each([
		['http://results.example.net/a.csv', 'The link to result file 2 is not protected by https'],
		['a.csv', 'The link to result file 2 is not an address'],
	])('of %j is not opened', async (address, message) => {
		const { service, downloads } = scriptedService(() => ({ status: 200, body: '' }));
		expect(await errorOf(downloaded(service, address, 'result file 2'))).toMatchObject({
			message,
		});
		expect(downloads).toEqual([]);
	});

	test.each([302, 403, 404, 500])(
		'that responds with %d is an error without the link',
		async (status) => {
			const { service, clock } = scriptedService(() => ({ status, body: 'x' }));
			const error = await clock.runUntil(errorOf(downloaded(service, link, 'result file 2')));
			expect(error).toMatchObject({
				message: expect.stringMatching(
					new RegExp(`^Result file 2 could not be downloaded.*status ${status}`),
				),
				details: { httpCode: status },
			});
			expect(JSON.stringify(error)).not.toContain('secret');
		},
	);

	const file = (text: string): ScriptedResponse => ({ status: 200, body: text, headers: {} });
	const fetchFile = async (response: (position: number) => ScriptedResponse) => {
		const { service, clock, downloads } = scriptedService((_, position) => response(position));
		const outcome = await clock.runUntil(
			downloaded(service, link, 'result file 2').catch((error: unknown) => error),
		);
		return { outcome, addresses: downloads.map(({ path }) => path), clock };
	};

	test('goes where a redirect points, which is never sent a credential', async () => {
		const moved = 'https://storage.example.net/b.csv?sig=2';
		const { outcome, addresses } = await fetchFile((position) =>
			position === 0 ? { status: 302, headers: { location: moved } } : file('a,b'),
		);
		expect(outcome).toBe('a,b');
		expect(addresses).toEqual([link, moved]);
	});

	test('does not follow a redirect to an address that is not protected', async () => {
		const { outcome, addresses } = await fetchFile(() => ({
			status: 302,
			headers: { location: 'http://storage.example.net/b.csv' },
		}));
		expect(outcome).toMatchObject({
			message: 'The link to result file 2 is not protected by https',
		});
		expect(addresses).toHaveLength(1);
	});

	test('ends after five redirects', async () => {
		const { outcome, addresses } = await fetchFile(() => ({
			status: 307,
			headers: { location: '/again' },
		}));
		expect(outcome).toMatchObject({ details: { httpCode: 307 } });
		expect(addresses).toHaveLength(6);
	});

	test('waits as long as the storage asks', async () => {
		const { outcome, addresses, clock } = await fetchFile((position) =>
			position === 0 ? { status: 429, headers: { 'retry-after': '7' } } : file('a,b'),
		);
		expect(outcome).toBe('a,b');
		expect(addresses).toHaveLength(2);
		expect(clock.now()).toBeGreaterThanOrEqual(7000);
	});

	test('takes no web page for a file', async () => {
		const page = { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } };
		const { outcome } = await fetchFile(() => page);
		expect(outcome).toMatchObject({
			message: 'Result file 2 could not be downloaded: the response is a web page',
		});
	});
});

describe('an upload', () => {
	/** @param response resolves when the service responds */
	const uploadFile = async (bytes: number, form: boolean, response: Promise<unknown>) => {
		const { service, clock } = scriptedService(() => ({ status: 200 }), {
			timeoutMs: 100,
			anonymousSender: async () => {
				await response;
				return { statusCode: 200, headers: {}, body: Readable.from([]) };
			},
		});
		const zip = Buffer.alloc(bytes);
		const content = new FormData();
		content.append('key', 'a.zip');
		content.append('file', new Blob([zip]), 'a.zip');
		const work = service.files.upload(
			'https://files.example.org/a.zip',
			form
				? { method: 'POST', content }
				: { method: 'PUT', content: zip, contentType: 'application/zip' },
		);
		return await clock.runUntil(work.catch((error: unknown) => error));
	};

	test.each([false, true])('of a large file may take longer (as a form: %s)', async (form) => {
		const late = new Promise((resolve) => setTimeout(resolve, 300));
		expect(await uploadFile(1024 * 1024, form, late)).toMatchObject({ status: 200 });
	});

	test.each([false, true])('of a small file may not (as a form: %s)', async (form) => {
		const never = new Promise(() => undefined);
		expect(await uploadFile(1024, form, never)).toMatchObject({
			message: 'The file could not be uploaded: there was no complete response in time',
			details: { description: expect.stringContaining('raise Timeout (Seconds)') as string },
		});
	});
});

describe('deleting', () => {
	const gone = { status: 404, body: { errors: [{ code: 'NOT_FOUND', text: 'None' }] } };
	const deleteCode = async (response: (position: number) => ScriptedResponse) => {
		const { service, clock } = scriptedService((_, position) => response(position));
		const work = service.call(prepareCall(endpoints.deleteCode, { path: { codeId: 7 } }));
		return await clock.runUntil(work.catch((error: unknown) => error));
	};

	test.each([
		['at the first attempt', []],
		['after an attempt that was rejected', [{ status: 503 }]],
	])('fails when there is no such record %s', async (_, before: ScriptedResponse[]) => {
		expect(await deleteCode((position) => before[position] ?? gone)).toMatchObject({
			details: { httpCode: 404 },
		});
	});
});
