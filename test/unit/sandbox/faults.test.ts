import { startSandbox, type FaultRequest, type Sandbox } from '../../../sandbox';
import { call, DEMO_KEY, OTHER_KEY, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED });
});
afterEach(async () => await sandbox.close());

const order = async (fault: FaultRequest['fault'], match: Omit<FaultRequest, 'fault'> = {}) => {
	const response = await call(sandbox, 'POST', '/_sandbox/faults', { body: { ...match, fault } });
	expect(response.status).toBe(204);
};
const createCode = async () => await call(sandbox, 'POST', '/v2/codes', { body: { name: 'New' } });
const isCreated = () => sandbox.control.codes('demo').some((code) => code.name === 'New');
const lastEntry = () => sandbox.requests.at(-1);

describe('before the request is executed', () => {
	test.each<[string, FaultRequest['fault'], Record<string, unknown>]>([
		[
			'429 with the wait in the text',
			{ kind: 'status', status: 429, retryAfterMs: 30 },
			{
				status: 429,
				text: '{"errors":[{"code":"429","text":"Rate limit exceeded. Try again in 30 ms."}]}',
			},
		],
		['429 that says nothing', { kind: 'status', status: 429, retryAfter: 'none' }, { status: 429 }],
		['500 as JSON', { kind: 'status', status: 500 }, { status: 500, type: 'application/json' }],
		['502 as HTML', { kind: 'status', status: 502 }, { status: 502, type: 'text/html' }],
		['504 as HTML', { kind: 'status', status: 504 }, { status: 504, type: 'text/html' }],
		[
			'500 as HTML',
			{ kind: 'status', status: 500, body: 'html' },
			{ status: 500, type: 'text/html' },
		],
		['an HTML page with 200', { kind: 'htmlPage' }, { status: 200, type: 'text/html' }],
		['a redirect to the error page', { kind: 'redirectToErrorPage' }, { status: 302 }],
	])('%s', async (_name, fault, expected) => {
		await order(fault);
		const response = await createCode();
		expect(response.status).toBe(expected.status);
		if (expected.text) expect(response.text).toBe(expected.text);
		if (expected.type) expect(response.headers.get('content-type')).toContain(expected.type);
		expect(isCreated()).toBe(false);
		expect(lastEntry()).toMatchObject({
			status: expected.status,
			executed: false,
			fault: fault.kind,
			body: { name: 'New' },
		});
	});

	test('Retry-After as seconds and as a date', async () => {
		await order({ kind: 'status', status: 429, retryAfter: 'seconds', retryAfterMs: 1500 });
		await order({ kind: 'status', status: 503, retryAfter: 'date', retryAfterMs: 5000 });
		expect((await createCode()).headers.get('retry-after')).toBe('2');
		const date = Date.parse((await createCode()).headers.get('retry-after') ?? '');
		expect(Math.abs(date - Date.now() - 5000)).toBeLessThan(2000);
	});

	test.each<[string, FaultRequest['fault'], [number, string]]>([
		[
			'an error envelope with 200',
			{ kind: 'response', status: 200, body: { errors: [{ code: 'X', text: 'no' }] } },
			[200, '{"errors":[{"code":"X","text":"no"}]}'],
		],
		['nothing', { kind: 'response', status: 204, body: undefined }, [204, '']],
		['text', { kind: 'response', status: 201, body: '[[[[' }, [201, '[[[[']],
	])('a response as it is given: %s', async (_name, fault, expected) => {
		await order(fault);
		const response = await createCode();
		expect([response.status, response.text]).toEqual(expected);
		expect(isCreated()).toBe(false);
	});

	test('a redirect to another host', async () => {
		await order({ kind: 'redirect', location: 'https://elsewhere.example.org/v2/codes' });
		expect((await createCode()).headers.get('location')).toBe(
			'https://elsewhere.example.org/v2/codes',
		);
	});

	test('a connection cut before', async () => {
		await order({ kind: 'resetBefore' });
		await expect(createCode()).rejects.toThrow('fetch failed');
		expect(isCreated()).toBe(false);
		expect(lastEntry()).toMatchObject({ status: null, executed: false });
	});
});

