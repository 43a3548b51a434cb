import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, rejectedProperties, UNLIMITED } from './sandboxCall';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ tier: UNLIMITED });
});
afterEach(async () => await sandbox.close());

const PATH = '/v2/people/100001/canvassResponses';
const post = async (body: unknown, path = PATH) => await call(sandbox, 'POST', path, { body });
const stored = () => sandbox.control.canvassResponses('demo');
const activistCode = { type: 'ActivistCode', activistCodeId: 7001 };
const survey = { type: 'SurveyResponse', surveyQuestionId: 81, surveyResponseId: 812 };

test.each<[string, unknown]>([
	['a result code', { resultCodeId: 1 }],
	['a result code beside empty responses', { resultCodeId: 1, responses: [] }],
	['responses', { responses: [activistCode, survey] }],
	['responses beside a null result code', { resultCodeId: null, responses: [survey] }],
	[
		'a context',
		{
			canvassContext: {
				contactTypeId: 1,
				inputTypeId: 11,
				phoneId: 5001,
				dateCanvassed: '2026-03-01',
			},
			resultCodeId: 18,
		},
	],
	[
		'a volunteer activity',
		{ responses: [{ type: 'VolunteerActivity', volunteerActivityId: 901, action: 'Apply' }] },
	],
])('%s is accepted with 204 and stored', async (_name, body) => {
	const response = await post(body);
	expect([response.status, response.text]).toEqual([204, '']);
	expect(stored()).toMatchObject([{ nativeId: 100_001, body, requestNumber: 1 }]);
});

test.each<[string, unknown, string[]]>([
	['both', { resultCodeId: 1, responses: [activistCode] }, ['resultCodeId', 'responses']],
	['neither', {}, ['resultCodeId', 'responses']],
	['empty responses alone', { responses: [] }, ['resultCodeId', 'responses']],
	['an unknown result code', { resultCodeId: 999 }, ['resultCodeId']],
	[
		'a result code of another contact type',
		{ canvassContext: { contactTypeId: 2 }, resultCodeId: 18 },
		['resultCodeId'],
	],
	['a result code as text', { resultCodeId: '1' }, ['resultCodeId']],
	[
		'an unknown activist code',
		{ responses: [{ ...activistCode, activistCodeId: 1 }] },
		['responses[0].activistCodeId'],
	],
	[
		'an archived activist code',
		{ responses: [{ ...activistCode, activistCodeId: 7004 }] },
		['responses[0].activistCodeId'],
	],
	[
		'an unknown question',
		{ responses: [activistCode, { ...survey, surveyQuestionId: 1 }] },
		['responses[1].surveyQuestionId'],
	],
	[
		'a response of another question',
		{ responses: [{ ...survey, surveyResponseId: 821 }] },
		['responses[0].surveyResponseId'],
	],
	['an unknown response type', { responses: [{ type: 'Other' }] }, ['responses[0].type']],
	[
		'an extra property of a response',
		{ responses: [{ ...survey, activistCodeId: 7001 }] },
		['responses[0].activistCodeId'],
	],
	[
		'a contact type the input type cannot have',
		{ canvassContext: { contactTypeId: 2, inputTypeId: 10 }, resultCodeId: 1 },
		['canvassContext.contactTypeId', 'canvassContext.inputTypeId'],
	],
	[
		"another person's phone",
		{ canvassContext: { contactTypeId: 1, phoneId: 5002 }, resultCodeId: 18 },
		['canvassContext.phoneId'],
	],
	[
		'a wrong number without the phone',
		{ canvassContext: { contactTypeId: 1 }, resultCodeId: 20 },
		['canvassContext.phoneId'],
	],
	[
		'a wrong number with the number in place of the phoneId',
		{
			canvassContext: { contactTypeId: 1, phone: { phoneNumber: '9075550100' } },
			resultCodeId: 20,
		},
		['canvassContext.phoneId'],
	],
	[
		'an opt-in status without the phoneId',
		{
			canvassContext: {
				contactTypeId: 37,
				phone: { phoneNumber: '9075550100', smsOptInStatus: 'I' },
			},
			responses: [activistCode],
		},
		['canvassContext.phoneId'],
	],
	[
		'a phone number with signs',
		{
			canvassContext: { contactTypeId: 37, phone: { phoneNumber: '907-555-0100' } },
			resultCodeId: 14,
		},
		['canvassContext.phone.phoneNumber'],
	],
	[
		'a text in place of a boolean',
		{ canvassContext: { skipMatching: 'true' }, resultCodeId: 1 },
		['canvassContext.skipMatching'],
	],
	[
		'a date in another order',
		{ canvassContext: { dateCanvassed: '01/03/2026' }, resultCodeId: 1 },
		['canvassContext.dateCanvassed'],
	],
	[
		'content without a campaign',
		{ canvassContext: { contentId: 1 }, resultCodeId: 1 },
		['canvassContext.campaignId'],
	],
])('%s is rejected', async (_name, body, properties) => {
	const response = await post(body);
	expect(response.status).toBe(400);
	expect(rejectedProperties(response)).toEqual(properties);
	expect(stored()).toEqual([]);
});

