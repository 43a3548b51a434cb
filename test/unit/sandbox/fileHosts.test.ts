import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { basic, DEMO_KEY, useSandbox } from './sandboxCalls';

let now = Date.parse('2026-05-04T10:00:00Z');
const service = useSandbox({ clock: () => now });

const send = async (method: string, path: string, init: RequestInit = {}) => {
	const response = await fetch(new URL(path, service.sandbox.url), { method, ...init });
	return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the file drop', () => {
	test('takes a pre-signed upload and gives the same bytes back', async () => {
		const bytes = Buffer.from([0, 255, 10, 13, 0]);
		expect((await send('PUT', '/drop/a.zip', { body: bytes })).status).toBe(403);
		expect((await send('PUT', '/drop/a.zip?sig=x', { body: bytes })).status).toBe(201);
		const stored = await fetch(`${service.sandbox.url}/drop/a.zip`);
		expect(Buffer.from(await stored.arrayBuffer())).toEqual(bytes);
	});

	const file =
		'Content-Disposition: form-data; name="file"; filename="b.zip"\r\nContent-Type: application/zip\r\n\r\ncontent\r\n';
	const nameless = file.replace('; filename="b.zip"', '');
	const key = 'Content-Disposition: form-data; name="key"\r\n\r\nin/${filename}\r\n';

	test.each<[string, number, string[], string?]>([
		['fields before the file', 201, [key, file]],
		['no file', 400, [key]],
		['a field behind the file', 400, [file, key]],
		['a file without a name', 400, [nameless]],
		['no last boundary', 400, [file], ''],
	])('responds to a form with %s: %i', async (_, status, parts, end = '--X--\r\n') => {
		const body = [...parts.map((part) => `--X\r\n${part}`), end].join('');
		const headers = { 'content-type': 'multipart/form-data; boundary=X' };
		const response = await send('POST', '/drop', { body, headers });
		expect(response.status).toBe(status);
		if (status !== 201) return;
		expect(response.headers.get('location')).toBe(`${service.sandbox.url}/drop/in/b.zip`);
		expect((await send('GET', '/drop/in/b.zip')).text).toBe('content');
	});

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
	const importPerson = async () =>
		(
			await service.import({
				columns: 'NativeId,Email',
				rows: ['100001,new@example.org'],
				mappingTypes: [{ name: 'Email' }],
			})
		).record.resultFiles?.[0] ?? { url: '', dateExpired: '' };

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

	test('expire on demand', async () => {
		const { url } = await importPerson();
		expect((await service.post('/_sandbox/expire-results', {})).status).toBe(204);
		expect((await send('GET', url)).status).toBe(403);
	});
});

test('webhooks are called at the end of a job where the tenant does so', async () => {
	const listening = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	service.change({ styles: { webhooks: true } });
	const called = once(listening, 'request');
	await service.post('/v2/bulkImportJobs', {
		description: 'one person',
		listeners: [{ type: 'webhook', value: `http://127.0.0.1:${port}/resume` }],
		file: {
			fileName: 'a.csv',
			sourceUrl: 'https://127.0.0.1:9/a.zip',
			columns: [{ name: 'NativeId' }, { name: 'Email' }],
		},
		actions: [
			{
				actionType: 'loadMappedFile',
				resourceType: 'Contacts',
				resultFileSizeKbLimit: 5000,
				mappingTypes: [{ name: 'Email' }],
			},
		],
	});
	expect(await called).toMatchObject([{ method: 'POST', url: '/resume' }, {}]);
	listening.close();
});
