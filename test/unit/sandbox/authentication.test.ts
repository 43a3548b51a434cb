import { basic, DEMO_KEY, OTHER_KEY, RESTRICTED_KEY, useSandbox } from './sandboxCalls';

const service = useSandbox();

const upper = 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE';

test.each<[string, string, Record<string, string>, number]>([
	['v2', 'Basic with apiuser and the key', { authorization: basic('apiuser', DEMO_KEY) }, 200],
	['v2', 'the apiKey header', { apikey: DEMO_KEY }, 200],
	['v2', 'both', { authorization: basic('apiuser', DEMO_KEY), apikey: DEMO_KEY }, 401],
	['v2', 'another user name', { authorization: basic('someone', DEMO_KEY) }, 401],
	['v2', 'a user name in another case', { authorization: basic('APIUser', DEMO_KEY) }, 401],
	['v2', 'Basic with a mode', { authorization: basic('apiuser', `${DEMO_KEY}|1`) }, 401],
	['v2', 'an unknown key', { apikey: upper }, 401],
	['v2', 'spaces around the key', { authorization: basic('apiuser', ` ${DEMO_KEY}`) }, 401],
	['v2', 'a bearer token', { authorization: `Bearer ${DEMO_KEY}` }, 401],
	['v2', 'nothing', {}, 401],
	['v4', 'any user name with mode 1', { authorization: basic('x', `${DEMO_KEY}|1`) }, 200],
	['v4', 'a mode the key has not', { authorization: basic('x', `${DEMO_KEY}|0`) }, 401],
	['v4', 'a key with both modes', { authorization: basic('x', `${OTHER_KEY}|0`) }, 200],
	['v4', 'no mode', { authorization: basic('apiuser', DEMO_KEY) }, 401],
	['v4', 'another mode', { authorization: basic('x', `${DEMO_KEY}|2`) }, 401],
	['v4', 'the apiKey header', { apikey: DEMO_KEY }, 401],
])('%s takes %s: %3$i', async (version, _, headers, status) => {
	const response = await service.call('GET', `/${version}/codeTypes`, { key: null, headers });
	expect(response.status).toBe(status);
	if (status === 401) {
		expect(response.body).toEqual({
			errors: [{ code: 'UNAUTHORIZED', text: 'Invalid Database Mode' }],
		});
	}
});

test('no key appears in the log', async () => {
	const authorization = basic('apiuser', DEMO_KEY);
	await service.call('GET', '/v2/codeTypes', { key: null, headers: { authorization } });
	await service.get(`/v2/codes?name=${DEMO_KEY.toUpperCase()}`);
	await service.post('/v2/codes', { name: `key ${DEMO_KEY}` });
	const log = await service.get('/_sandbox/requests');
	expect(log.body).toMatchObject([
		{ authentication: 'basic', headers: { authorization: '[masked]' } },
		{ authentication: 'apiKey' },
		{ authentication: 'apiKey' },
	]);
	expect(log.text.toLowerCase()).not.toContain(DEMO_KEY);
	expect(log.text).not.toContain(authorization.slice('Basic '.length));
});

describe('keys and modes', () => {
	test('neither find, change nor delete what another key stored', async () => {
		const created = await service.post('/v2/codes', { name: 'Mine' });
		for (const method of ['GET', 'PUT', 'DELETE']) {
			const options = { key: OTHER_KEY, ...(method === 'PUT' && { body: { name: 'Stolen' } }) };
			const { status } = await service.call(method, `/v2/codes/${String(created.body)}`, options);
			expect([method, status]).toEqual([method, 404]);
		}
		expect(service.sandbox.control.codes('demo').at(-1)?.name).toBe('Mine');
	});

	test.each([
		['GET', '/v2/codeTypes', 403],
		['POST', '/v2/bulkImportJobs', 403],
		['DELETE', '/v2/people/100001', 403],
		['GET', '/v2/people/100001', 200],
	])('may do less with the restricted key: %s %s is %d', async (method, path, status) => {
		const body = method === 'POST' ? { body: {} } : {};
		const response = await service.call(method, path, { key: RESTRICTED_KEY, ...body });
		expect(response.status).toBe(status);
		if (status === 403) expect(response.text).toContain('"FORBIDDEN"');
	});
});
