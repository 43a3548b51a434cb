import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, rejectedProperties, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED });
});
afterEach(async () => await sandbox.close());

const EVENTS = { name: 'Events', isSearchable: true, isApplicable: false };
const send = async (method: string, path: string, body?: unknown) =>
	await call(sandbox, method, path, { body });
const stored = (codeId: unknown) =>
	sandbox.control.codes('demo').find((code) => code.codeId === codeId);

test('a code without a type is a SourceCode and its supportedEntities are ignored', async () => {
	const response = await send('POST', '/v2/codes', {
		name: 'Appeal',
		campaign: { campaignId: 4 },
		supportedEntities: [{ name: 'Anything', isSearchable: true, isApplicable: true }],
	});
	expect([response.status, response.body]).toEqual([201, 505]);
	expect(stored(505)).toMatchObject({
		codeType: 'SourceCode',
		supportedEntities: [],
		metadata: { campaign: { campaignId: 4 } },
	});
});

test('the response to a creation follows the style of the tenant', async () => {
	sandbox.control.updateTenant('demo', { styles: { codeResponses: 'object' } });
	expect((await send('POST', '/v2/codes', { name: 'A' })).body).toMatchObject({
		codeId: 505,
		name: 'A',
	});
	sandbox.control.updateTenant('demo', { styles: { codeResponses: 'location' } });
	const response = await send('POST', '/v2/codes', { name: 'B' });
	expect([response.status, response.text, response.headers.get('location')]).toEqual([
		201,
		'',
		`${sandbox.url}/v2/codes/506`,
	]);
});

test.each<[string, unknown, string[]]>([
	['no name', {}, ['name']],
	['a name over 50 characters', { name: 'x'.repeat(51) }, ['name']],
	['a slash in the name', { name: 'a/b' }, ['name']],
	[
		'a description over 200 characters',
		{ name: 'a', description: 'x'.repeat(201) },
		['description'],
	],
	['an unknown type', { name: 'a', codeType: 'tag' }, ['codeType']],
	['an unknown parent', { name: 'a', codeType: 'Tag', parentCodeId: 9 }, ['parentCodeId']],
	['a parent of a source code', { name: 'a', parentCodeId: 503 }, ['parentCodeId']],
	['a parent that is no tag', { name: 'a', codeType: 'Tag', parentCodeId: 503 }, ['parentCodeId']],
	[
		'an entity the service does not list',
		{ name: 'a', codeType: 'Tag', supportedEntities: [EVENTS, { ...EVENTS, name: 'Doors' }] },
		['supportedEntities[1].name'],
	],
	[
		'flags as text',
		{ name: 'a', codeType: 'Tag', supportedEntities: [{ ...EVENTS, isSearchable: 'true' }] },
		['supportedEntities[0].isSearchable'],
	],
	['a read-only value', { name: 'a', codeId: 5 }, ['codeId']],
	['an id as text', { name: 'a', campaign: { campaignId: '4' } }, ['campaign.campaignId']],
	[
		'a name beside a metadata id',
		{ name: 'a', campaign: { campaignId: 4, name: 'x' } },
		['campaign.name'],
	],
])('%s is rejected', async (_name, body, properties) => {
	const response = await send('POST', '/v2/codes', body);
	expect([response.status, rejectedProperties(response)]).toEqual([400, properties]);
});

test('PUT clears what it leaves out and cannot change the type', async () => {
	const { body: codeId } = await send('POST', '/v2/codes', {
		name: 'Tag',
		codeType: 'Tag',
		description: 'kept?',
		parentCodeId: 501,
		supportedEntities: [EVENTS],
	});
	expect(
		(await send('PUT', `/v2/codes/${codeId}`, { name: 'T', codeType: 'SourceCode' })).status,
	).toBe(400);
	expect((await send('PUT', `/v2/codes/${codeId}`, { name: 'Renamed' })).status).toBe(204);
	expect(stored(codeId)).toMatchObject({
		name: 'Renamed',
		codeType: 'Tag',
		description: null,
		parentCodeId: null,
		supportedEntities: [],
	});
	expect((await send('PUT', '/v2/codes/999', { name: 'x' })).status).toBe(404);
});

test('PATCH takes a JSON Patch and keeps the rest', async () => {
	const operations = [
		{ op: 'replace', path: '/description', value: 'new' },
		{ op: 'remove', path: '/campaign' },
	];
	expect((await send('PATCH', '/v2/codes/503', operations)).status).toBe(204);
	expect(stored(503)).toMatchObject({ name: 'Spring appeal', description: 'new', metadata: {} });
	expect((await send('PATCH', '/v2/codes/503', { description: 'x' })).status).toBe(400);
	expect(
		(await send('PATCH', '/v2/codes/503', [{ op: 'add', path: '/codeId', value: 1 }])).status,
	).toBe(400);
	expect(
		(await send('PATCH', '/v2/codes/503', [{ op: 'replace', path: '/name', value: 4 }])).status,
	).toBe(400);
});

test('DELETE removes, but not a code in use', async () => {
	expect((await send('DELETE', '/v2/codes/501')).status).toBe(403);
	await send('POST', '/v2/people/100001/codes', { codeId: 504 });
	expect((await send('DELETE', '/v2/codes/504')).status).toBe(403);
	expect((await send('DELETE', '/v2/codes/503')).status).toBe(204);
	expect((await send('GET', '/v2/codes/503')).status).toBe(404);
});

test('lists filter, sort and hide supportedEntities until expanded', async () => {
	const names = async (query: string) => {
		const response = await send('GET', `/v2/codes?${query}`);
		return (response.body as { items: Array<{ name: string }> }).items.map((item) => item.name);
	};
	expect(await names('codeType=SourceCode')).toEqual(['Spring appeal', 'Website form']);
	expect(await names('parentCodeId=501')).toEqual(['Winter walk']);
	expect(await names('name=WINTER&supportedEntities=Events,Doors')).toEqual(['Winter walk']);
	expect((await send('GET', '/v2/codes?$orderby=name')).status).toBe(400);
	expect((await send('GET', '/v2/codes/501')).body).toMatchObject({ supportedEntities: null });
	expect((await send('GET', '/v2/codes/502?$expand=supportedEntities')).body).toMatchObject({
		codePath: 'Programmes demo > Winter walk',
		supportedEntities: [{ name: 'Contacts' }, { name: 'Events' }, { name: 'Locations' }],
	});
	expect((await send('GET', '/v2/codes/supportedEntities')).body).toEqual([
		'Contacts',
		'Events',
		'Locations',
	]);
});

test('a batch is answered item by item', async () => {
	const created = await send('POST', '/v2/codes/batch', {
		codes: [{ name: 'a' }, { name: 'b/c' }],
	});
	expect([created.status, created.body]).toEqual([
		207,
		[
			{ codeId: 505, message: 'Completed' },
			{ codeId: null, message: expect.stringContaining("'name'") },
		],
	]);
});
