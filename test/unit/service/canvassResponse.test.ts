import fc from 'fast-check';

import { byId } from '../../../hosts/locators';
import { canvassResponseInput } from '../../../nodes/NativeCanvassResponse/canvassResponse/create.operation';
import {
	canvassResponseBody,
	lacksPhone,
	sentResponse,
} from '../../../nodes/shared/service/canvassResponse';
import { isoDate } from '../../../nodes/shared/service/dateText';
import { readBody } from '../../../nodes/shared/service/requestBody';
import { parametersOf } from '../parameters/nodeParameters';

function checkCanvassResponse(input: unknown) {
	const read = readBody(input, canvassResponseBody);
	return 'problems' in read ? read : { response: sentResponse(read.body) };
}

const wholeId = fc.integer({ min: 1, max: 2_147_483_647 });
const encodedId = fc
	.array(fc.constantFrom(...'0123456789ABCDEF'), { minLength: 1, maxLength: 8 })
	.map((digits) => `EID${digits.join('')}`);
const id = fc.oneof(wholeId, encodedId);
const action = fc.constantFrom('Apply', 'Remove');

const context = fc.record(
	{
		contactTypeId: id,
		inputTypeId: id,
		dateCanvassed: fc
			.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
			.map((date) => date.toISOString()),
		phoneId: wholeId,
		phone: fc.record(
			{
				dialingPrefix: fc.integer({ min: 1, max: 999 }).map(String),
				phoneNumber: fc.constant('9075550100'),
				smsOptInStatus: fc.constantFrom('I', 'O', 'U'),
			},
			{ requiredKeys: ['phoneNumber'] },
		),
		skipMatching: fc.boolean(),
		omitActivistCodeContactHistory: fc.boolean(),
		campaignId: id,
	},
	{ requiredKeys: ['campaignId'] },
);
const response = fc.oneof(
	fc.record(
		{ type: fc.constant('ActivistCode'), activistCodeId: id, action },
		{ requiredKeys: ['type', 'activistCodeId'] },
	),
	fc.record({
		type: fc.constant('SurveyResponse'),
		surveyQuestionId: id,
		surveyResponseId: id,
	}),
	fc.record(
		{ type: fc.constant('VolunteerActivity'), volunteerActivityId: id, action },
		{ requiredKeys: ['type', 'volunteerActivityId'] },
	),
);
const responses = fc.array(response, { minLength: 1, maxLength: 5 });

const problemPaths = (input: unknown) => {
	const checked = checkCanvassResponse(input);
	return 'problems' in checked ? checked.problems.map(({ path }) => path.join('.')) : [];
};

describe('exactly one of result code and responses', () => {
	test('is sent as it is', () => {
		fc.assert(
			fc.property(context, id, responses, fc.boolean(), (canvassContext, code, list, hasCode) => {
				const body = {
					canvassContext,
					...(hasCode ? { resultCodeId: code } : { responses: list }),
				};
				expect(checkCanvassResponse(body)).toEqual({ response: body });
			}),
		);
	});

	test.each([
		[{}, 'responses'],
		[{ resultCodeId: null }, 'resultCodeId'],
		[{ responses: [] }, 'responses'],
	])('rejects neither: %j', (input, path) => {
		expect(problemPaths(input)).toEqual([path]);
	});
});

test.each([
	[' TRUE', false],
	[false, true],
])('contact history that is %p on the screen is omitted: %s', (adds, omits) => {
	const canvassContext = { addActivistCodesToContactHistory: adds };
	const entered = { canvassContext, outcome: 'resultCode', resultCodeId: byId('1') };
	expect(canvassResponseInput(parametersOf(entered)).body).toEqual({
		canvassContext: { omitActivistCodeContactHistory: omits },
		resultCodeId: 1,
	});
});

test('an empty context is not sent', () => {
	expect(checkCanvassResponse({ canvassContext: {}, resultCodeId: 1 })).toEqual({
		response: { resultCodeId: 1 },
	});
});

test.each([0, -1, 1.5, 2_147_483_648, 'EID', 'Busy', true, [1]])(
	'the result code %p is rejected',
	(resultCodeId) => {
		expect(problemPaths({ resultCodeId })).toEqual(['resultCodeId']);
	},
);

test('whatever else is given is rejected with a place and a sentence, and never throws', () => {
	fc.assert(
		fc.property(fc.anything(), (input) => {
			const checked = checkCanvassResponse(input);
			if ('response' in checked) return;
			expect(checked.problems.length).toBeGreaterThan(0);
			expect(checked.problems.every(({ text }) => /[.?]$/.test(text))).toBe(true);
		}),
	);
});

test.each<[object, string]>([
	[
		{ resultCodeId: 1, canvassContext: { dateCanvassed: '2026-02-30' } },
		'canvassContext.dateCanvassed',
	],
	[
		{
			resultCodeId: 1,
			canvassContext: { phone: { phoneNumber: '907-555-0100', smsOptInStatus: 'Y' } },
		},
		'canvassContext.phone.smsOptInStatus',
	],
	[{ responses: [{ type: 'Activist', activistCodeId: 1 }] }, 'responses.0.type'],
	[{ responses: [{ type: 'ActivistCode', action: 'Apply' }] }, 'responses.0.activistCodeId'],
	[
		{ responses: [{ type: 'VolunteerActivity', volunteerActivityId: 901, action: 'Drop' }] },
		'responses.0.action',
	],
	[
		{ responses: [{ type: 'SurveyResponse', surveyQuestionId: 81 }] },
		'responses.0.surveyResponseId',
	],
])('%j is rejected at %s', (input, path) => {
	expect(problemPaths(input)).toEqual([path]);
});

