import { startSandbox, type Sandbox } from '../../../sandbox';
import { basic, call, DEMO_KEY, OTHER_KEY, rawCall, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED });
});
afterAll(async () => await sandbox.close());

const upper = 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE';

describe('v2', () => {
	test.each([
		['Basic with apiuser and the key', { authorization: basic('apiuser', DEMO_KEY) }, 200],
		['the apiKey header', { apikey: DEMO_KEY }, 200],
		['the header in any case', { APIKEY: DEMO_KEY }, 200],
		['both at once', { authorization: basic('apiuser', DEMO_KEY), apikey: DEMO_KEY }, 401],
		['another user name', { authorization: basic('someone', DEMO_KEY) }, 401],
		['a user name in other case', { authorization: basic('APIUser', DEMO_KEY) }, 401],
		['a mode suffix with Basic', { authorization: basic('apiuser', `${DEMO_KEY}|1`) }, 401],
		['a mode suffix in the header', { apikey: `${DEMO_KEY}|1` }, 401],
		['an unknown key', { apikey: upper }, 401],
		['spaces around the key', { authorization: basic('apiuser', ` ${DEMO_KEY}`) }, 401],
		['a bearer token', { authorization: `Bearer ${DEMO_KEY}` }, 401],
		['nothing', {}, 401],
	])('%s', async (_name, headers, status) => {
		const response = await rawCall(sandbox, 'GET', '/v2/codeTypes', { ...headers });
		expect(response.status).toBe(status);
		if (status === 401) {
			expect(JSON.parse(response.text)).toEqual({
				errors: [{ code: 'UNAUTHORIZED', text: 'Invalid Database Mode' }],
			});
		}
	});

	test('takes the key in any case', async () => {
		const own = await startSandbox({ tenants: [{ name: 'letters', key: upper.toLowerCase() }] });
		const response = await rawCall(own, 'GET', '/v2/codeTypes', { apikey: upper });
		await own.close();
		expect(response.status).toBe(200);
	});
});

describe('v4', () => {
	test.each([
		[
			'any user name with key and mode 1',
			{ authorization: basic('whatever', `${DEMO_KEY}|1`) },
			200,
		],
		['a mode the key has not', { authorization: basic('whatever', `${DEMO_KEY}|0`) }, 401],
		['a key with both modes', { authorization: basic('whatever', `${OTHER_KEY}|0`) }, 200],
		['a missing mode', { authorization: basic('apiuser', DEMO_KEY) }, 401],
		['another mode', { authorization: basic('whatever', `${DEMO_KEY}|2`) }, 401],
		['the apiKey header', { apikey: DEMO_KEY }, 401],
		['the apiKey header with mode', { apikey: `${DEMO_KEY}|1` }, 401],
	])('%s', async (_name, headers, status) => {
		const response = await rawCall(sandbox, 'GET', '/v4/codeTypes', { ...headers });
		expect(response.status).toBe(status);
	});

	test('the modes are two databases', async () => {
		const ids = async (mode: number) => {
			const response = await call(sandbox, 'GET', '/v4/people?firstName=Avery', {
				headers: { authorization: basic('x', `${OTHER_KEY}|${mode}`) },
			});
			return (response.body as { items: Array<{ vanId: number }> }).items.map((item) => item.vanId);
		};
		expect(await ids(1)).toEqual([100_001]);
		expect(await ids(0)).toEqual([700_001]);
	});

	test('has no contacts/findOrCreate', async () => {
		const response = await call(sandbox, 'POST', '/v4/contacts/findOrCreate', { body: {} });
		expect(response.status).toBe(404);
	});
});

test('no key appears in the log', async () => {
	sandbox.control.clearRequests();
	await rawCall(sandbox, 'GET', '/v2/codeTypes', { authorization: basic('apiuser', DEMO_KEY) });
	await rawCall(sandbox, 'GET', `/v2/codes?name=${DEMO_KEY.toUpperCase()}`, { apikey: DEMO_KEY });
	await call(sandbox, 'POST', '/v2/echoes', { body: { message: `key ${DEMO_KEY}` } });
	const log = await call(sandbox, 'GET', '/_sandbox/requests');
	const entries = log.body as Array<{ authentication: string; headers: Record<string, string> }>;
	expect(entries.map((entry) => entry.authentication)).toEqual(['basic', 'apiKey', 'apiKey']);
	expect(entries[0]?.headers.authorization).toBe('[masked]');
	expect(log.text.toLowerCase()).not.toContain(DEMO_KEY);
	expect(log.text).not.toContain(Buffer.from(`apiuser:${DEMO_KEY}`).toString('base64'));
});
