import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { byName } from '../../hosts/locators';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node';
import { MANY_ITEMS } from '../support/randomCases';
import { searchList } from './support/editor';
import { credentialOf, vendors } from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeRecord();

/** The first event of the sandbox, and its first person. */
const EVENT = 6001;
const AVERY = 100_001;

const parameters = (operation: string, resourceName: string, values: IDataObject = {}) =>
	({
		resource: 'record',
		operation,
		resourceName: byName(resourceName),
		options: {},
		...values,
	}) as INodeParameters;
const perform = async (...given: Parameters<typeof parameters>) =>
	await service.run(node, parameters(...given));
const withJson = (
	operation: string,
	resourceName: string,
	record: unknown,
	values: IDataObject = {},
) => parameters(operation, resourceName, { recordJson: JSON.stringify(record), ...values });
const queryOf = (...options: Array<[name: string, value: string]>) => ({
	option: options.map(([name, value]) => ({ name, value })),
});
const only = (run: { outputs: INodeExecutionData[][] }) => run.outputs[0]?.map(({ json }) => json);

describe.each(vendors)('the general conventions in the words of %s', (vendor) => {
	const credential = credentialOf(vendor);
	const prefix = vendor === 'Native' ? '/v2' : '/v4';

	it('create, get, replace, patch, list and delete', async () => {
		const run = async (values: INodeParameters) => {
			const { error, outputs } = await service.run(node, values, { credential });
			expect(error).toBeUndefined();
			return only({ outputs });
		};
		const [created] = (await run(withJson('create', 'events', { name: 'A', place: 'B' }))) ?? [];
		const recordId = String(created?.eventId);
		expect(created).toEqual({ eventId: expect.any(Number) as number, name: 'A', place: 'B' });
		expect(await run(withJson('patch', 'events', { name: 'C' }, { recordId }))).toEqual([
			{ success: true, recordId },
		]);
		expect(await run(parameters('get', 'events', { recordId }))).toEqual([
			{ ...created, name: 'C' },
		]);
		expect(await run(withJson('update', 'events', { name: 'D' }, { recordId }))).toEqual([
			{ success: true, recordId },
		]);
		expect(
			await run(parameters('getAll', 'events', { query: queryOf(['name', 'D']), limit: 10 })),
		).toEqual([{ eventId: created?.eventId, name: 'D' }]);
		expect(await run(parameters('delete', 'events', { recordId }))).toEqual([
			{ success: true, recordId, deleted: true },
		]);

		const path = `${prefix}/events/${recordId}`;
		expect(
			service.calls().map((call) => [call.method, call.path, call.query, call.body, call.category]),
		).toEqual([
			['POST', `${prefix}/events`, {}, { name: 'A', place: 'B' }, 'medium'],
			['PATCH', path, {}, { name: 'C' }, 'medium'],
			['GET', path, {}, null, 'medium'],
			['PUT', path, {}, { name: 'D' }, 'medium'],
			['GET', `${prefix}/events`, { name: 'D' }, null, 'medium'],
			['DELETE', path, {}, null, 'medium'],
		]);
	});

	it('records that belong to another one are reached by its path', async () => {
		const resourceName = `people/${AVERY}/notes`;
		const created = await service.run(node, withJson('create', resourceName, { text: 'Hello' }), {
			credential,
		});
		expect(only(created)).toEqual([{ success: true }]);
		const read = await service.run(node, parameters('getAll', `/${resourceName}`), { credential });
		expect(only(read)).toMatchObject([{ text: 'Hello' }]);
		expect(service.calls().map(({ path }) => path)).toEqual([
			`${prefix}/people/${AVERY}/notes`,
			`${prefix}/people/${AVERY}/notes`,
		]);
	});

	it('the property of a person is what the service calls it', async () => {
		const body = {
			[vendor === 'Native' ? 'nativeId' : 'vanId']: AVERY,
			amount: 12.5,
			dateReceived: '2026-02-01',
		};
		const run = await service.run(node, withJson('create', 'contributions', body), { credential });
		expect(only(run)).toMatchObject([body]);
		expect(service.calls().map((call) => call.body)).toEqual([body]);
	});
});

