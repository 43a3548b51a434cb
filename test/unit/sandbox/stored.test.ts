import { useSandbox } from './sandboxCalls';

const service = useSandbox();

const AVERY = { firstName: 'Avery', lastName: 'Sample' };
const AVERY_EMAIL = { email: 'avery.sample@demo.example.org' };
const send = async (method: string, path: string, body: unknown) =>
	(await service.call(method, path, { body })).status;

describe('matching', () => {
	const elm = { addressLine1: '1 elm street', zipOrPostalCode: '99762' };

	test.each<[string, unknown, number | null]>([
		['name and e-mail', { ...AVERY, emails: [AVERY_EMAIL] }, 100_001],
		['name and phone', { ...AVERY, phones: [{ phoneNumber: '9075550100' }] }, 100_001],
		[
			'name, zip and birthday',
			{ ...AVERY, dateOfBirth: '1970-01-10', addresses: [{ zipOrPostalCode: '99762-0001' }] },
			100_001,
		],
		['name, street and zip', { ...AVERY, addresses: [elm] }, 100_001],
		['an e-mail alone', { emails: [AVERY_EMAIL] }, 100_001],
		['a phone alone', { phones: [{ phoneNumber: '19075550100' }] }, 100_001],
		[
			'another case and accents',
			{ firstName: 'ÁVERY', lastName: 'sample', emails: [AVERY_EMAIL] },
			100_001,
		],
		['a name alone', AVERY, null],
		['name and zip', { ...AVERY, addresses: [{ zipOrPostalCode: '99762' }] }, null],
		['an e-mail under another name', { ...AVERY, firstName: 'Kim', emails: [AVERY_EMAIL] }, null],
		['nothing', {}, null],
		['a known id, whatever else', { nativeId: 100_003, ...AVERY }, 100_003],
		['an unknown id beside a match', { nativeId: 55, emails: [AVERY_EMAIL] }, 100_001],
	])('%s', async (_, body, nativeId) => {
		const response = await service.post('/v2/people/find', body);
		expect([response.status, response.body]).toEqual(
			nativeId === null
				? [404, { nativeId: null, status: 'Unmatched' }]
				: [302, { nativeId, status: 'Matched' }],
		);
	});

	test('of several matches the lowest id with a name, else the highest', async () => {
		const twin = { ...AVERY, emails: [AVERY_EMAIL] };
		await service.post('/v2/people/create', twin);
		const find = async (body: unknown) => (await service.post('/v2/people/find', body)).body;
		expect(await find(twin)).toMatchObject({ nativeId: 100_001 });
		expect(await find({ emails: [AVERY_EMAIL] })).toMatchObject({ nativeId: 100_007 });
	});
});

describe('people', () => {
	test('below the minimum are stored each time again', async () => {
		for (const nativeId of [100_007, 100_008]) {
			const response = await service.post('/v2/contacts/findOrCreate', { firstName: 'Kim' });
			expect(response).toMatchObject({
				status: 201,
				body: { nativeId, status: 'UnmatchedStored' },
			});
		}
	});
});

describe('codes', () => {
	const tag = { name: 'Tag', codeType: 'Tag', description: 'kept?', parentCodeId: 501 };
	const stored = (codeId: unknown) =>
		service.sandbox.control.codes('demo').find((code) => code.codeId === codeId);

	test('PUT clears what it leaves out and cannot change the type', async () => {
		const { body: codeId } = await service.post('/v2/codes', tag);
		expect(await send('PUT', `/v2/codes/${codeId}`, { name: 'T', codeType: 'SourceCode' })).toBe(
			400,
		);
		expect(await send('PUT', `/v2/codes/${codeId}`, { name: 'Renamed' })).toBe(204);
		expect(stored(codeId)).toMatchObject({
			name: 'Renamed',
			codeType: 'Tag',
			description: null,
			parentCodeId: null,
		});
	});

	test('PATCH takes a JSON Patch and keeps the rest', async () => {
		const patch = async (body: unknown) => await send('PATCH', '/v2/codes/503', body);
		expect(await patch([{ op: 'replace', path: '/description', value: 'new' }])).toBe(204);
		expect(stored(503)).toMatchObject({ name: 'Spring appeal', description: 'new' });
		expect(await patch({ description: 'x' })).toBe(400);
		expect(await patch([{ op: 'add', path: '/codeId', value: 1 }])).toBe(400);
		expect(await patch([{ op: 'replace', path: '/name', value: 4 }])).toBe(400);
	});
});

describe('canvass responses', () => {
	const path = '/v2/people/100001/canvassResponses';
	const stored = () => service.sandbox.control.canvassResponses('demo');

	test('are one within the hour if they are equal, unless matching is skipped', async () => {
		await service.post(path, { resultCodeId: 1 });
		await service.post(path, { resultCodeId: 1 });
		expect(stored()).toHaveLength(1);
		const body = { canvassContext: { skipMatching: true }, resultCodeId: 1 };
		await service.post(path, body);
		await service.post(path, body);
		expect(stored()).toHaveLength(3);
	});
});
