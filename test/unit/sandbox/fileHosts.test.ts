import FormData from 'form-data';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { zipOf } from './bulkImportZip';
import { basic, call, DEMO_KEY, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
let now = Date.parse('2026-05-04T10:00:00Z');
beforeEach(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED, linkBase: 'http', clock: () => now });
});
afterEach(async () => await sandbox.close());

const send = async (method: string, path: string, init: RequestInit = {}) => {
	const response = await fetch(`${sandbox.url}${path}`, { method, ...init });
	return { status: response.status, headers: response.headers, text: await response.text() };
};

const ZIP = { filename: 'b.zip', contentType: 'application/zip' };

/** @param cut bytes that are missing at the end */
const sendForm = async (fill: (form: FormData) => void, cut = 0) => {
	const form = new FormData();
	fill(form);
	const body = new Uint8Array(form.getBuffer());
	return await send('POST', '/drop', {
		body: body.subarray(0, body.length - cut),
		headers: form.getHeaders(),
	});
};

describe('the file drop', () => {
	test('takes a pre-signed upload and gives the same bytes back', async () => {
		const bytes = Buffer.from([0, 255, 10, 13, 0]);
		const response = await send('PUT', '/drop/jobs/a.zip?sig=x', {
			body: bytes,
			headers: { 'content-type': 'application/zip' },
		});
		expect([response.status, JSON.parse(response.text)]).toEqual([
			201,
			{ url: `${sandbox.url}/drop/jobs/a.zip` },
		]);
		const stored = await fetch(`${sandbox.url}/drop/jobs/a.zip`);
		expect(stored.headers.get('content-type')).toBe('application/zip');
		expect(Buffer.from(await stored.arrayBuffer())).toEqual(bytes);
		expect((await send('GET', '/drop/other.zip')).status).toBe(404);
		expect(sandbox.requests.map((entry) => entry.executed)).toEqual([true, true, false]);
	});

	test('rejects an upload without a signature', async () => {
		expect((await send('PUT', '/drop/a.zip', { body: 'x' })).status).toBe(403);
	});

	test('takes a multipart form with further fields', async () => {
		const response = await sendForm((form) => {
			form.append('policy', 'p');
			form.append('key', 'in/${filename}');
			form.append('file', Buffer.from('content'), ZIP);
		});
		expect(response.headers.get('location')).toBe(`${sandbox.url}/drop/in/b.zip`);
		expect((await send('GET', '/drop/in/b.zip')).text).toBe('content');
		expect((await send('POST', '/drop', { body: 'x' })).status).toBe(415);
	});

	test.each<[string, (form: FormData) => void]>([
		['without a file', (form) => form.append('key', 'x')],
		[
			'with a field behind the file',
			(form) => {
				form.append('file', Buffer.from('content'), ZIP);
				form.append('key', 'x');
			},
		],
		[
			'with a file that has no name',
			(form) => form.append('file', Buffer.from('content'), { contentType: 'application/zip' }),
		],
	])('rejects a form %s', async (_, fill) => {
		expect((await sendForm(fill)).status).toBe(400);
	});

	test('rejects a form that ends before its last boundary', async () => {
		expect((await sendForm((form) => form.append('file', Buffer.from('x'), ZIP), 8)).status).toBe(
			400,
		);
	});

	test.each([
		['the apiKey header', { apikey: DEMO_KEY }],
		['Basic with the key', { authorization: basic('apiuser', DEMO_KEY) }],
		['Basic with key and mode', { authorization: basic('x', `${DEMO_KEY}|1`) }],
	])('rejects and counts %s', async (_name, headers: Record<string, string>) => {
		expect((await send('PUT', '/drop/a.zip?sig=x', { body: 'x', headers })).status).toBe(400);
		expect((await send('GET', '/drop/a.zip', { headers })).status).toBe(400);
		expect(sandbox.control.stats().leakedCredentials).toBe(2);
		expect((await send('GET', '/drop/a.zip')).status).toBe(404);
	});

	test('can ask for credentials of its own, which are no leak', async () => {
		const own = await startSandbox({ dropCredentials: { user: 'files', password: 'pass word' } });
		const headers = { authorization: basic('files', 'pass word') };
		const put = await fetch(`${own.url}/drop/a.zip`, { method: 'PUT', body: 'x', headers });
		const rejected = await fetch(`${own.url}/drop/a.zip`);
		const given = await fetch(`${own.url}/drop/a.zip`, { headers });
		expect([put.status, rejected.status, given.status]).toEqual([201, 401, 200]);
		expect(own.control.stats().leakedCredentials).toBe(0);
		await own.close();
	});
});

const people = async () =>
	new Uint8Array(await zipOf({ 'people.csv': 'NativeId,Email\n100001,new@example.org\n' }));

