import { parse } from 'csv-parse/sync';
import { z } from 'zod';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, DEMO_KEY, rawCall, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({
		tenants: [{ name: 'demo', key: DEMO_KEY, tier: UNLIMITED, extraPeople: 120 }],
	});
});
afterEach(async () => await sandbox.close());

interface Page {
	items: Array<Record<string, unknown>>;
	nextPageLink: string | null;
	count: number;
}
const get = async (path: string) => await call(sandbox, 'GET', path);
const pageAt = async (path: string) => (await get(path)).body as Page;

describe('the general conventions', () => {
	test('create, get, replace, patch, list and delete', async () => {
		const created = await call(sandbox, 'POST', '/v2/events', { body: { name: 'A', place: 'B' } });
		const { eventId } = created.body as { eventId: number };
		expect([created.status, created.headers.get('location')]).toEqual([
			201,
			`${sandbox.url}/v2/events/${eventId}`,
		]);
		const path = `/v2/events/${eventId}`;
		expect((await call(sandbox, 'PATCH', path, { body: { name: 'C' } })).status).toBe(204);
		expect((await get(path)).body).toEqual({ eventId, name: 'C', place: 'B' });
		expect((await call(sandbox, 'PUT', path, { body: { name: 'D' } })).status).toBe(204);
		expect((await get(path)).body).toEqual({ eventId, name: 'D' });
		expect((await pageAt('/v2/events?name=D')).items).toEqual([{ eventId, name: 'D' }]);
		expect((await call(sandbox, 'DELETE', path)).status).toBe(204);
		expect((await get(path)).status).toBe(404);
		expect((await call(sandbox, 'POST', '/v2/events', { body: { eventId: 4 } })).status).toBe(400);
		expect((await call(sandbox, 'POST', '/v2/events', { body: ['x'] })).status).toBe(400);
	});

	test('contributions have fields that are checked', async () => {
		const body = { nativeId: 100_001, amount: 12.5, dateReceived: '2026-02-01' };
		const created = await call(sandbox, 'POST', '/v2/contributions', { body });
		const { contributionId } = created.body as { contributionId: number };
		const path = `/v2/contributions/${contributionId}`;
		expect((await call(sandbox, 'PATCH', path, { body: { amount: 20 } })).status).toBe(204);
		expect((await get(path)).body).toMatchObject({ ...body, amount: 20 });
		const inV4 = `/v4/contributions/${contributionId}`;
		expect((await call(sandbox, 'PATCH', inV4, { body: { amount: 21 } })).status).toBe(204);
		expect((await call(sandbox, 'PATCH', path, { body: { vanId: 100_001 } })).status).toBe(400);
		expect((await get(inV4)).body).toMatchObject({ vanId: 100_001, amount: 21 });
		for (const wrong of [{ ...body, amount: '12.5' }, { ...body, nativeId: 5 }, { amount: 1 }]) {
			expect((await call(sandbox, 'POST', '/v2/contributions', { body: wrong })).status).toBe(400);
		}
	});

	test('unknown resources are 404 with an envelope, unknown methods 405', async () => {
		for (const path of [
			'/v2/nothing',
			'/v2/nothing/4',
			'/v2/people/100001/nothing',
			'/v2/a/b/c/d',
		]) {
			const response = await get(path);
			expect([path, response.status, response.body]).toEqual([
				path,
				404,
				{ errors: [{ code: 'NOT_FOUND', text: 'The specified resource cannot be found.' }] },
			]);
		}
		expect((await call(sandbox, 'DELETE', '/v2/codeTypes')).status).toBe(405);
		expect((await call(sandbox, 'GET', '/v2/people/find')).status).toBe(405);
		expect((await call(sandbox, 'GET', '/v2/People/100001')).status).toBe(404);
	});

	test('connection checks', async () => {
		const echo = await call(sandbox, 'POST', '/v2/echoes', { body: { message: 'ping' } });
		expect(echo.body).toMatchObject({ message: 'ping', delayInMilliseconds: 0 });
		expect((await pageAt('/v2/apiKeyProfiles')).items).toMatchObject([{ hasMyCampaign: true }]);
	});
});

