import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, fromList } from '../../hosts/locators';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { searchList } from './support/editor';
import { credentialOf } from './support/importJobs';
import { withFailingHints } from './support/failingHints';
import { DEMO_KEY, useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeCanvassResponse();
const stored = () =>
	service.sandbox.control
		.canvassResponses('demo')
		.map(({ nativeId, body }) => ({ nativeId, body }));

/** The first person of the seed, with an external ID and a phone. */
const PERSON = 100_001;
const CRM_ID = 'demo-1';
const PHONE = 5001;

const van = credentialOf('Van');

const create = (parameters: INodeParameters, options: INodeParameters = {}): INodeParameters => ({
	resource: 'canvassResponse',
	operation: 'create',
	nativeId: String(PERSON),
	...parameters,
	options,
});
const notHome: INodeParameters = {
	canvassContext: { contactTypeId: byId(2) },
	resultCodeId: byId(1),
};
const asJson = (response: unknown): INodeParameters => ({
	defineResponse: 'json',
	canvassResponseJson: typeof response === 'string' ? response : JSON.stringify(response),
});
const answers = (responses: INodeParameters): INodeParameters => ({
	outcome: 'responses',
	responses,
});

describe.each([
	['Native', '/v2', 'nativeId', {}],
	['Van', '/v4', 'vanId', van],
])('posting in a deployment that says %s', (_, root, personIdName, credential) => {
	it('sends a result code with its whole context', async () => {
		const run = await service.run(
			node,
			create({
				canvassContext: {
					contactTypeId: fromList(1),
					inputTypeId: fromList(10),
					dateCanvassed: '2026-03-01T18:30:00',
					phoneId: String(PHONE),
					phone: {
						number: { dialingPrefix: '1', phoneNumber: '907-555-0100', smsOptInStatus: 'O' },
					},
					skipMatching: true,
					addActivistCodesToContactHistory: true,
					campaignId: '1501',
					contentId: '88',
				},
				resultCodeId: fromList(20),
			}),
			{ credential },
		);

		expect(run.error).toBeUndefined();
		expect(service.calls()).toMatchObject([
			{
				method: 'POST',
				path: `${root}/people/${PERSON}/canvassResponses`,
				query: {},
				status: 204,
			},
		]);
		const body = {
			canvassContext: {
				contactTypeId: 1,
				inputTypeId: 10,
				dateCanvassed: '2026-03-01T18:30:00',
				phoneId: PHONE,
				phone: { dialingPrefix: '1', phoneNumber: '9075550100', smsOptInStatus: 'O' },
				skipMatching: true,
				omitActivistCodeContactHistory: false,
				campaignId: 1501,
				contentId: 88,
			},
			resultCodeId: 20,
		};
		expect(service.calls()[0]?.body).toEqual(body);
		expect(stored()).toEqual([{ nativeId: PERSON, body }]);
		expect(run.outputs[0]).toEqual([
			{
				json: { created: true, personId: PERSON, [personIdName]: PERSON, ...body },
				pairedItem: { item: 0 },
			},
		]);
		expect(run.hints).toEqual([]);
	});

	it('sends responses of every kind to a person known by another ID', async () => {
		const run = await service.run(
			node,
			create({
				identifyBy: 'type',
				personIdType: 'CrmId',
				personId: CRM_ID,
				...answers({
					activistCodes: [
						{ activistCodeId: fromList(7001), action: 'Apply' },
						{ activistCodeId: byId('7002'), action: 'Remove' },
					],
					surveyResponses: [{ surveyQuestionId: byId(81), surveyResponseId: byId(812) }],
					volunteerActivities: [{ volunteerActivityId: '901', action: 'Apply' }],
				}),
			}),
			{ credential },
		);

		expect(run.error).toBeUndefined();
		const body = {
			responses: [
				{ type: 'ActivistCode', activistCodeId: 7001, action: 'Apply' },
				{ type: 'ActivistCode', activistCodeId: 7002, action: 'Remove' },
				{ type: 'SurveyResponse', surveyQuestionId: 81, surveyResponseId: 812 },
				{ type: 'VolunteerActivity', volunteerActivityId: 901, action: 'Apply' },
			],
		};
		expect(service.calls()).toMatchObject([
			{ method: 'POST', path: `${root}/people/CrmId:${CRM_ID}/canvassResponses`, status: 204 },
		]);
		expect(service.calls()[0]?.body).toEqual(body);
		expect(stored()).toEqual([{ nativeId: PERSON, body }]);
		expect(run.outputs[0]?.[0]?.json).toEqual({
			created: true,
			personIdType: 'CrmId',
			externalId: CRM_ID,
			...body,
		});
	});
});

describe('the body', () => {
	const onDay = (dateCanvassed: string, options = {}) =>
		create({ ...notHome, canvassContext: { contactTypeId: byId(2), dateCanvassed } }, options);

	it.each([
		['3/1/2026', 'M/d/yyyy', '2026-03-01'],
		['01.03.2026 18:30', 'dd.MM.yyyy HH:mm', '2026-03-01T18:30:00'],
		['March 1, 2026', 'MMMM d, yyyy', '2026-03-01'],
		['2026-03-01', 'M/d/yyyy', '2026-03-01'],
	])('has the date %s in the format %s as %s', async (entered, dateFormat, sent) => {
		const run = await service.run(node, onDay(entered, { dateFormat }));
		expect(run.error).toBeUndefined();
		expect(service.calls()[0]?.body).toMatchObject({ canvassContext: { dateCanvassed: sent } });
	});

	it.each([
		['3/1/2026', {}],
		['13/1/2026', { dateFormat: 'M/d/yyyy' }],
		['3/1/26', { dateFormat: 'M/d/y' }],
	])('says how %s can be given', async (entered, options) => {
		const run = await service.run(node, onDay(entered, options));
		expect(run.error?.message).toMatch(
			/Date Canvassed is "\d+\/1\/\d+", but must be a date .* set the option Date Format to M\/d\/yyyy/,
		);
		expect(service.calls()).toEqual([]);
	});

	it('leaves out a list that was added and left empty, as the editor stores it', async () => {
		const canvassContext = { contactTypeId: { mode: 'list', value: '' } };
		await service.run(node, create({ ...notHome, canvassContext }));
		expect(service.calls().map(({ body }) => body)).toEqual([{ resultCodeId: 1 }]);
	});

	it('goes without the empty half that some callers give', async () => {
		await service.run(node, create(asJson({ resultCodeId: 1, responses: [] })));
		await service.run(
			node,
			create(
				asJson({
					resultCodeId: null,
					responses: [{ type: 'ActivistCode', activistCodeId: '7001' }],
				}),
			),
		);
		expect(service.calls().map(({ body }) => body)).toEqual([
			{ resultCodeId: 1 },
			{ responses: [{ type: 'ActivistCode', activistCodeId: 7001 }] },
		]);
	});

	it('keeps encoded IDs as they are', async () => {
		const run = await service.run(
			node,
			create(
				{
					...answers({
						activistCodes: [{ activistCodeId: byId('EID64C1B'), action: 'Apply' }],
						surveyResponses: [
							{ surveyQuestionId: byId('EID51A'), surveyResponseId: byId('EID32CB') },
						],
					}),
				},
				{ dryRun: true },
			),
		);
		expect(run.outputs[0]?.[0]?.json.request).toMatchObject({
			body: {
				responses: [
					{ activistCodeId: 'EID64C1B' },
					{ surveyQuestionId: 'EID51A', surveyResponseId: 'EID32CB' },
				],
			},
		});
	});

	it('takes dates as expressions give them', async () => {
		const run = await service.run(
			node,
			create({ ...notHome, canvassContext: { dateCanvassed: '={{ $json.day }}' } }),
			{ items: [{ json: { day: '2026-03-01' } }, { json: { day: '2026-03-01T10:00:00-09:00' } }] },
		);
		const luxon = await service.run(
			node,
			create({
				...notHome,
				canvassContext: { dateCanvassed: '={{ DateTime.fromISO("2026-03-02T10:00:00Z") }}' },
			}),
		);
		expect([run.error, luxon.error]).toEqual([undefined, undefined]);
		const dates = service
			.calls()
			.map(({ body }) => (body as { canvassContext: IDataObject }).canvassContext.dateCanvassed);
		expect(dates.sort()).toEqual([
			'2026-03-01',
			'2026-03-01T10:00:00-09:00',
			expect.stringMatching(/^2026-03-02T10:00:00/),
		]);
	});

	it('holds only the fields of the outcome an expression gives', async () => {
		await service.run(
			node,
			create({
				outcome: '={{ $json.outcome }}',
				resultCodeId: byId(1),
				responses: { activistCodes: [{ activistCodeId: byId(7001), action: 'Apply' }] },
			}),
			{ items: [{ json: { outcome: 'resultCode' } }, { json: { outcome: 'responses' } }] },
		);
		expect(service.calls().map(({ body }) => Object.keys(body as object).join())).toEqual(
			expect.arrayContaining(['resultCodeId', 'responses']),
		);
	});
});

test.each([
	['a/b', 'CrmId:a%2Fb'],
	['../1', 'CrmId:..%2F1'],
	['50% more?', 'CrmId:50%25%20more%3F'],
	['a:b', 'CrmId:a%3Ab'],
	['Zoë', 'CrmId:Zo%C3%AB'],
])('the ID %s cannot leave its place in the address', async (personId, segment) => {
	const person = { identifyBy: 'type', personIdType: 'CrmId', personId };
	const run = await service.run(node, create({ ...person, ...notHome }, { dryRun: true }));
	expect(run.outputs[0]?.[0]?.json.request).toMatchObject({
		path: `/people/${segment}/canvassResponses`,
	});
	const sent = await service.run(node, create({ ...person, ...notHome }));
	expect(sent.error).toMatchObject({ httpCode: '404' });
});

describe('a response that cannot work is rejected before any call', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['no person', { ...notHome, nativeId: ' ' }, /^Person ID is empty/],
		[
			'an identifier type with a colon',
			{ ...notHome, identifyBy: 'type', personIdType: 'CrmId:1', personId: CRM_ID },
			/^Identifier Type must not contain a colon/,
		],
		[
			'an ID that JavaScript has rounded',
			{ ...notHome, identifyBy: 'type', personIdType: 'CrmId', personId: '={{ 2 ** 60 }}' },
			/^ID in That Type has more digits than a number can keep/,
		],
		[
			'no result code',
			{ resultCodeId: byId('={{ "" }}') },
			/^Result Code is empty\. Choose the result of the attempt/,
		],
		[
			'no responses',
			answers({}),
			/^Responses is empty\. Add what the person said, or set a result code instead/,
		],
		[
			'a second survey response without its question',
			answers({
				activistCodes: [{ activistCodeId: byId(7001), action: 'Apply' }],
				surveyResponses: [
					{ surveyQuestionId: byId(81), surveyResponseId: byId(811) },
					{ surveyQuestionId: byId('?'), surveyResponseId: byId(812) },
				],
			}),
			/^Responses → Survey Response 2 → Survey Question is "\?", but must be a whole number/,
		],
		[
			'a phone without its number',
			{ ...notHome, canvassContext: { phone: { number: { dialingPrefix: '1' } } } },
			/^Canvass Context → Phone → Phone Number is empty/,
		],
		[
			'a phone of another country with ten digits',
			{ ...notHome, canvassContext: { phone: { number: { phoneNumber: '+47 22 12 34 56' } } } },
			/^Canvass Context → Phone → Phone Number.*For a number in another country, enter its dialing prefix too/,
		],
		[
			'both halves, given as JSON',
			asJson({ resultCodeId: 1, responses: [{ type: 'ActivistCode', activistCodeId: 7001 }] }),
			/^Canvass Response \(JSON\) → resultCodeId is set together with responses/,
		],
	])('%s', async (_, parameters, message) => {
		const run = await service.run(node, create(parameters));
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/^Nothing was sent/);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('a contact by phone or text without the phone', () => {
	it.each([1, 19, 37])('is sent with a hint, for contact type %i', async (contactTypeId) => {
		const run = await service.run(
			node,
			create({ canvassContext: { contactTypeId: byId(contactTypeId) }, resultCodeId: byId(14) }),
			{ items: [{ json: {} }, { json: {} }] },
		);
		expect(run.error).toBeUndefined();
		expect(service.calls()).toHaveLength(2);
		expect(run.hints).toMatchObject([
			{ type: 'warning', message: expect.stringMatching(/^Item 1 and 1 more.*Phone ID/) as string },
		]);
	});

	it('gives no hint for a visit', async () => {
		const run = await service.run(node, create(notHome));
		expect(run.hints).toEqual([]);
	});
});

test('a dry run shows the request and makes no call', async () => {
	const run = await service.run(node, create(notHome, { dryRun: true }));
	expect(run.outputs[0]?.[0]?.json).toEqual({
		dryRun: true,
		request: {
			method: 'POST',
			path: `/people/${PERSON}/canvassResponses`,
			body: { canvassContext: { contactTypeId: 2 }, resultCodeId: 1 },
		},
	});
	expect(service.sandbox.requests).toEqual([]);
});

describe('what the service rejects becomes an error to act on', () => {
	it('400: a disposition of a phone without the phone', async () => {
		const run = await service.run(
			node,
			create({ canvassContext: { contactTypeId: byId(1) }, resultCodeId: byId(20) }),
		);
		expect(run.error?.message).toMatch(/canvassContext\.phoneId: 'phoneId' is required/);
	});

	it('an error of n8n itself after the responses were sent leaves every outcome unknown', async () => {
		for (const onError of ['continueErrorOutput', 'continueRegularOutput'] as const) {
			// A rejected request gives a hint.
			service.addFault({ kind: 'status', status: 429, retryAfterMs: 1 }, 'POST');
			const run = await service.run(withFailingHints(node), create(notHome), {
				items: [{ json: {} }, { json: {} }],
				onError,
			});
			const error = expect.objectContaining({
				message: 'The run stopped after requests were sent: Invalid string length',
				outcomeUnknown: true,
				replayable: false,
			}) as unknown;
			expect(run.outputs.flat().map(({ json }) => json.error)).toEqual([error, error]);
		}
	});
});

describe('500 responses at 200 per second', () => {
	// The service takes more than the node plans with: a busy machine delivers calls in bunches.
	const tier = { high: 600, medium: 600, low: 600, monthly: null };
	const large = useSandbox({ tenants: [{ name: 'demo', key: DEMO_KEY, tier, extraPeople: 500 }] });

	it('are each stored once, and are paced', async () => {
		const people = large.sandbox.control.people('demo').map(({ nativeId }) => nativeId);
		const items = people.slice(-500).map((id) => ({ json: { id } }));
		const began = performance.now();
		const run = await large.run(node, create({ ...notHome, nativeId: '={{ $json.id }}' }), {
			items,
			credential: { rateTier: 'custom' },
		});
		const seconds = (performance.now() - began) / 1000;

		const ids = items.map(({ json }) => json.id);
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.map(({ json }) => json.personId)).toEqual(ids);
		const storedFor = large.sandbox.control
			.canvassResponses('demo')
			.map(({ nativeId }) => nativeId);
		expect(storedFor.toSorted()).toEqual(ids);
		expect(large.sandbox.control.stats().status429).toBe(0);
		expect(seconds).toBeGreaterThan(2);
	});
});