/** The record of an import when it has ended: of one person unless another file is given. */
async function finishJob(archive?: Uint8Array<ArrayBuffer>, listeners: object[] = []) {
	await send('PUT', '/drop/people.zip?sig=x', { body: archive ?? (await people()) });
	const created = await call(sandbox, 'POST', '/v2/bulkImportJobs', {
		body: {
			description: 'one person',
			listeners,
			file: {
				fileName: 'people.csv',
				sourceUrl: `${sandbox.httpsUrl}/drop/people.zip`,
				hasHeader: true,
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
		},
	});
	const { jobId } = created.body as { jobId: number };
	for (;;) {
		const { body } = await call(sandbox, 'GET', `/v2/bulkImportJobs/${jobId}`);
		const job = body as {
			status: string;
			errors: unknown[];
			resultFiles: Array<{ url: string; dateExpired: string }> | null;
		};
		if (!/Pending|InProgress/.test(job.status)) return job;
		now += 1000;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

describe('result links', () => {
	const download = async (url: string, headers: Record<string, string> = {}) => {
		const response = await fetch(url, { headers });
		return { status: response.status, text: await response.text() };
	};

	test('a job fetches its file over https and its results need no credentials', async () => {
		const job = await finishJob();
		expect(job).toMatchObject({ status: 'Completed', errors: [] });
		const [file] = job.resultFiles ?? [];
		expect(file?.dateExpired).toMatch(/^2026-05-05T\d\d:\d\d:\d\d\.\d{7}\+00:00$/);
		expect((await download(file?.url ?? '')).text).toContain('100001,NativeID,Processed');
	});

	test('they reject and count credentials, and expire', async () => {
		const [file] = (await finishJob()).resultFiles ?? [];
		const url = file?.url ?? '';
		expect((await download(url, { apiKey: DEMO_KEY })).status).toBe(400);
		expect((await download(url, { authorization: basic('any', 'thing') })).status).toBe(400);
		expect(sandbox.control.stats().leakedCredentials).toBe(2);
		expect((await download(url)).status).toBe(200);
		now += 24 * 60 * 60 * 1000;
		expect(await download(url)).toEqual({ status: 403, text: expect.stringContaining('<?xml') });
		expect((await download(`${sandbox.url}/results/x/1.csv`)).status).toBe(404);
	});

	test('they expire on demand', async () => {
		const [file] = (await finishJob()).resultFiles ?? [];
		expect((await call(sandbox, 'POST', '/_sandbox/expire-results')).status).toBe(204);
		expect((await download(file?.url ?? '')).status).toBe(403);
	});

	test('they can be missing from the start, or have expired', async () => {
		sandbox.control.addFault({
			fault: { kind: 'job', failure: { kind: 'results', files: 3, missing: [1], expired: [2] } },
		});
		const links = ((await finishJob()).resultFiles ?? []).map(({ url }) => url);
		const statuses = await Promise.all(links.map(async (url) => (await download(url)).status));
		expect(statuses).toEqual([404, 403, 200]);
	});

	test('webhooks are called at the end, and descriptions shown, where the tenant does so', async () => {
		const received: IncomingMessage[] = [];
		const listening = createServer((request, response) => {
			received.push(request);
			response.end();
		}).listen(0, '127.0.0.1');
		await once(listening, 'listening');
		const { port } = listening.address() as AddressInfo;
		const listeners = [{ type: 'webhook', value: `http://127.0.0.1:${port}/resume` }];
		expect(await finishJob(undefined, listeners)).not.toHaveProperty('description');
		sandbox.control.updateTenant('demo', { styles: { webhooks: true, jobDescriptions: true } });
		const called = once(listening, 'request');
		expect(await finishJob(undefined, listeners)).toMatchObject({
			description: 'one person',
		});
		await called;
		expect(received.map(({ method, url }) => [method, url])).toEqual([['POST', '/resume']]);
		listening.close();
	});

	test('a job can be made to fail', async () => {
		sandbox.control.addFault({
			fault: { kind: 'job', failure: { kind: 'fail', text: 'The archive cannot be read.' } },
		});
		expect(await finishJob()).toMatchObject({
			status: 'Failed',
			errors: [{ text: 'The archive cannot be read.' }],
		});
		expect(await finishJob()).toMatchObject({ status: 'Completed' });
	});

	test('a job takes 20 MB, or as much as the deployment of the tenant', async () => {
		const tooMuch = new Uint8Array(20_000_001);
		expect(await finishJob(tooMuch)).toMatchObject({
			errors: [{ text: 'The archive is larger than 20 MB.' }],
		});
		const change = { body: { maxZipMegabytes: 100 } };
		expect((await call(sandbox, 'PATCH', '/_sandbox/tenants/demo', change)).status).toBe(204);
		expect(await finishJob(tooMuch)).toMatchObject({
			errors: [{ text: expect.stringContaining('not a readable zip archive') as string }],
		});
	});

	test('jobs of both versions are listed, until the list is switched off', async () => {
		await finishJob();
		const list = async (version: string) =>
			await call(sandbox, 'GET', `/${version}/bulkImportJobs`);
		expect((await list('v2')).body).toMatchObject({ count: 1, items: [{ status: 'Completed' }] });
		expect((await list('v4')).body).toMatchObject({ count: 1 });
		sandbox.control.updateTenant('demo', { styles: { bulkImportJobList: false } });
		expect((await list('v2')).status).toBe(404);
	});

	test('mapping types come in an envelope or bare, and unknown ones are 404', async () => {
		const get = async (path: string) =>
			await call(sandbox, 'GET', `/v2/bulkImportMappingTypes${path}`);
		expect((await get('')).body).toMatchObject({ nextPageLink: null });
		expect((await get('/Email/EmailTypeId/values')).body).toMatchObject({
			items: [{ name: 'Personal', id: '1' }, {}, {}],
		});
		sandbox.control.updateTenant('demo', { styles: { mappingTypeResponses: 'array' } });
		expect(Array.isArray((await get('')).body)).toBe(true);
		expect((await get('/Email')).body).toMatchObject({ name: 'Email' });
		expect((await get('/email')).status).toBe(404);
		expect((await get('/Email/Nothing/values')).status).toBe(404);
	});
});