test('a content ID needs its campaign', () => {
	expect(problemPaths({ canvassContext: { contentId: 1 }, resultCodeId: 1 })).toEqual([
		'canvassContext.campaignId',
	]);
	expect(
		problemPaths({ canvassContext: { contentId: 1, campaignId: 2 }, resultCodeId: 1 }),
	).toEqual([]);
});

describe('a date', () => {
	test('of the calendar is taken in every form of ISO 8601 the service shows', () => {
		fc.assert(
			fc.property(
				fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
				(date) => {
					const text = date.toISOString();
					expect([text, text.slice(0, 10), text.slice(0, 19)].map(isoDate)).not.toContain(
						undefined,
					);
					expect(isoDate(`${text.slice(0, 19)}-05:00`)).toBeDefined();
				},
			),
		);
	});

	test.each([
		['2021-09-23 14:05:33', '2021-09-23T14:05:33'],
		['2021-09-23 14:05:33.123456+00:00', '2021-09-23T14:05:33.123456+00:00'],
		['2021-09-23 14:05:33-05', '2021-09-23T14:05:33-05:00'],
		['2021-09-23T14:05:33+0530', '2021-09-23T14:05:33+05:30'],
	])('as a database writes it, %s, is taken as %s', (text, expected) => {
		expect(isoDate(text)).toBe(expected);
	});

	test.each([
		'2026-02-29',
		'2026-03-01T25:00',
		'2026-3-1',
		'2026-03-01x',
		'2026-03-01  10:00',
		'today',
	])('such as "%s" is rejected', (text) => {
		expect(isoDate(text)).toBeUndefined();
	});

	test.each([
		[new Date('2026-03-01'), '2026-03-01'],
		[new Date('2026-03-01T10:00:00Z'), '2026-03-01T10:00:00.000Z'],
	])('of a database or an expression is sent as text: %s', (dateCanvassed, text) => {
		expect(checkCanvassResponse({ canvassContext: { dateCanvassed }, resultCodeId: 1 })).toEqual({
			response: { canvassContext: { dateCanvassed: text }, resultCodeId: 1 },
		});
	});
});

describe('the phone', () => {
	test.each([1, 19, 37, 67, 68, 72, 112, 132, 143, 147, 149])(
		'is missed for contact type %i, unless its ID or itself is there',
		(contactTypeId) => {
			const of = (more: object) => ({
				canvassContext: { contactTypeId, ...more },
				resultCodeId: 1,
			});
			expect(lacksPhone(of({}))).toBe(true);
			expect(lacksPhone(of({ phoneId: 1 }))).toBe(false);
			expect(lacksPhone(of({ phone: { phoneNumber: '907-555-0100' } }))).toBe(false);
		},
	);

	test.each([{}, { contactTypeId: 2 }, { contactTypeId: 'EID1A' }])(
		'is not missed for the context %j',
		(canvassContext) => {
			expect(lacksPhone({ canvassContext, resultCodeId: 1 })).toBe(false);
		},
	);

	const withPhone = (phone: Record<string, unknown>) => ({
		canvassContext: { phone },
		resultCodeId: 1,
	});

	test.each<[Record<string, unknown>, string]>([
		[{ phoneNumber: ' (907) 555-0100 ' }, '9075550100'],
		[{ phoneNumber: '+1 907.555.0100', dialingPrefix: '1' }, '19075550100'],
		[{ phoneNumber: '20 7946 0000', dialingPrefix: '+44' }, '2079460000'],
	])('%j is sent as digits, which is all that the service takes', (phone, phoneNumber) => {
		const { dialingPrefix } = phone;
		expect(checkCanvassResponse(withPhone(phone))).toEqual({
			response: withPhone({
				phoneNumber,
				...(dialingPrefix !== undefined && {
					dialingPrefix: String(dialingPrefix).replace('+', ''),
				}),
			}),
		});
	});

	test.each<[Record<string, unknown>, RegExp]>([
		[{ phoneNumber: '123' }, /"123" is not a phone number of the US or Canada.*dialing prefix too/],
		[{ phoneNumber: '123', dialingPrefix: '44' }, /must have 5 to 15 digits/],
		[{ phoneNumber: '907-555-0100 x12' }, /may only have digits/],
		[{ phoneNumber: ' ', dialingPrefix: '44' }, /is empty/],
	])('%j is rejected', (phone, text) => {
		const checked = checkCanvassResponse(withPhone(phone));
		expect('problems' in checked && checked.problems).toMatchObject([
			{
				path: ['canvassContext', 'phone', 'phoneNumber'],
				text: expect.stringMatching(text) as string,
			},
		]);
	});
});

test('a property of another kind of response is not suggested in place of itself', () => {
	const response = { type: 'ActivistCode', activistCodeId: 1, surveyQuestionId: 2 };
	const result = checkCanvassResponse({ responses: [response] });
	const problems = 'problems' in result ? result.problems : [];
	expect(problems).toEqual([
		{
			path: ['responses', 0, 'surveyQuestionId'],
			text: expect.stringMatching(/^is not a property that the service knows\./) as string,
		},
	]);
	expect(problems[0]?.text).not.toContain('"surveyQuestionId"');
});
