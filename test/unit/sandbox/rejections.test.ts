import { rejectedProperties, useSandbox } from './sandboxCalls';

const service = useSandbox();

const AVERY_EMAIL = { email: 'avery.sample@demo.example.org' };
const EVENTS = { name: 'Events', isSearchable: true, isApplicable: false };
const activistCode = { type: 'ActivistCode', activistCodeId: 7001 };
const survey = { type: 'SurveyResponse', surveyQuestionId: 81, surveyResponseId: 812 };
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
		['an unknown result code', { resultCodeId: 999 }, 'resultCodeId'],
		[
			'a result code of another contact type',
			{ canvassContext: { contactTypeId: 2 }, resultCodeId: 18 },
			'resultCodeId',
		],
		[
			'an archived activist code',
			{ responses: [{ ...activistCode, activistCodeId: 7004 }] },
			'responses[0].activistCodeId',
		],
		[
			'a response to another question',
			{ responses: [{ ...survey, surveyResponseId: 821 }] },
			'responses[0].surveyResponseId',
		],
		[
			'a contact type the input type cannot have',
			{ canvassContext: { contactTypeId: 2, inputTypeId: 10 }, resultCodeId: 1 },
			'canvassContext.contactTypeId',
			'canvassContext.inputTypeId',
		],
		[
			"another person's phone",
			{ canvassContext: { contactTypeId: 1, phoneId: 5002 }, resultCodeId: 18 },
			'canvassContext.phoneId',
		],
		[
			'a wrong number with the number in place of the phoneId',
			{
				canvassContext: { contactTypeId: 1, phone: { phoneNumber: '9075550100' } },
				resultCodeId: 20,
			},
			'canvassContext.phoneId',
		],
	],
	'/v2/contributions': [
		['nobody of the tenant', { nativeId: 5, amount: 1, dateReceived: '2026-02-01' }, 'nativeId'],
	],
	'/v2/events': [['a read-only value', { eventId: 4 }, 'eventId']],
};

describe.each(Object.entries(rejections))('POST %s rejects', (path, cases) => {
	test.each(cases)('%s', async (_, body, ...properties) => {
		const before = stored();
		expect(rejectedProperties(await service.post(path, body))).toEqual(properties);
		expect(stored()).toEqual(before);
	});
});

test('a body that is no JSON, none at all, or of another type is rejected', async () => {
	const send = async (contentType: string | undefined, body: string) =>
		(
			await fetch(`${service.sandbox.url}/v2/people/find`, {
				method: 'POST',
				headers: {
					apiKey: '11111111-1111-4111-8111-111111111111',
					...(contentType && { 'content-type': contentType }),
				},
				body: Buffer.from(body),
			})
		).status;
	expect(await send('application/json', '{"a":')).toBe(400);
	expect(await send('application/json', '')).toBe(400);
	expect(await send('text/plain', '{}')).toBe(415);
	expect(await send(undefined, '{}')).toBe(415);
	expect(await send('application/json; charset=utf-8', '{}')).toBe(404);
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

test.each([
	['GET', '/v2/nothing', 404],
	['GET', '/v2/People/100001', 404],
	['GET', '/v2/bulkImportMappingTypes/email', 404],
	['POST', '/v2/people/5/canvassResponses', 400],
	['POST', '/v4/contacts/findOrCreate', 404],
	['GET', '/v2/people/find', 405],
	['DELETE', '/v2/codeTypes', 405],
	['PUT', '/v4/people/100001', 405],
])('%s %s gets the envelope with %i', async (method, path, status) => {
	const response = await service.call(method, path, method === 'GET' ? {} : { body: {} });
	expect([response.status, response.body]).toEqual([status, { errors: [expect.anything()] }]);
});

describe('what responds in front of the service', () => {
	test.each([
		['a non-integer id', '/v2/codes/abc', 404],
		['an id over 2147483647', '/v2/people/2147483648', 404],
		['a query over 2048 characters', `/v2/codes?name=${'x'.repeat(2050)}`, 404],
		['an unknown version', '/v3/codes', 404],
		['a NUL in the path', '/v2/people/a%00', 400],
		['a broken escape', '/v2/people/%zz', 400],
	])('sends HTML for %s', async (_, path, status) => {
		const response = await service.get(path);
		expect([response.status, response.text.slice(0, 9)]).toEqual([status, '<!DOCTYPE']);
	});

	test.each(['%3C', '%3e', '*', '&'])('redirects %s in a path to an error page', async (sign) => {
		const { status, headers } = await service.get(`/v2/people/CrmId:${sign}`);
		const location = headers.get('location') ?? '';
		expect([status, location]).toEqual([302, expect.stringMatching(/^\/Error\.aspx/)]);
		const page = await service.call('GET', location, { key: null });
		expect([page.status, page.text.slice(0, 9)]).toEqual([200, '<!DOCTYPE']);
	});
});
