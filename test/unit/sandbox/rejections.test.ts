import { rejectedProperties, useSandbox } from './sandboxCalls';

const service = useSandbox();

const AVERY_EMAIL = { email: 'avery.sample@demo.example.org' };
const EVENTS = { name: 'Events', isSearchable: true, isApplicable: false };
const activistCode = { type: 'ActivistCode', activistCodeId: 7001 };
const stored = () =>
	(['people', 'codes', 'canvassResponses'] as const).map(
		(kind) => service.sandbox.control[kind]('demo').length,
	);

type Rejection = [what: string, body: unknown, ...properties: string[]];

const rejections: Record<string, Rejection[]> = {
	'/v2/people/findOrCreate': [
		['a property in another case', { FirstName: 'A' }, 'FirstName'],
		['an unknown property', { firstName: 'A', shoeSize: 4 }, 'shoeSize'],
		['an unknown nested property', { emails: [{ ...AVERY_EMAIL, note: '' }] }, 'emails[0].note'],
		['text for an integer', { nativeId: '100001' }, 'nativeId'],
		['a number for text', { firstName: 4 }, 'firstName'],
		['an object for a list', { emails: AVERY_EMAIL }, 'emails'],
		['the ID of the other version', { vanId: 100_001 }, 'vanId'],
		['a phone with signs', { phones: [{ phoneNumber: '907-555-0100' }] }, 'phones[0].phoneNumber'],
		['area code 997', { phones: [{ phoneNumber: '9975550100' }] }, 'phones[0].phoneNumber'],
		['an impossible date', { dateOfBirth: '1980-02-30' }, 'dateOfBirth'],
		[
			'a custom field of another group',
			{ customFieldValues: [{ customFieldId: 311, customFieldGroupId: 201, assignedValue: 'x' }] },
			'customFieldValues[0].customFieldId',
		],
	],
	'/v4/people/find': [
		[
			'several things at once',
			{ vanId: '1', emails: [{ email: 'x' }], Sex: 'F' },
			'vanId',
			'emails[0].email',
			'Sex',
		],
	],
	'/v2/codes': [
		['a name over 50 characters', { name: 'x'.repeat(51) }, 'name'],
		['a slash in the name', { name: 'a/b' }, 'name'],
		['an unknown type', { name: 'a', codeType: 'tag' }, 'codeType'],
		['a parent of a source code', { name: 'a', parentCodeId: 503 }, 'parentCodeId'],
		['a parent that is no tag', { name: 'a', codeType: 'Tag', parentCodeId: 503 }, 'parentCodeId'],
		[
			'an entity the service does not list',
			{ name: 'a', codeType: 'Tag', supportedEntities: [EVENTS, { ...EVENTS, name: 'Doors' }] },
			'supportedEntities[1].name',
		],
		['a read-only value', { name: 'a', codeId: 5 }, 'codeId'],
		['a name beside an ID', { name: 'a', campaign: { campaignId: 4, name: 'x' } }, 'campaign.name'],
	],
	'/v2/people/100001/canvassResponses': [
		['both', { resultCodeId: 1, responses: [activistCode] }, 'resultCodeId', 'responses'],
		['neither', {}, 'resultCodeId', 'responses'],
	],
};

describe.each(Object.entries(rejections))('POST %s rejects', (path, cases) => {
	test.each(cases)('%s', async (_, body, ...properties) => {
		const before = stored();
		expect(rejectedProperties(await service.post(path, body))).toEqual(properties);
		expect(stored()).toEqual(before);
	});
});

test.each([
	'people/100001?expand=emails',
	'people/100001?$expand=shoes',
	'codes?name=a&name=b',
	'codes?$orderby=name',
	...['$top=0', '$top=201', '$top=x', '$skip=-1', '$top=1.5'].map((query) => `people?${query}`),
])('GET %s is rejected', async (path) => {
	expect((await service.get(`/v2/${path}`)).status).toBe(400);
});