test('a person can be named by an external identifier', async () => {
	expect((await post({ resultCodeId: 1 }, '/v2/people/crmid:demo-2/canvassResponses')).status).toBe(
		204,
	);
	expect(stored()).toMatchObject([{ nativeId: 100_002 }]);
	expect((await post({ resultCodeId: 1 }, '/v2/people/crmid:nobody/canvassResponses')).status).toBe(
		404,
	);
	const unknown = await post({ resultCodeId: 1 }, '/v2/people/5/canvassResponses');
	expect([unknown.status, unknown.text]).toEqual([
		400,
		expect.stringContaining('INTERNAL_SERVER_ERROR'),
	]);
});

test('a wrong number takes the phone out of use, an opt-out is kept', async () => {
	await post({ canvassContext: { contactTypeId: 1, phoneId: 5001 }, resultCodeId: 20 });
	await post(
		{
			canvassContext: {
				contactTypeId: 37,
				phoneId: 5002,
				phone: { dialingPrefix: '1', phoneNumber: '9075550101', smsOptInStatus: 'O' },
			},
			resultCodeId: 130,
		},
		'/v2/people/100002/canvassResponses',
	);
	const [first, second] = sandbox.control.people('demo');
	expect(first?.phones[0]?.isSuppressed).toBe(true);
	expect(second?.phones[0]).toMatchObject({ isSuppressed: true, phoneOptInStatus: 'O' });
});

test('the best-known deployment takes the number in place of the phoneId', async () => {
	const body = {
		canvassContext: {
			contactTypeId: 37,
			phone: { phoneNumber: '9075550100', smsOptInStatus: 'O' },
		},
		resultCodeId: 130,
	};
	const response = await call(sandbox, 'POST', '/v4/people/100001/canvassResponses', {
		body,
	});
	expect(response.status).toBe(204);
	expect(sandbox.control.people('demo')[0]?.phones[0]).toMatchObject({
		isSuppressed: true,
		phoneOptInStatus: 'O',
	});
});

test('activist codes are applied and removed', async () => {
	const held = () => sandbox.control.people('demo')[0]?.activistCodes.map((c) => c.activistCodeId);
	await post({ responses: [activistCode] });
	expect(held()).toEqual([7001]);
	await post({ responses: [{ ...activistCode, action: 'Remove' }] });
	expect(held()).toEqual([]);
});

test('an equal attempt within the hour is merged unless matching is skipped', async () => {
	await post({ resultCodeId: 1 });
	await post({ resultCodeId: 1 });
	expect(stored()).toHaveLength(1);
	const unmatched = { canvassContext: { skipMatching: true }, resultCodeId: 1 };
	await post(unmatched);
	await post(unmatched);
	expect(stored()).toHaveLength(3);
});

test('activist codes alone leave no history when asked so', async () => {
	const canvassContext = { omitActivistCodeContactHistory: true };
	await post({ canvassContext, responses: [activistCode] });
	expect(stored()).toEqual([]);
	await post({ canvassContext, responses: [activistCode, survey] });
	expect(stored()).toHaveLength(1);
});

test('lookups are bare arrays narrowed by their parameters', async () => {
	const names = async (path: string) => {
		const response = await call(sandbox, 'GET', `/v2/canvassResponses/${path}`);
		return (response.body as Array<{ name: string }>).map((item) => item.name);
	};
	expect(await names('inputTypes')).toContain('API');
	expect(await names('contactTypes?inputTypeId=23')).toEqual(['Online']);
	expect(await names('resultCodes?contactTypeId=37')).toEqual([
		'Refused',
		'Canvassed',
		'Wrong Number',
		'Disconnected',
		'Do Not Text',
	]);
	const questions = await call(sandbox, 'GET', '/v2/surveyQuestions?name=support');
	expect(questions.body).toMatchObject({
		items: [{ surveyQuestionId: 81, responses: [{ surveyResponseId: 811 }, {}, {}, {}] }],
		count: 1,
	});
	const archived = await call(sandbox, 'GET', '/v2/activistCodes?statuses=Archived');
	expect(archived.body).toMatchObject({ items: [{ activistCodeId: 7004 }], count: 1 });
});
