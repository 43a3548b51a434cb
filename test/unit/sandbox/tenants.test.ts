import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, DEMO_KEY, OTHER_KEY, RESTRICTED_KEY, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED });
});
afterAll(async () => await sandbox.close());

test('the same id is another record for each key', async () => {
	const email = async (key: string) => {
		const response = await call(sandbox, 'GET', '/v2/people/100001?$expand=emails', { key });
		return (response.body as { emails: Array<{ email: string }> }).emails[0]?.email;
	};
	expect(await email(DEMO_KEY)).toBe('avery.sample@demo.example.org');
	expect(await email(OTHER_KEY)).toBe('avery.sample@other.example.org');
});

test('a key neither finds, changes nor deletes what another one stored', async () => {
	const created = await call(sandbox, 'POST', '/v2/codes', { body: { name: 'Mine' } });
	const codeId = String(created.body);
	for (const [method, body] of [
		['GET', undefined],
		['PUT', { name: 'Stolen' }],
		['DELETE', undefined],
	] as const) {
		const response = await call(sandbox, method, `/v2/codes/${codeId}`, { key: OTHER_KEY, body });
		expect([method, response.status]).toEqual([method, 404]);
	}
	const search = await call(sandbox, 'POST', '/v2/people/find', {
		key: OTHER_KEY,
		body: { emails: [{ email: 'avery.sample@demo.example.org' }] },
	});
	expect(search.status).toBe(404);
	expect(sandbox.control.codes('demo').some((code) => code.name === 'Mine')).toBe(true);
	expect(sandbox.control.codes('other').some((code) => code.name === 'Mine')).toBe(false);
});

test.each([
	['GET', '/v2/codeTypes', 403],
	['POST', '/v2/bulkImportJobs', 403],
	['GET', '/v2/bulkImportJobs/999999', 403],
	['DELETE', '/v2/people/100001', 403],
	['DELETE', '/v2/people/999999', 403],
	['GET', '/v2/people/100001', 200],
	['GET', '/v2/codes', 200],
])('the restricted key: %s %s is %d', async (method, path, status) => {
	const response = await call(sandbox, method, path, {
		key: RESTRICTED_KEY,
		...(method === 'POST' && { body: {} }),
	});
	expect(response.status).toBe(status);
	if (status === 403) expect(response.text).toContain('"FORBIDDEN"');
});

test('permissions can be changed while it runs', async () => {
	const change = await call(sandbox, 'PATCH', '/_sandbox/tenants/demo', {
		body: { rejected: ['POST /codes'] },
	});
	expect(change.status).toBe(204);
	expect((await call(sandbox, 'POST', '/v2/codes', { body: { name: 'No' } })).status).toBe(403);
	expect((await call(sandbox, 'GET', '/v2/codes')).status).toBe(200);
	sandbox.control.updateTenant('demo', { rejected: [] });
});