describe('lists', () => {
	const many = async (count: number) => {
		await service.run(node, withJson('create', 'events', { name: 'A' }), {
			items: Array.from({ length: count }, () => ({ json: {} })),
		});
		service.sandbox.control.clearRequests();
	};

	it('come page by page to their end', async () => {
		await many(120);
		const run = await perform('getAll', 'events', { returnAll: true });
		expect(only(run)).toHaveLength(122);
		expect(service.calls().map(({ query }) => query)).toEqual([
			{},
			{ $top: '50', $skip: '50' },
			{ $top: '50', $skip: '100' },
		]);
	});

	it('end at the limit, and keep the options of the user on every page', async () => {
		await many(10);
		const run = await perform('getAll', 'events', {
			limit: 7,
			query: queryOf(['$top', '4'], ['$orderby', 'eventId desc'], ['name', '']),
		});
		expect(only(run)).toHaveLength(7);
		expect(service.calls().map(({ query }) => query)).toEqual([
			{ $top: '4', $orderby: 'eventId desc' },
			{ $top: '4', $skip: '4', $orderby: 'eventId desc' },
		]);
	});

	it('say so if the service returns fewer entries than it counts', async () => {
		const body = { items: [{ eventId: 1 }], nextPageLink: null, count: 500 };
		service.addFault({ kind: 'response', status: 200, body });
		const run = await perform('getAll', 'events', { returnAll: true });
		expect(only(run)).toHaveLength(1);
		expect(run.hints.map(({ message }) => message)).toEqual([
			'The service says that the list has 500 entries, but it returned 1.',
		]);
		const query = queryOf(['$skip', '1']);
		const rest = await perform('getAll', 'events', { returnAll: true, query });
		expect(rest.hints).toEqual([]);
	});

	it('may be bare, and may hold names only', async () => {
		const bare = await perform('getAll', 'codeTypes');
		expect(only(bare)).toEqual([{ value: 'Tag' }, { value: 'SourceCode' }]);
		const objects = await perform('getAll', 'canvassResponses/inputTypes');
		expect(only(objects)?.[0]).toEqual({ inputTypeId: 2, name: 'Manual' });
	});

	it('are no single records', async () => {
		const run = await perform('getAll', `events/${EVENT}`);
		expect(run.error?.message).toBe(
			`The service responded to GET /events/${EVENT} with data that is not a list`,
		);
	});
});

describe('a record that is not in the response', () => {
	it('is an error and no empty item', async () => {
		service.addFault({ kind: 'emptyBody' });
		const run = await service.run(node, parameters('get', 'events', { recordId: String(EVENT) }), {
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1]?.[0]?.json.error).toMatchObject({
			message: `The service responded to GET /events/${EVENT} with nothing at all`,
			httpCode: 200,
			replayable: true,
			outcomeUnknown: false,
		});
	});

	it('is an error where a list was asked for', async () => {
		service.addFault({ kind: 'emptyBody' });
		const run = await perform('getAll', 'events');
		expect(run.error?.message).toBe('The service responded to GET /events with nothing at all');
	});
});

describe('responses that are no object', () => {
	it.each([
		['integer', { value: 505 }],
		['location', { success: true, recordId: '505' }],
	] as const)('%s', async (codeResponses, output) => {
		service.change({ styles: { codeResponses } });
		const run = await service.run(node, withJson('create', 'codes', { name: 'Spring' }));
		expect(only(run)).toEqual([output]);
	});

	it('an address of the record that the new one belongs to is not its ID', async () => {
		const outputFor = async (location: string) => {
			const fault = { kind: 'response', status: 201, headers: { location }, body: '' } as const;
			service.addFault(fault);
			return only(await service.run(node, withJson('create', 'people/5/notes', { text: 'x' })));
		};
		expect(await outputFor('/v2/people/5')).toEqual([{ success: true }]);
		expect(await outputFor('https://files.example.org/v2/notes/77')).toEqual([
			{ success: true, recordId: '77' },
		]);
	});

	it.each(['[]', '{}', 'null'])('%s is a success that says nothing', async (body) => {
		const headers = { 'content-type': 'application/json' };
		service.addFault({ kind: 'response', status: 200, headers, body, executed: true });
		const run = await perform('delete', 'codes', { recordId: '501' });
		expect(only(run)).toEqual([{ success: true, recordId: '501', deleted: true }]);
	});

	it('a list is one item for each entry', async () => {
		const run = await service.run(
			node,
			withJson('create', 'codes/batch', { codes: [{ name: 'A' }, { name: 'B' }] }),
		);
		expect(run.error).toBeUndefined();
		expect(only(run)).toHaveLength(2);
	});

	it('a JSON Patch is sent as a list', async () => {
		const patch = [{ op: 'replace', path: '/name', value: 'New name' }];
		const run = await service.run(node, withJson('patch', 'codes', patch, { recordId: '501' }));
		expect(run.error).toBeUndefined();
		expect(service.calls().map(({ body }) => body)).toEqual([patch]);
	});
});