describe('lookups', () => {
	const list = async (resource: string, filters: INodeParameters = {}, rest = {}) => {
		const run = await service.run(node, {
			resource,
			operation: 'getAll',
			returnAll: true,
			filters,
			options: {},
			...rest,
		});
		expect(run.error).toBeUndefined();
		return run.outputs[0]?.map(({ json }) => json) ?? [];
	};

	it.each<[string, string, INodeParameters, unknown[]]>([
		['contactType', 'contactTypeId', {}, [1, 2, 19, 37, 82]],
		['contactType', 'contactTypeId', { inputTypeId: byId(10) }, [1]],
		['inputType', 'inputTypeId', {}, [2, 4, 10, 11, 14, 23]],
		['resultCode', 'resultCodeId', { contactTypeId: byId(37) }, [2, 14, 20, 25, 130]],
		['resultCode', 'resultCodeId', { inputTypeId: byId(23) }, [14]],
		['activistCode', 'activistCodeId', {}, [7001, 7002, 7003]],
		['activistCode', 'activistCodeId', { name: 'yard' }, [7003]],
		['activistCode', 'activistCodeId', { type: 'Constituency' }, [7002]],
		['activistCode', 'activistCodeId', { statuses: ['Archived'] }, [7004]],
		['surveyQuestion', 'surveyQuestionId', {}, [81, 82]],
		['surveyQuestion', 'surveyQuestionId', { statuses: ['Active', 'Archived'] }, [81, 82, 83]],
		['surveyQuestion', 'surveyQuestionId', { name: 'issue' }, [82]],
		['surveyQuestion', 'surveyQuestionId', { question: 'support' }, [81]],
		['surveyQuestion', 'surveyQuestionId', { cycle: '2024' }, []],
	])('%s lists its %s with the filters %j', async (resource, id, filters, expected) => {
		const entries = await list(resource, filters);
		expect(entries.map((entry) => entry[id])).toEqual(expected);
	});

	it('a comma is part of a text filter', async () => {
		const question = 'How likely, if at all, will you vote?';
		await list('surveyQuestion', { question });
		expect(service.calls().at(-1)?.query).toMatchObject({ question });
	});
});

