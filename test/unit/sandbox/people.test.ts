import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, DEMO_KEY, rejectedProperties, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED });
});
afterEach(async () => await sandbox.close());

const AVERY = { firstName: 'Avery', lastName: 'Sample' };
const AVERY_EMAIL = { email: 'avery.sample@demo.example.org' };

const post = async (path: string, body: unknown) => await call(sandbox, 'POST', path, { body });

describe('strictness', () => {
	test.each<[string, unknown, string[]]>([
		['wrong casing', { FirstName: 'A' }, ['FirstName']],
		['an extra property', { firstName: 'A', shoeSize: 4 }, ['shoeSize']],
		['an extra nested property', { emails: [{ ...AVERY_EMAIL, note: '' }] }, ['emails[0].note']],
		['a string in place of an integer', { nativeId: '100001' }, ['nativeId']],
		['a number in place of a string', { firstName: 4 }, ['firstName']],
		[
			'a string in place of a boolean',
			{ emails: [{ ...AVERY_EMAIL, isPreferred: 'true' }] },
			['emails[0].isPreferred'],
		],
		['an object in place of an array', { emails: AVERY_EMAIL }, ['emails']],
		['a null entry', { phones: [null] }, ['phones[0]']],
		['the word of the other version', { vanId: 100_001 }, ['vanId']],
		['a bad e-mail', { emails: [{ email: 'nobody' }] }, ['emails[0].email']],
		[
			'a phone with signs',
			{ phones: [{ phoneNumber: '907-555-0100' }] },
			['phones[0].phoneNumber'],
		],
		[
			'a foreign phone with signs',
			{ phones: [{ phoneNumber: '+442079460000', countryCode: 'GB' }] },
			['phones[0].phoneNumber'],
		],
		['a bad phone', { phones: [{ phoneNumber: '123' }] }, ['phones[0].phoneNumber']],
		[
			'an area code with middle 9',
			{ phones: [{ phoneNumber: '9975550100' }] },
			['phones[0].phoneNumber'],
		],
		['an impossible date', { dateOfBirth: '1980-02-30' }, ['dateOfBirth']],
		['a date of another century', { dateOfBirth: '1820-02-03' }, ['dateOfBirth']],
		[
			'an unknown external id type',
			{ identifiers: [{ type: 'x', externalId: '1' }] },
			['identifiers[0].type'],
		],
		[
			'a field of another group',
			{ customFieldValues: [{ customFieldId: 311, customFieldGroupId: 201, assignedValue: 'x' }] },
			['customFieldValues[0].customFieldId'],
		],
	])('%s is rejected', async (_name, body, properties) => {
		const before = sandbox.control.people('demo').length;
		const response = await post('/v2/people/findOrCreate', body);
		expect(response.status).toBe(400);
		expect(rejectedProperties(response)).toEqual(properties);
		expect(sandbox.control.people('demo')).toHaveLength(before);
	});

	test('all problems are named at once, in the words of the version', async () => {
		const response = await call(sandbox, 'POST', '/v4/people/find', {
			body: { vanId: '1', emails: [{ email: 'x' }], Sex: 'F' },
		});
		expect(rejectedProperties(response)).toEqual(['vanId', 'emails[0].email', 'Sex']);
	});

	test('a body that is no JSON, none at all, or of another type is rejected', async () => {
		const send = async (contentType: string | undefined, body: string) =>
			await fetch(`${sandbox.url}/v2/people/find`, {
				method: 'POST',
				headers: {
					apiKey: '11111111-1111-4111-8111-111111111111',
					...(contentType && { 'content-type': contentType }),
				},
				body: Buffer.from(body),
			}).then(async (response) => ({ status: response.status, text: await response.text() }));
		expect((await send('application/json', '{"a":')).status).toBe(400);
		expect((await send('application/json', '')).status).toBe(400);
		expect((await send('text/plain', '{}')).status).toBe(415);
		expect((await send(undefined, '{}')).status).toBe(415);
		expect((await send('application/json; charset=utf-8', '{}')).status).toBe(404);
	});

	test('unknown and repeated query parameters are rejected', async () => {
		expect((await call(sandbox, 'GET', '/v2/people/100001?expand=emails')).status).toBe(400);
		expect((await call(sandbox, 'GET', '/v2/codes?name=a&name=b')).status).toBe(400);
	});
});