describe('a record operation keeps the rate category and the retry class of the call it makes', () => {
	it.each<[string, INodeParameters, string]>([
		[
			'a canvass response',
			withJson('create', `people/${AVERY}/canvassResponses`, { resultCodeId: 1 }),
			'high',
		],
		[
			'a search',
			withJson('create', 'people/find', { emails: [{ email: 'a@example.org' }] }),
			'low',
		],
		['anything else', parameters('get', 'events', { recordId: String(EVENT) }), 'medium'],
	])('%s is %s', async (_, values, category) => {
		const rates = { rateHigh: 1000, rateMedium: 1000, rateLow: 1000 };
		const slow = { high: 'rateHigh', medium: 'rateMedium', low: 'rateLow' }[category] ?? '';
		const started = Date.now();
		const run = await service.run(node, values, {
			items: [{ json: {} }, { json: {} }],
			// A share of its own makes a limiter of its own.
			credential: { ...rates, [slow]: 2, rateShare: 99 },
		});
		expect(run.error).toBeUndefined();
		expect(Date.now() - started).toBeGreaterThan(400);
		expect(service.calls().map((call) => call.category)).toEqual([category, category]);
	});

	it.each<[string, INodeParameters, number]>([
		['PUT', withJson('update', 'events', { name: 'A' }, { recordId: String(EVENT) }), 2],
		['GET', parameters('get', 'events', { recordId: String(EVENT) }), 2],
		['POST', withJson('create', 'events', { name: 'A' }), 1],
		['PATCH', withJson('patch', 'events', { name: 'A' }, { recordId: String(EVENT) }), 1],
		['POST to update a person', withJson('create', `people/${AVERY}`, { nickname: 'A' }), 2],
	])('%s whose outcome is unknown', async (_, values, calls) => {
		service.addFault({ kind: 'resetAfter' });
		const run = await service.run(node, values, { onError: 'continueErrorOutput' });
		expect(service.calls()).toHaveLength(calls);
		if (calls === 1) {
			expect(run.outputs[1]?.[0]?.json.error).toMatchObject({
				outcomeUnknown: true,
				replayable: false,
			});
		}
	});

	it('a person found is a response here too', async () => {
		const run = await service.run(
			node,
			withJson('create', 'people/find', { emails: [{ email: 'avery.sample@demo.example.org' }] }),
		);
		expect(only(run)).toEqual([{ nativeId: AVERY, status: 'Matched' }]);
	});
});

