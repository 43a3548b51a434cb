import { basic, DEMO_KEY, useSandbox } from './sandboxCalls';

let now = Date.parse('2026-05-04T10:00:00Z');
const service = useSandbox({ clock: () => now });

const send = async (method: string, path: string, init: RequestInit = {}) => {
	const response = await fetch(new URL(path, service.sandbox.url), { method, ...init });
	return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the file drop', () => {
	test.each<[string, Record<string, string>]>([
		['the apiKey header', { apikey: DEMO_KEY }],
		['Basic with the key', { authorization: basic('apiuser', DEMO_KEY) }],
		['Basic with key and mode', { authorization: basic('x', `${DEMO_KEY}|1`) }],
	])('rejects and counts %s', async (_, headers) => {
		expect((await send('PUT', '/drop/c.zip?sig=x', { body: 'x', headers })).status).toBe(400);
		expect((await send('GET', '/drop/c.zip', { headers })).status).toBe(400);
		expect(service.sandbox.control.stats().leakedCredentials).toBe(2);
		expect((await send('GET', '/drop/c.zip')).status).toBe(404);
	});
});

describe('result links', () => {
	const importPerson = async () => {
		const columns = ['NativeId', 'Email'].map((name) => ({ name }));
		const sourceUrl = await service.host('people.csv', '100001,new@example.org');
		await service.post('/v2/bulkImportJobs', {
			description: 'Test import',
			file: { fileName: 'people.csv', sourceUrl, columns },
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'Contacts',
					resultFileSizeKbLimit: 5000,
					mappingTypes: [{ name: 'Email' }],
				},
			],
		});
		await service.settle();
		return service.jobs()[0]?.resultFiles?.[0] ?? { url: '', dateExpired: '' };
	};

	test('reject and count credentials, and expire', async () => {
		const { url, dateExpired } = await importPerson();
		expect(dateExpired).toMatch(/^2026-05-05T\d\d:\d\d:\d\d\.\d{7}\+00:00$/);
		for (const [name, value] of [
			['apiKey', DEMO_KEY],
			['authorization', basic('any', 'thing')],
		] as const) {
			expect((await send('GET', url, { headers: { [name]: value } })).status).toBe(400);
		}
		expect(service.sandbox.control.stats().leakedCredentials).toBe(2);
		expect((await send('GET', url)).status).toBe(200);
		now += 24 * 60 * 60 * 1000;
		expect(await send('GET', url)).toMatchObject({
			status: 403,
			text: expect.stringContaining('<?xml') as string,
		});
	});
});