describe('matching', () => {
	test.each<[string, unknown, number | null]>([
		['name and e-mail', { ...AVERY, emails: [AVERY_EMAIL] }, 100_001],
		['name and phone', { ...AVERY, phones: [{ phoneNumber: '9075550100' }] }, 100_001],
		[
			'name, zip and birthday',
			{ ...AVERY, dateOfBirth: '1970-01-10', addresses: [{ zipOrPostalCode: '99762-0001' }] },
			100_001,
		],
		[
			'name, street and zip',
			{ ...AVERY, addresses: [{ addressLine1: '1 elm street', zipOrPostalCode: '99762' }] },
			100_001,
		],
		['an e-mail alone', { emails: [AVERY_EMAIL] }, 100_001],
		['a phone alone', { phones: [{ phoneNumber: '19075550100' }] }, 100_001],
		[
			'another case and accents',
			{ firstName: 'ÁVERY', lastName: 'sample', emails: [AVERY_EMAIL] },
			100_001,
		],
		['a name alone', AVERY, null],
		['name and zip', { ...AVERY, addresses: [{ zipOrPostalCode: '99762' }] }, null],
		[
			'an e-mail under another name',
			{ firstName: 'Kim', lastName: 'Sample', emails: [AVERY_EMAIL] },
			null,
		],
		['nothing', {}, null],
		['a known id, whatever else', { nativeId: 100_003, ...AVERY }, 100_003],
		['an unknown id beside a match', { nativeId: 55, emails: [AVERY_EMAIL] }, 100_001],
	])('%s', async (_name, body, nativeId) => {
		const response = await post('/v2/people/find', body);
		expect([response.status, response.body]).toEqual(
			nativeId === null
				? [404, { nativeId: null, status: 'Unmatched' }]
				: [302, { nativeId, status: 'Matched' }],
		);
	});

	test('of several matches the lowest id with a name, else the highest', async () => {
		const twin = { ...AVERY, emails: [AVERY_EMAIL] };
		const created = await post('/v2/people/create', twin);
		const { nativeId } = created.body as { nativeId: number };
		expect((await post('/v2/people/find', twin)).body).toMatchObject({ nativeId: 100_001 });
		expect((await post('/v2/people/find', { emails: [AVERY_EMAIL] })).body).toMatchObject({
			nativeId,
		});
	});
});

describe('answers', () => {
	const body = { emails: [AVERY_EMAIL], firstName: 'Avery', middleName: 'Q' };

	test('a match is redirected to by default, with a stub', async () => {
		const response = await post('/v2/people/findOrCreate', body);
		expect(response.status).toBe(302);
		expect(response.headers.get('location')).toBe(`${sandbox.url}/v2/people/100001`);
		expect(response.body).toEqual({ nativeId: 100_001, status: 'Matched' });
	});

	test('or is a plain stub, or the person with null collections', async () => {
		sandbox.control.updateTenant('demo', { styles: { matchResponses: 'stub' } });
		expect(await post('/v2/people/find', body)).toMatchObject({
			status: 200,
			body: { nativeId: 100_001, status: 'Matched' },
		});
		sandbox.control.updateTenant('demo', { styles: { matchResponses: 'person' } });
		expect(await post('/v2/people/find', body)).toMatchObject({
			status: 200,
			body: { nativeId: 100_001, firstName: 'Avery', emails: null, phones: null },
		});
	});

	test('find never writes; findOrCreate does unless told otherwise', async () => {
		const middleName = () => sandbox.control.people('demo')[0]?.fields.middleName;
		await post('/v2/people/find', body);
		expect(middleName()).toBeUndefined();
		sandbox.control.updateTenant('demo', { styles: { matchUpdates: false } });
		await post('/v2/people/findOrCreate', body);
		expect(middleName()).toBeUndefined();
		sandbox.control.updateTenant('demo', { styles: { matchUpdates: true } });
		await post('/v2/people/findOrCreate', body);
		expect(middleName()).toBe('Q');
	});

	test('without a match a person is stored, each time again below the minimum', async () => {
		const stored = await post('/v2/contacts/findOrCreate', { firstName: 'Kim' });
		expect(stored).toMatchObject({
			status: 201,
			body: { nativeId: 100_007, status: 'UnmatchedStored' },
		});
		expect((await post('/v2/people/findOrCreate', { firstName: 'Kim' })).body).toMatchObject({
			nativeId: 100_008,
		});
	});

	test('v4 speaks of vanId', async () => {
		expect((await post('/v4/people/find', body)).body).toEqual({
			vanId: 100_001,
			status: 'Matched',
		});
		expect((await call(sandbox, 'GET', '/v4/people/100001')).body).toMatchObject({
			vanId: 100_001,
		});
	});
});