describe('bad input is rejected before any call, in the words on the screen', () => {
	it.each<[string, string, RegExp]>([
		['nothing', '={{ " " }}', /^Resource Name is empty/],
		['an address', 'https://elsewhere.example.org/events', /is a whole address/],
		['the version', 'v2/events', /begins with the version "v2"/],
	])('%s as resource name', async (_, resourceName, message) => {
		for (const operation of ['getAll', 'create']) {
			const run = await service.run(node, withJson(operation, resourceName, { name: 'A' }));
			expect(run.error?.message).toMatch(message);
			expect(run.error?.message).toMatch(/^Resource Name /);
		}
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each<[string, string, RegExp]>([
		['nothing', '={{ "" }}', /^Record ID is empty/],
		['a path', '5/notes', /^Record ID must not contain a slash/],
	])('%s as record ID', async (_, recordId, message) => {
		for (const operation of ['get', 'update', 'patch', 'delete']) {
			const run = await service.run(
				node,
				withJson(operation, 'events', { name: 'A' }, { recordId }),
			);
			expect(run.error?.message).toMatch(message);
		}
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each<[string, string, string, RegExp]>([
		['broken JSON', 'create', '{"name": ', /^Record \(JSON\) is not valid JSON/],
		['a list', 'create', '[{"name": "A"}]', /^Record \(JSON\) must be an object/],
		['a number', 'patch', '5', /^Record \(JSON\) must be an object.*or a list of changes/],
	])('%s as record', async (_, operation, recordJson, message) => {
		const run = await perform(operation, 'events', { recordId: '5', recordJson });
		expect(run.error?.message).toMatch(message);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('query options without a name, or twice', async () => {
		const run = await perform('getAll', 'events', {
			query: queryOf(['name', 'A'], ['', 'B'], ['name', 'C']),
		});
		expect(run.error?.message).toMatch(
			/^2 things to correct.*Query Options 2 → Name is empty.*Query Options 3 → Name: "name" appears twice/,
		);
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each([
		['an object', { name: 'A' }, 'is "[object Object]"'],
		['a list of objects', [{ name: 'A' }], 'is "[object Object]"'],
		['no number', Number.NaN, 'is "NaN"'],
	])('a query option that is %s', async (_, value, problem) => {
		const query = queryOf(['name', 'A'], ['$filter', '={{ $json.value }}']);
		const run = await service.run(node, parameters('getAll', 'events', { query }), {
			items: [{ json: { value } as IDataObject }],
		});
		expect(run.error?.message).toBe(`Query Options 2 → Value ${problem}, but must be text.`);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('a query option whose expression gives nothing, which would return all records', async () => {
		const query = queryOf(['contactId', '={{ $json.personId }}']);
		const run = await perform('getAll', 'contributions', { query });
		expect(run.error?.message).toBe(
			'Query Options 1 → Value is an expression without a value, so it would have no effect. Correct it.',
		);
		expect(service.sandbox.requests).toEqual([]);
	});

	it.each([{}, []])('a patch without any property: %j', async (record) => {
		const run = await service.run(node, withJson('patch', 'events', record, { recordId: '5' }));
		expect(run.error?.message).toMatch(/^Record \(JSON\) has no properties/);
		expect(service.sandbox.requests).toEqual([]);
	});
});

it('every sign in an ID stays in its part of the address', async () => {
	const recordId = 'CrmId:ü %2e% $,;=@';
	await service.run(node, parameters('get', 'people', { recordId }), {
		onError: 'continueErrorOutput',
	});
	const [call] = service.sandbox.requests;
	expect(call?.query).toEqual({});
	expect(decodeURIComponent(call?.path ?? '')).toBe(`/v2/people/${recordId}`);
});

describe('dates of databases and expressions', () => {
	const record = (date: string) =>
		parameters('create', 'events', {
			recordJson: `={{ { name: "x", at: [${date}] } }}`,
			options: { dryRun: true },
		});

	it.each([
		['new Date("2026-03-01T10:00:00Z")', '2026-03-01T10:00:00.000Z'],
		['new Date("2026-03-01")', '2026-03-01'],
		['DateTime.fromISO("2026-03-01")', '2026-03-01'],
		['DateTime.fromISO("2026-03-01T10:00:00Z").toUTC()', '2026-03-01T10:00:00.000Z'],
	])('are dates: %s', async (date, text) => {
		const run = await service.run(node, record(date));
		expect(only(run)).toMatchObject([{ request: { body: { name: 'x', at: [text] } } }]);
	});

	it('are dates in query options', async () => {
		const query = queryOf(['after', '={{ [new Date("2026-03-01")][0] }}']);
		await perform('getAll', 'events', { query });
		expect(service.sandbox.requests[0]?.query).toMatchObject({ after: '2026-03-01' });
	});

	it.each([
		['patch', '={{ ({ capacity: Number("about 5") }) }}', /capacity is NaN/],
		['update', '={{ ({ name: $json.Name, place: "B" }) }}', /name is undefined/],
		['create', '={{ ({ tags: [$json.Tag] }) }}', /tags is undefined/],
	])('are no numbers or names without a value: %s %s', async (operation, recordJson, message) => {
		const run = await perform(operation, 'events', { recordId: '5', recordJson });
		expect(run.error?.message).toMatch(message);
		expect(service.calls()).toEqual([]);
	});

	it('are no addresses whose password was hidden when they were read', async () => {
		const body = { feed: 'https://***@files.example.org/a.csv' };
		const run = await service.run(node, withJson('update', 'events', body, { recordId: '5' }));
		expect(run.error?.message).toMatch(/has \*\*\* in place of a user and a password/);
		expect(service.calls()).toEqual([]);
	});

	it.each(['new Date("soon")', 'DateTime.fromISO("soon")'])(
		'are rejected if invalid, because null would clear a value: %s',
		async (date) => {
			const run = await service.run(node, record(date));
			expect(run.error?.message).toMatch(/^Record \(JSON\):? at is not a valid date/);
			expect(service.calls()).toEqual([]);
		},
	);
});

describe('a dry run shows the request and sends nothing', () => {
	const options = { dryRun: true };
	it.each<[string, INodeParameters, IDataObject]>([
		[
			'create',
			withJson('create', 'people/5/notes', { text: 'x' }, { options }),
			{ method: 'POST', path: '/people/5/notes', body: { text: 'x' } },
		],
		[
			'update',
			withJson('update', 'events', { name: 'x' }, { recordId: 'a b', options }),
			{ method: 'PUT', path: '/events/a%20b', body: { name: 'x' } },
		],
		[
			'patch',
			withJson('patch', 'events', { name: 'C' }, { recordId: '5', options }),
			{ method: 'PATCH', path: '/events/5', body: { name: 'C' } },
		],
		[
			'delete',
			parameters('delete', 'events', {
				recordId: '5',
				query: queryOf(['why', 'a&b'], ['__proto__', 'c']),
				options,
			}),
			{ method: 'DELETE', path: '/events/5?why=a%26b&__proto__=c' },
		],
	])('%s', async (_, values, request) => {
		const run = await service.run(node, values);
		expect(only(run)).toEqual([{ dryRun: true, request }]);
		expect(service.sandbox.requests).toEqual([]);
	});
});

test('a method that the service does not offer is an error to act on', async () => {
	const run = await perform('delete', 'canvassResponses', { recordId: 'inputTypes' });
	expect(run.error).toMatchObject({
		message: expect.stringMatching(
			/does not offer DELETE \/canvassResponses\/inputTypes/,
		) as string,
		httpCode: '405',
	});
	expect(service.sandbox.requests).toHaveLength(1);
});

it('several items come out in their order, failed ones at the error output, each paired', async () => {
	service.addFault({ kind: 'latency', ms: 80 });
	const run = await service.run(
		node,
		parameters('get', 'events', { recordId: '={{ $json.id }}' }),
		{
			items: [EVENT, 5, EVENT + 1].map((id) => ({ json: { id } })),
			onError: 'continueErrorOutput',
		},
	);
	expect(run.outputs[0]).toMatchObject([
		{ json: { eventId: EVENT }, pairedItem: { item: 0 } },
		{ json: { eventId: EVENT + 1 }, pairedItem: { item: 2 } },
	]);
	expect(run.outputs[1]).toMatchObject([
		{
			json: {
				id: 5,
				error: { httpCode: 404, replayable: false, request: { method: 'GET', path: '/events/5' } },
			},
			pairedItem: { item: 1 },
		},
	]);
});

it('the list of resources can be searched', async () => {
	const request = { ...service.setup(node), method: 'searchResourceNames' };
	const all = await searchList(request);
	expect(all.results).toContainEqual({ name: 'Activist Codes', value: 'activistCodes' });
	const some = await searchList({ ...request, filter: 'contrib' });
	expect(some.results).toEqual([{ name: 'Contributions', value: 'contributions' }]);
	expect(service.sandbox.requests).toEqual([]);
});

it('puts out as many records of one item as there are', async () => {
	const count = MANY_ITEMS;
	service.addFault({
		kind: 'response',
		status: 200,
		body: Array.from({ length: count }, (_, n) => n),
	});
	const run = await perform('getAll', 'events', { returnAll: true });
	expect(run.error).toBeUndefined();
	expect(run.outputs[0]).toHaveLength(count);
	expect(run.outputs[0]?.at(-1)).toMatchObject({
		json: { value: count - 1 },
		pairedItem: { item: 0 },
	});
});

it('waits for a response with a timeout longer than the timers of Node', async () => {
	const run = await service.run(node, parameters('get', 'events', { recordId: '6001' }), {
		credential: { timeout: 9_999_999 },
	});
	expect(run.error).toBeUndefined();
});

it.each([0, -1, 'ten'])('rejects the limit %j before anything is sent', async (limit) => {
	const run = await perform('getAll', 'events', { limit });
	expect(run.error?.message).toMatch(/^Limit(: ".*" is not| must be) a whole number above 0\.$/);
	expect(service.calls()).toEqual([]);
});

it('takes the text "true" of an expression for a dry run', async () => {
	const run = await service.run(
		node,
		withJson('create', 'events', { name: 'a' }, { options: { dryRun: '={{ "true" }}' } }),
	);
	expect(only(run)).toMatchObject([{ dryRun: true }]);
	expect(service.calls()).toEqual([]);
});

it('sends nothing if an expression does not say whether it is a dry run', async () => {
	const run = await service.run(
		node,
		withJson('create', 'events', { name: 'a' }, { options: { dryRun: '={{ $json.nothing }}' } }),
	);
	expect(run.error?.message).toMatch(/^Dry Run is an expression without a value/);
	expect(service.calls()).toEqual([]);
});
