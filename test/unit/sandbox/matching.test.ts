import { useSandbox } from './sandboxCalls';

const service = useSandbox();

const AVERY = { firstName: 'Avery', lastName: 'Sample' };
const AVERY_EMAIL = { email: 'avery.sample@demo.example.org' };

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