describe('reading and writing by id', () => {
	test('collections are null unless expanded, and sections are policed', async () => {
		const plain = await call(sandbox, 'GET', '/v2/people/100001');
		expect(plain.body).toMatchObject({ phones: null, emails: null });
		const full = await call(sandbox, 'GET', '/v2/people/CrmId:demo-1?$expand=phones,externalIds');
		expect(full.body).toMatchObject({
			nativeId: 100_001,
			phones: [{ phoneId: 5001, phoneNumber: '9075550100', phoneType: 'Cell' }],
			identifiers: [{ type: 'CrmId', externalId: 'demo-1' }],
			emails: null,
		});
		const wrong = await call(sandbox, 'GET', '/v2/people/100001?$expand=shoes');
		expect(wrong.status).toBe(400);
		expect(wrong.text).toContain('recordedAddresses');
		expect((await call(sandbox, 'GET', '/v2/people/100001?$expand=scores')).status).toBe(403);
	});

	test('POST merges: contact methods are added, known ones kept, nothing removed', async () => {
		const response = await post('/v2/people/100001', {
			emails: [{ email: 'AVERY.sample@demo.example.org' }, { email: 'second@example.org' }],
			nickname: 'Av',
		});
		expect(response).toMatchObject({ status: 302, body: { nativeId: 100_001, status: 'Matched' } });
		const [person] = sandbox.control.people('demo');
		expect(person?.emails.map((entry) => entry.email)).toEqual([
			'avery.sample@demo.example.org',
			'second@example.org',
		]);
		expect(person?.fields).toMatchObject({ firstName: 'Avery', nickname: 'Av' });
	});

	test('an unsubscribed e-mail stays so', async () => {
		const status = () => sandbox.control.people('demo')[0]?.emails[0]?.subscriptionStatus;
		const write = async (subscriptionStatus: string) =>
			await post('/v2/people/100001', { emails: [{ ...AVERY_EMAIL, subscriptionStatus }] });
		await write('S');
		expect(status()).toBe('S');
		await write('U');
		await write('S');
		expect(status()).toBe('U');
	});

	test('PUT and PATCH exist in v2 by convention and not in v4', async () => {
		for (const method of ['PUT', 'PATCH']) {
			const options = { body: { nickname: 'Av' } };
			expect((await call(sandbox, method, '/v2/people/100001', options)).status).toBe(200);
			const rejected = await call(sandbox, method, '/v4/people/100001', options);
			expect([rejected.status, rejected.text]).toEqual([
				405,
				expect.stringContaining('METHOD_NOT_ALLOWED'),
			]);
		}
	});

	test('an update by POST can be switched off in v2, which has it by no convention', async () => {
		sandbox.control.updateTenant('demo', { styles: { peopleUpdatedByPost: false } });
		expect((await post('/v2/people/100001', { nickname: 'Av' })).status).toBe(405);
		const v4 = { key: DEMO_KEY, body: { nickname: 'Av' } };
		expect((await call(sandbox, 'POST', '/v4/people/100001', v4)).status).toBe(302);
		expect((await post('/v2/people/find', { emails: [AVERY_EMAIL] })).status).toBe(302);
	});

	test('notes, codes and deletion', async () => {
		expect((await post('/v2/people/100001/notes', { text: 'Called back' })).status).toBe(204);
		expect((await call(sandbox, 'GET', '/v2/people/100001/notes')).body).toMatchObject({
			items: [{ text: 'Called back' }],
			count: 1,
		});
		expect((await post('/v2/people/100001/codes', { codeId: 501 })).status).toBe(204);
		expect((await post('/v2/people/100001/codes', { codeId: 9 })).status).toBe(400);
		expect((await post('/v2/people/999999/codes', { codeId: 501 })).status).toBe(404);
		expect((await call(sandbox, 'DELETE', '/v2/people/100002')).status).toBe(204);
		expect((await call(sandbox, 'GET', '/v2/people/100002')).status).toBe(404);
		const blake = { emails: [{ email: 'blake.sample@demo.example.org' }] };
		expect((await post('/v2/people/find', blake)).status).toBe(404);
	});
});