describe('the lists of the editor', () => {
	const values = async (method: string, parameters: INodeParameters = {}, path?: string) => {
		const { results } = await searchList({
			...service.setup(node),
			method,
			parameters: create(parameters),
			...(path !== undefined && { path }),
		});
		return results.map(({ value }) => Number(value)).sort((a, b) => a - b);
	};

	it('offer what the service lists, by name', async () => {
		for (const filter of ['home', 'nh']) {
			const search = { ...service.setup(node), method: 'searchResultCodes', filter };
			expect((await searchList(search)).results).toEqual([{ name: 'Not Home (1)', value: 1 }]);
		}
		expect(await values('searchInputTypes')).toEqual([2, 4, 10, 11, 14, 23]);
		expect(await values('searchActivistCodes')).toEqual([7001, 7002, 7003]);
		expect(await values('searchSurveyQuestions')).toEqual([81, 82]);
	});

	it('find every entry by a part of its name, however many there are', async () => {
		const items = Array.from({ length: 3000 }, (_, index) => ({
			activistCodeId: index + 1,
			name: `Volunteer ${index + 1}`,
		}));
		service.addFault(
			{ kind: 'response', status: 200, body: { items, nextPageLink: null, count: 3000 } },
			'/activistCodes',
			{ count: 3 },
		);
		const search = { ...service.setup(node), method: 'searchActivistCodes' };
		const { results, paginationToken = '' } = await searchList(search);
		expect(results).toHaveLength(1000);
		await searchList({ ...search, paginationToken });
		expect(service.calls().at(-1)?.query).toMatchObject({ $skip: '1000' });
		const found = await searchList({ ...search, filter: 'volunteer 2999' });
		expect(found.results).toEqual([{ name: 'Volunteer 2999 (2999)', value: 2999 }]);
	});

	it('offer the contact types of the chosen input type', async () => {
		expect(await values('searchContactTypes')).toEqual([1, 2, 19, 37, 82]);
		expect(
			await values('searchContactTypes', { canvassContext: { inputTypeId: fromList(14) } }),
		).toEqual([2, 37]);
	});

	it('offer the result codes of the chosen contact type', async () => {
		expect(
			await values('searchResultCodes', { canvassContext: { contactTypeId: fromList(37) } }),
		).toEqual([2, 14, 20, 25, 130]);
	});

	it('offer all while the field they depend on has an expression', async () => {
		expect(
			await values('searchContactTypes', {
				canvassContext: { inputTypeId: byId('={{ $json.input }}') },
			}),
		).toEqual([1, 2, 19, 37, 82]);
	});

	it('offer the responses of the question chosen beside them', async () => {
		const parameters = answers({
			surveyResponses: [
				{ surveyQuestionId: fromList(81), surveyResponseId: byId('') },
				{ surveyQuestionId: fromList(82), surveyResponseId: byId('') },
			],
		});
		const path = (index: number) =>
			`parameters.responses.surveyResponses[${index}].surveyResponseId`;
		expect(await values('searchSurveyResponses', parameters, path(0))).toEqual([
			811, 812, 813, 814,
		]);
		expect(await values('searchSurveyResponses', parameters, path(1))).toEqual([821, 822, 823]);
		expect(await values('searchSurveyResponses', parameters)).toHaveLength(7);
	});
});

test('the form asks for the outcome before the context', () => {
	const names = node.description.properties
		.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes('create'))
		.map(({ name }) => name);
	const asked = ['outcome', 'resultCodeId', 'responses', 'canvassContext'];
	expect(names.filter((name) => asked.includes(name))).toEqual(asked);
});