describe('paging', () => {
	const path = '/v2/people?email=e';

	test('is 50 by default, and its links lead through everything once', async () => {
		let next: string | null = `${sandbox.url}/v2/people?email=extra`;
		const sizes: number[] = [];
		const ids = new Set<unknown>();
		while (next !== null) {
			expect(new URL(next).port).not.toBe('');
			const current: Page = await pageAt(next.slice(sandbox.url.length));
			expect(current.count).toBe(120);
			sizes.push(current.items.length);
			current.items.forEach((item) => ids.add(item.nativeId));
			next = current.nextPageLink;
			if (next !== null) expect(next).toContain('$skip=');
		}
		expect(sizes).toEqual([50, 50, 20]);
		expect(ids.size).toBe(120);
	});

	test.each(['$top=0', '$top=201', '$top=x', '$skip=-1', '$top=1.5'])(
		'%s is rejected',
		async (query) => {
			const response = await get(`${path}&${query}`);
			expect([response.status, response.text]).toEqual([400, expect.stringContaining('"hint"')]);
		},
	);

	test('200 is the most', async () => {
		expect((await pageAt(`${path}xtra&$top=200`)).items).toHaveLength(120);
	});
});

describe('what stands in front of the service', () => {
	const headers = { apikey: DEMO_KEY };

	test.each([
		['a non-integer id', '/v2/codes/abc', 404],
		['an id over 2147483647', '/v2/people/2147483648', 404],
		['a query over 2048 characters', `/v2/codes?name=${'x'.repeat(2050)}`, 404],
		['an unknown version', '/v3/codes', 404],
		['a NUL in the path', '/v2/people/a%00', 400],
		['a broken escape', '/v2/people/%zz', 400],
	])('%s is answered with HTML', async (_name, path, status) => {
		const response = await rawCall(sandbox, 'GET', path, headers);
		expect([response.status, response.text.slice(0, 9)]).toEqual([status, '<!DOCTYPE']);
	});

	test.each(['%3C', '%3e', '*', '&'])(
		'%s in a path segment redirects to an error page',
		async (c) => {
			const response = await rawCall(sandbox, 'GET', `/v2/people/CrmId:${c}`, headers);
			expect([response.status, response.location]).toEqual([
				302,
				expect.stringMatching(/^\/Error\.aspx/),
			]);
			const page = await rawCall(sandbox, 'GET', response.location ?? '', {});
			expect([page.status, page.text.slice(0, 9)]).toEqual([200, '<!DOCTYPE']);
		},
	);

	test('an id at the limit still reaches the service', async () => {
		const response = await rawCall(sandbox, 'GET', '/v2/people/2147483647', headers);
		expect([response.status, response.text]).toEqual([404, expect.stringContaining('NOT_FOUND')]);
	});
});

test('an export of a saved list is a CSV file that any name survives', async () => {
	const names = ['Placeholder, Jr.', 'The "Quoted" Family', "O'Hara"];
	for (const lastName of names) {
		const body = { firstName: 'A', lastName, emails: [{ email: 'a@example.org' }] };
		await call(sandbox, 'POST', '/v2/people/findOrCreate', { body });
	}
	const lists = (await get('/v2/savedLists')).body as Page;
	const { savedListId } = lists.items[0] ?? {};
	const started = await call(sandbox, 'POST', '/v2/exportJobs', { body: { savedListId, type: 4 } });
	const { exportJobId } = started.body as { exportJobId: number };
	const { downloadUrl } = (await get(`/v2/exportJobs/${exportJobId}`)).body as {
		downloadUrl: string;
	};
	const { pathname } = new URL(downloadUrl);
	const file = await (await fetch(`${sandbox.url}${pathname}`)).text();
	const rows = z.array(z.object({ LastName: z.string() })).parse(parse(file, { columns: true }));
	const exported = rows.map(({ LastName }) => LastName);
	expect(exported).toEqual(expect.arrayContaining(names));
});