describe('although the request is executed', () => {
	test('a connection cut after', async () => {
		await order({ kind: 'resetAfter' });
		await expect(createCode()).rejects.toThrow('fetch failed');
		expect(isCreated()).toBe(true);
		expect(lastEntry()).toMatchObject({ status: null, executed: true });
	});

	test('another response', async () => {
		await order({
			kind: 'response',
			status: 302,
			headers: { location: '/v2/codes/1' },
			body: { status: 'Unmatched' },
			executed: true,
		});
		const response = await createCode();
		expect([response.status, response.headers.get('location'), response.text, isCreated()]).toEqual(
			[302, '/v2/codes/1', '{"status":"Unmatched"}', true],
		);
	});

	test('a response with other words', async () => {
		await order({ kind: 'replaced', texts: { '"items"': '"results"' } });
		const { body } = await call(sandbox, 'GET', '/v2/codes');
		expect(body).toMatchObject({ results: expect.any(Array) as unknown, count: 4 });
	});

	test('a response that comes late', async () => {
		await order({ kind: 'latency', ms: 300, executed: true });
		const response = createCode();
		while (!isCreated()) await new Promise((resolve) => setTimeout(resolve, 5));
		const isOpen = await Promise.race([response.then(() => false), Promise.resolve(true)]);
		expect([isOpen, (await response).status]).toEqual([true, 201]);
	});

	test('a gateway that gave up', async () => {
		await order({ kind: 'status', status: 504, executed: true });
		const response = await createCode();
		expect([response.status, response.headers.get('content-type'), isCreated()]).toEqual([
			504,
			'text/html; charset=utf-8',
			true,
		]);
		expect(lastEntry()).toMatchObject({ status: 504, executed: true });
	});

	test('a wrong content type', async () => {
		await order({ kind: 'wrongContentType' });
		const response = await createCode();
		expect([response.status, response.headers.get('content-type'), response.text]).toEqual([
			201,
			'text/plain; charset=utf-8',
			'505',
		]);
	});

	test('an empty body', async () => {
		await order({ kind: 'emptyBody' });
		const response = await createCode();
		expect([response.status, response.text, isCreated()]).toEqual([201, '', true]);
	});

	test('a truncated body', async () => {
		await order({ kind: 'truncatedBody' });
		await expect(call(sandbox, 'GET', '/v2/codes')).rejects.toThrow('terminated');
	});

	test('half a body that claims to be whole', async () => {
		await order({ kind: 'halfBody' });
		const response = await call(sandbox, 'GET', '/v2/codeTypes');
		expect([response.status, response.text]).toEqual([200, '["Tag","So']);
		await order({ kind: 'halfBody' });
		expect((await createCode()).text).toBe('{');
	});

	test('no body has no half, so another status is given to one that is spoilt', async () => {
		await order({ kind: 'halfBody' });
		const canvass = { canvassContext: { contactTypeId: 2 }, resultCodeId: 1 };
		const path = '/v2/people/100001/canvassResponses';
		const response = await call(sandbox, 'POST', path, { body: canvass });
		expect([response.status, response.text]).toEqual([200, '{']);
		expect(sandbox.control.canvassResponses('demo')).toHaveLength(1);
	});

	test.each([true, false])('no response at all, executed: %s', async (executed) => {
		await order({ kind: 'noResponse', executed });
		const signal = AbortSignal.timeout(200);
		const posting = fetch(`${sandbox.url}/v2/codes`, {
			method: 'POST',
			headers: { apiKey: DEMO_KEY, 'content-type': 'application/json' },
			body: '{"name":"New"}',
			signal,
		});
		await expect(posting).rejects.toThrow('timeout');
		expect(isCreated()).toBe(executed);
		expect(lastEntry()).toMatchObject({ status: null, executed });
	});

	test('an oversized body', async () => {
		await order({ kind: 'oversizedBody', megabytes: 3 });
		const response = await call(sandbox, 'GET', '/v2/codes');
		expect(response.text.length).toBeGreaterThan(3_000_000);
		expect(typeof response.body).toBe('object');
	});

	test('a slow body, and a slow response', async () => {
		const timeCall = async () => {
			const start = performance.now();
			const response = await call(sandbox, 'GET', '/v2/codeTypes');
			expect(response.body).toEqual(['Tag', 'SourceCode']);
			return performance.now() - start;
		};
		await order({ kind: 'slowDrip', ms: 200 });
		expect(await timeCall()).toBeGreaterThan(150);
		await order({ kind: 'latency', ms: 150, jitterMs: 10 });
		expect(await timeCall()).toBeGreaterThan(145);
		expect(await timeCall()).toBeLessThan(140);
	});
});

describe('which requests meet a fault', () => {
	const fault = { kind: 'status', status: 500 } as const;

	test('by method, path with or without version, tenant, count and skip', async () => {
		await order(fault, { method: 'GET', pathPrefix: '/codes', tenant: 'other', count: 2, skip: 1 });
		const status = async (method: string, path: string, key: string) =>
			(await call(sandbox, method, path, { key })).status;
		expect(await status('GET', '/v2/codes', DEMO_KEY)).toBe(200);
		expect(await status('GET', '/v2/events', OTHER_KEY)).toBe(200);
		const statuses = [];
		for (const path of ['/v2/codes', '/v4/codes', '/v2/codes/501', '/v2/codes']) {
			statuses.push(await status('GET', path, OTHER_KEY));
		}
		expect(statuses).toEqual([200, 500, 500, 200]);
	});

	test('one fault can be taken away and the others stay', async () => {
		const take = sandbox.control.addFault({ fault, count: 5 });
		sandbox.control.addFault({ fault: { kind: 'status', status: 502 } });
		expect((await call(sandbox, 'GET', '/v2/codes')).status).toBe(500);
		take();
		expect((await call(sandbox, 'GET', '/v2/codes')).status).toBe(502);
		expect((await call(sandbox, 'GET', '/v2/codes')).status).toBe(200);
	});

	test('a call over the limit does not use a fault up', async () => {
		sandbox.control.updateTenant('demo', { tier: { high: 1, medium: 1, low: 1, monthly: null } });
		await call(sandbox, 'GET', '/v2/codes');
		await order(fault);
		expect((await call(sandbox, 'GET', '/v2/codes')).status).toBe(429);
		expect((await call(sandbox, 'GET', '/v2/codes', { key: OTHER_KEY })).status).toBe(500);
	});

	test('clearing takes them away, and unknown kinds are rejected', async () => {
		await order(fault);
		expect((await call(sandbox, 'DELETE', '/_sandbox/faults')).status).toBe(204);
		expect((await call(sandbox, 'GET', '/v2/codes')).status).toBe(200);
		const response = await call(sandbox, 'POST', '/_sandbox/faults', {
			body: { fault: { kind: 'earthquake' } },
		});
		expect(response.status).toBe(400);
	});
});
