import type { INodeParameters } from 'n8n-workflow';

import { byId, byName, fromList } from '../../hosts/locators';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { searchList } from './support/editor';
import { credentialOf } from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeCode();
const codes = () => service.sandbox.control.codes('demo');
const reads = () =>
	service
		.calls()
		.filter(({ method }) => method === 'GET')
		.map(({ path }) => path);

/** IDs of the seed. */
const PARENT_TAG = 501;
const TAG = 502;
const SOURCE_CODE = 503;
const FIRST_NEW = 505;

const van = credentialOf('Van');

const entityFields = (...entities: Array<[string, boolean, boolean]>) => ({
	entity: entities.map(([name, isSearchable, isApplicable]) => ({
		name: byName(name),
		isSearchable,
		isApplicable,
	})),
});

const create = (parameters: INodeParameters, options: INodeParameters = {}): INodeParameters => ({
	resource: 'code',
	operation: 'create',
	...parameters,
	options,
});
const createJson = (code: unknown, options: INodeParameters = {}) =>
	create(
		{ defineCode: 'json', codeJson: typeof code === 'string' ? code : JSON.stringify(code) },
		options,
	);
const update = (
	codeId: number | string,
	parameters: INodeParameters,
	options: INodeParameters = {},
): INodeParameters => ({
	resource: 'code',
	operation: 'update',
	codeId: byId(codeId),
	...parameters,
	options,
});
const remove = (codeId: number | string, options: INodeParameters = {}): INodeParameters => ({
	resource: 'code',
	operation: 'delete',
	codeId: byId(codeId),
	options,
});
const get = (codeId: number | string, options: INodeParameters = {}): INodeParameters => ({
	resource: 'code',
	operation: 'get',
	codeId: byId(codeId),
	options,
});
const getAll = (filters: INodeParameters = {}, rest: INodeParameters = { returnAll: true }) => ({
	resource: 'code',
	operation: 'getAll',
	...rest,
	filters,
	options: {},
});

describe.each([
	['Native', '/v2', {}],
	['Van', '/v4', van],
])('creating a code in a deployment that says %s', (_, root, credential) => {
	it('sends a source code with all its metadata', async () => {
		const run = await service.run(
			node,
			create({
				name: 'Summer appeal',
				description: 'Letter of June',
				sourceCodeMetadata: {
					campaignId: '1501',
					contactTypeId: fromList(2),
					generalLedgerFundId: '31',
					costCenterId: '41',
					revenueStreamId: '51',
					mailMergeTemplateId: '61',
					isSourceCodeApplicable: true,
				},
			}),
			{ credential },
		);

		expect(run.error).toBeUndefined();
		expect(service.writes()).toMatchObject([{ method: 'POST', path: `${root}/codes`, query: {} }]);
		expect(service.writes()[0]?.body).toEqual({
			name: 'Summer appeal',
			description: 'Letter of June',
			codeType: 'SourceCode',
			campaign: { campaignId: 1501 },
			contactType: { contactTypeId: 2 },
			generalLedgerFund: { generalLedgerFundId: 31 },
			costCenter: { costCenterId: 41 },
			revenueStream: { revenueStreamId: 51 },
			mailMergeTemplate: { mailMergeTemplateId: 61 },
			isSourceCodeApplicable: true,
		});
		expect(reads()).toEqual([`${root}/codeTypes`]);
	});

	it('sends a tag with its parent and entities', async () => {
		const run = await service.run(
			node,
			create({
				codeType: 'Tag',
				name: 'Canvass days',
				parentCodeId: byId(PARENT_TAG),
				supportedEntities: entityFields(['Events', true, true], ['Locations', false, true]),
			}),
			{ credential },
		);

		expect(run.error).toBeUndefined();
		expect(service.writes()[0]?.body).toEqual({
			name: 'Canvass days',
			codeType: 'Tag',
			parentCodeId: PARENT_TAG,
			supportedEntities: [
				{ name: 'Events', isSearchable: true, isApplicable: true },
				{ name: 'Locations', isSearchable: false, isApplicable: true },
			],
		});
		expect(reads()).toEqual([`${root}/codeTypes`, `${root}/codes/supportedEntities`]);
		expect(codes().find(({ name }) => name === 'Canvass days')).toMatchObject({
			parentCodeId: PARENT_TAG,
		});
	});

	it.each(['integer', 'object', 'location'] as const)(
		'puts out the ID whatever form the response has: %s',
		async (codeResponses) => {
			service.change({ styles: { codeResponses } });
			const run = await service.run(node, create({ name: 'Form' }), { credential });

			expect(run.error).toBeUndefined();
			expect(run.outputs[0]).toMatchObject([
				{
					json: { codeId: FIRST_NEW, name: 'Form', codeType: 'SourceCode' },
					pairedItem: { item: 0 },
				},
			]);
		},
	);
});

it('of a code that is created without its ID in the response is done, and says how to find it', async () => {
	service.addFault({ kind: 'emptyBody' }, 'POST');
	const run = await service.run(node, create({ name: 'Summer appeal' }));
	expect(run.error).toBeUndefined();
	expect(run.outputs[0]).toMatchObject([{ json: { name: 'Summer appeal', codeId: null } }]);
	expect(run.hints[0]?.message).toContain('Find it with Get Many');
	expect(service.writes()).toHaveLength(1);
});

describe('a code given as JSON', () => {
	it('goes without the entities of a source code, which the service ignores', async () => {
		const run = await service.run(
			node,
			createJson({
				name: 'No type',
				supportedEntities: [{ name: 'Nowhere', isSearchable: true, isApplicable: true }],
			}),
		);
		expect(run.error).toBeUndefined();
		expect(service.writes().map(({ body }) => body)).toEqual([{ name: 'No type' }]);
		expect(reads()).toEqual(['/v2/codeTypes']);
	});
});

test('an expression for the code type uses the fields of the type it gives', async () => {
	const run = await service.run(
		node,
		create({
			codeType: '={{ $json.type }}',
			name: '={{ $json.name }}',
			parentCodeId: byId(PARENT_TAG),
			supportedEntities: entityFields(['Events', true, true]),
			sourceCodeMetadata: { campaignId: '={{ $json.campaign }}' },
		}),
		{
			items: [
				{ json: { type: 'Tag', name: 2026, campaign: 1 } },
				{ json: { type: 'SourceCode', name: 'b', campaign: 7 } },
			],
		},
	);
	expect(run.error).toBeUndefined();
	expect(service.writes().map(({ body }) => body)).toEqual(
		expect.arrayContaining([
			{
				name: '2026',
				codeType: 'Tag',
				parentCodeId: PARENT_TAG,
				supportedEntities: [{ name: 'Events', isSearchable: true, isApplicable: true }],
			},
			{ name: 'b', codeType: 'SourceCode', campaign: { campaignId: 7 } },
		]),
	);
});

describe('a code that cannot be created is rejected before any call', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['a slash', { name: 'a/b' }, /^Name must not contain \/ or \\/],
		[
			'a field of a collection',
			{ name: 'a', sourceCodeMetadata: { campaignId: 'spring' } },
			/^Campaign is "spring", but must be a whole number/,
		],
		[
			'an entry of a list',
			{
				name: 'a',
				codeType: 'Tag',
				supportedEntities: entityFields(['Events', true, true], ['events', true, false]),
			},
			/^Supported Entity 2 → Name: "events" appears twice/,
		],
		[
			'JSON',
			{ defineCode: 'json', codeJson: '{"name":"a","campaign":{"campaignId":1.5}}' },
			/^Code \(JSON\) → campaign\.campaignId is 1\.5, but must be a whole number/,
		],
	])('%s', async (_, parameters, message) => {
		const run = await service.run(node, create(parameters));
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/^Nothing was sent/);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('checks every item before the first code is created', async () => {
		const run = await service.run(node, create({ name: '={{ $json.name }}' }), {
			items: [{ json: { name: 'fine' } }, { json: { name: 'not/fine' } }],
		});
		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(service.writes()).toEqual([]);
	});
});

describe('names the key does not have are rejected before the code is created', () => {
	const tagWith = (...names: string[]) =>
		create({
			codeType: 'Tag',
			name: 'a',
			supportedEntities: entityFields(
				...names.map((name): [string, boolean, boolean] => [name, true, true]),
			),
		});

	it('an entity the service does not list, with the nearest one', async () => {
		const run = await service.run(node, tagWith('Events', 'Location'));
		expect(run.error?.message).toBe(
			'Supported Entity 2 → Name: "Location" is not one of the supported entities this key may use: Contacts, Events, Locations. Did you mean "Locations"?',
		);
		expect(service.writes()).toEqual([]);
	});

	it('a code type, with the nearest one', async () => {
		const run = await service.run(node, createJson({ name: 'a', codeType: 'tag' }));
		expect(run.error?.message).toBe(
			'Code (JSON) → codeType: "tag" is not one of the code types this key may use: Tag, SourceCode. Did you mean "Tag"?',
		);
		expect(service.writes()).toEqual([]);
	});

	it('reads each list once for many items', async () => {
		const items = Array.from({ length: 20 }, (_, index) => ({ json: { index } }));
		const run = await service.run(node, tagWith('Events'), { items });
		expect(run.outputs[0]).toHaveLength(20);
		expect(reads().sort()).toEqual(['/v2/codeTypes', '/v2/codes/supportedEntities']);
	});

	it('skips the check where the key may not read the list', async () => {
		service.change({ rejected: ['GET /codeTypes', 'GET /codes/supportedEntities'] });
		const run = await service.run(node, tagWith('Events'));
		expect(run.error).toBeUndefined();
		expect(codes().map(({ name }) => name)).toContain('a');
	});

	it('creates nothing while the list cannot be read for another reason', async () => {
		service.addFault({ kind: 'htmlPage' }, 'GET /codeTypes');
		const run = await service.run(node, create({ name: 'a' }));
		expect(run.error?.message).toMatch(/responded to GET \/codeTypes with a web page/);
		expect(service.writes()).toEqual([]);
	});

	it('skips the check where the deployment has no list', async () => {
		service.addFault({ kind: 'status', status: 404 }, 'GET /codeTypes');
		const run = await service.run(node, create({ name: 'a' }));
		expect(run.error).toBeUndefined();
		expect(service.writes()).toHaveLength(1);
	});
});

describe('a dry run', () => {
	it('of a new code shows the request and changes nothing', async () => {
		const run = await service.run(node, create({ name: 'a' }, { dryRun: true }));
		expect(run.outputs[0]?.[0]?.json).toEqual({
			dryRun: true,
			request: { method: 'POST', path: '/codes', body: { name: 'a', codeType: 'SourceCode' } },
		});
		expect(service.writes()).toEqual([]);
	});

	it('names a code type that the service does not have', async () => {
		const run = await service.run(node, create({ name: 'a', codeType: 'Tagg' }, { dryRun: true }));
		expect(run.error?.message).toMatch(/Tagg/);
		expect(service.writes()).toEqual([]);
	});

	it('of an update shows the merged body and changes nothing', async () => {
		const run = await service.run(
			node,
			update(SOURCE_CODE, { updateFields: { description: 'New' } }, { dryRun: true }),
		);
		expect(run.outputs[0]?.[0]?.json).toEqual({
			dryRun: true,
			request: {
				method: 'PUT',
				path: `/codes/${SOURCE_CODE}`,
				body: {
					name: 'Spring appeal',
					description: 'New',
					codeType: 'SourceCode',
					campaign: { campaignId: 1501 },
					isSourceCodeApplicable: true,
				},
			},
		});
		expect(service.writes()).toEqual([]);
	});

	it('of a deletion makes no call', async () => {
		const run = await service.run(node, remove(TAG, { dryRun: true }));
		expect(run.outputs[0]?.[0]?.json).toEqual({
			dryRun: true,
			request: { method: 'DELETE', path: `/codes/${TAG}` },
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('an update', () => {
	const full = {
		name: 'Full',
		description: 'All of it',
		campaign: { campaignId: 1 },
		contactType: { contactTypeId: 2 },
		generalLedgerFund: { generalLedgerFundId: 3 },
		costCenter: { costCenterId: 4 },
		revenueStream: { revenueStreamId: 5 },
		mailMergeTemplate: { mailMergeTemplateId: 6 },
		isSourceCodeApplicable: false,
	};
	const { name, description, isSourceCodeApplicable, ...metadata } = full;
	const create = async (code: unknown): Promise<number> => {
		const run = await service.run(node, createJson(code));
		service.sandbox.control.clearRequests();
		return Number(run.outputs[0]?.[0]?.json.codeId);
	};
	const stored = (codeId: number) => codes().find((code) => code.codeId === codeId);

	it('keeps everything that was left out of a source code', async () => {
		const codeId = await create(full);
		const run = await service.run(node, update(codeId, { updateFields: { name: 'Renamed' } }));

		expect([run.error, run.hints]).toEqual([undefined, []]);
		expect(service.calls()).toMatchObject([
			{ method: 'GET', path: `/v2/codes/${codeId}`, query: { $expand: 'supportedEntities' } },
			{ method: 'PUT', path: `/v2/codes/${codeId}`, status: 204 },
		]);
		expect(service.writes()[0]?.body).toEqual({ ...full, name: 'Renamed', codeType: 'SourceCode' });
		expect(stored(codeId)).toMatchObject({
			name: 'Renamed',
			description,
			metadata,
			isSourceCodeApplicable,
		});
		expect(run.outputs[0]).toMatchObject([
			{ json: { codeId, name: 'Renamed', description, updated: true }, pairedItem: { item: 0 } },
		]);
	});

	it('keeps parent and entities of a tag', async () => {
		const before = stored(TAG);
		const run = await service.run(node, update(TAG, { updateFields: { description: 'Cold' } }), {
			credential: van,
		});
		expect(run.error).toBeUndefined();
		expect(stored(TAG)).toMatchObject({
			description: 'Cold',
			parentCodeId: PARENT_TAG,
			supportedEntities: before?.supportedEntities,
		});
		expect(stored(TAG)?.supportedEntities).toHaveLength(3);
	});

	it('changes every field', async () => {
		const codeId = await create(full);
		await service.run(
			node,
			update(codeId, {
				updateFields: {
					name: 'Other',
					description: 'Other text',
					campaignId: '11',
					contactTypeId: byId('12'),
					generalLedgerFundId: '13',
					costCenterId: '14',
					revenueStreamId: '15',
					mailMergeTemplateId: '16',
					isSourceCodeApplicable: true,
				},
			}),
		);
		expect(stored(codeId)).toMatchObject({
			name: 'Other',
			description: 'Other text',
			isSourceCodeApplicable: true,
			metadata: {
				campaign: { campaignId: 11 },
				contactType: { contactTypeId: 12 },
				generalLedgerFund: { generalLedgerFundId: 13 },
				costCenter: { costCenterId: 14 },
				revenueStream: { revenueStreamId: 15 },
				mailMergeTemplate: { mailMergeTemplateId: 16 },
			},
		});
	});

	it('clears what is chosen to be cleared, and only that', async () => {
		const codeId = await create(full);
		const cleared = ['description', 'campaignId', 'mailMergeTemplateId', 'isSourceCodeApplicable'];
		await service.run(node, update(codeId, { clearFields: cleared }));

		const { campaign, mailMergeTemplate, ...kept } = metadata;
		expect([campaign, mailMergeTemplate]).toHaveLength(2);
		expect(stored(codeId)).toMatchObject({ name, description: null, isSourceCodeApplicable: null });
		expect(stored(codeId)?.metadata).toEqual(kept);
	});

	it('clears parent and entities of a tag', async () => {
		await service.run(node, update(TAG, { clearFields: ['parentCodeId', 'supportedEntities'] }));
		expect(stored(TAG)).toMatchObject({ parentCodeId: null, supportedEntities: [] });
	});

	it('does not send the fixed entities of a source code', async () => {
		await service.run(
			node,
			update(SOURCE_CODE, {
				updateFields: { supportedEntities: entityFields(['Nowhere', true, true]), name: 'b' },
			}),
		);
		expect(service.writes()[0]?.body).not.toHaveProperty('supportedEntities');
	});

	it.each<[string, INodeParameters, RegExp]>([
		['nothing to change', {}, /^Code: There is nothing to change/],
		[
			'a code type alone',
			{ defineCode: 'json', codeJson: '{"codeType":"Tag"}' },
			/codeType cannot be changed\. Create a new code of that type/,
		],
		[
			'a field given and cleared',
			{ updateFields: { campaignId: '1' }, clearFields: ['campaignId'] },
			/^Campaign is given and also chosen under Clear Fields/,
		],
		['no code', { codeId: byId(' '), updateFields: { name: 'a' } }, /^Code is empty/],
		['a code that is no number', { codeId: byId('abc') }, /^Code: "abc" is not an ID/],
	])('with %s is rejected before any call', async (_, parameters, message) => {
		const run = await service.run(node, { ...update(TAG, {}), ...parameters });
		expect(run.error?.message).toMatch(message);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('a code that was read', () => {
	const stored = () => codes().find(({ codeId }) => codeId === TAG);
	const asJson = (codeJson: unknown, codeId = TAG) => ({
		...update(codeId, {}),
		defineCode: 'json',
		codeJson: JSON.stringify(codeJson),
	});
	const read = async (codeId: number) => {
		const run = await service.run(node, {
			resource: 'code',
			operation: 'get',
			codeId: byId(codeId),
			options: {},
		});
		return run.outputs[0]?.[0]?.json ?? {};
	};

	it.each([
		['Tag', TAG],
		['SourceCode', SOURCE_CODE],
	])('can be changed and sent back, with a hint at what is not sent: %s', async (type, id) => {
		const run = await service.run(node, asJson({ ...(await read(id)), description: 'New' }, id));
		expect(run.error).toBeUndefined();
		expect(codes().find(({ codeId }) => codeId === id)).toMatchObject({
			description: 'New',
			codeType: type,
		});
		expect(run.hints).toEqual([
			expect.objectContaining({
				message: expect.stringMatching(/^Not sent, because the service sets it itself: .*codeId/),
			}),
		]);
	});

	it('keeps its type: another one is rejected before anything is changed', async () => {
		const run = await service.run(node, asJson({ codeType: 'SourceCode', description: 'New' }));
		expect(run.error?.message).toMatch(
			/^Code \(JSON\) → codeType cannot be changed from Tag to SourceCode/,
		);
		expect(service.writes()).toEqual([]);
	});

	it('is not emptied by blank text or null', async () => {
		await service.run(node, update(TAG, { updateFields: { description: 'Kept' } }));
		const parentCodeId = stored()?.parentCodeId;
		const run = await service.run(
			node,
			asJson({ name: 'Renamed', description: '', parentCodeId: null }),
		);
		expect(run.error).toBeUndefined();
		expect(stored()).toMatchObject({
			name: 'Renamed',
			description: 'Kept',
			parentCodeId,
		});
	});

	it('is cleared by names that an expression gives as text', async () => {
		await service.run(node, { ...update(TAG, {}), clearFields: 'description, parentCodeId' });
		expect(stored()).toMatchObject({ description: null, parentCodeId: null });
		const run = await service.run(node, { ...update(TAG, {}), clearFields: 'descripton' });
		expect(run.error?.message).toMatch(
			/^Clear Fields: "descripton" is not one of .* Did you mean "description"\?/,
		);
	});
});

describe('reading codes', () => {
	it.each<[string, INodeParameters, number[]]>([
		['all', {}, [501, 502, 503, 504]],
		['by name', { name: 'spring' }, [503]],
		['by type', { codeType: 'Tag' }, [501, 502]],
		['by parent', { parentCodeId: byId(PARENT_TAG) }, [502]],
		['by entity', { supportedEntities: 'Events,Locations' }, [501, 502]],
	])('lists %s', async (_, filters, expected) => {
		const run = await service.run(node, getAll(filters));
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.map(({ json }) => json.codeId)).toEqual(expected);
	});

	it.each<[string, INodeParameters]>([
		['Name', { name: '={{ $json.name }}' }],
		['Parent Code', { parentCodeId: byName('={{ $json.parent }}') }],
	])('lists no other codes where the filter %s has no value', async (label, filters) => {
		const run = await service.run(node, getAll(filters));
		expect(run.error?.message).toContain(`${label} is an expression without a value`);
		expect(service.calls().filter(({ path }) => path === '/codes')).toEqual([]);
		const empty = Object.fromEntries(Object.keys(filters).map((name) => [name, '={{ "" }}']));
		expect((await service.run(node, getAll(empty))).outputs[0]).toHaveLength(4);
	});

	it('takes no source code for a parent', async () => {
		const named = await service.run(node, getAll({ name: 'spring' }));
		const name = String(named.outputs[0]?.[0]?.json.name);
		const run = await service.run(node, getAll({ parentCodeId: byName(name) }));
		expect(run.error?.message).toContain(`"${name}" is not in the service's list`);
	});

	it('expands entities when asked to', async () => {
		const plain = await service.run(node, getAll({ codeType: 'Tag' }));
		const expanded = await service.run(
			node,
			getAll({ codeType: 'Tag', expand: ['supportedEntities'] }),
		);
		expect(plain.outputs[0]?.[0]?.json).not.toHaveProperty('supportedEntities');
		expect(expanded.outputs[0]?.[0]?.json.supportedEntities).toHaveLength(3);
	});

	it('gets one, with its entities when asked to', async () => {
		const plain = await service.run(node, { ...get(TAG), simplify: false });
		expect(plain.outputs[0]?.[0]?.json).toMatchObject({ codeId: TAG, supportedEntities: null });
		const expanded = await service.run(node, get(TAG, { expand: ['supportedEntities'] }));
		expect(expanded.outputs[0]?.[0]?.json.supportedEntities).toHaveLength(3);
	});

	it('lists code types and supported entities', async () => {
		const names = async (resource: string) => {
			const run = await service.run(node, {
				resource,
				operation: 'getAll',
				returnAll: true,
				options: {},
			});
			return run.outputs[0]?.map(({ json }) => json);
		};
		expect(await names('codeType')).toEqual([{ name: 'Tag' }, { name: 'SourceCode' }]);
		expect(await names('supportedEntity')).toEqual([
			{ name: 'Contacts' },
			{ name: 'Events' },
			{ name: 'Locations' },
		]);
	});
});

describe('deleting', () => {
	it('of a code in use says why it may be rejected', async () => {
		const run = await service.run(node, remove(PARENT_TAG));
		expect(run.error).toMatchObject({
			httpCode: '403',
			description: expect.stringMatching(/in use.*The service said: The code is in use/) as string,
		});
	});

	it('whose response was lost is repeated, and is done when the code is gone', async () => {
		service.addFault({ kind: 'resetAfter' }, 'DELETE');
		const run = await service.run(node, remove(TAG));
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toMatchObject([{ json: { codeId: TAG, deleted: true } }]);
		expect(codes().map(({ codeId }) => codeId)).not.toContain(TAG);
	});
});

describe('the lists of the editor', () => {
	it('offer codes, tags and entities', async () => {
		const setup = service.setup(node);
		const all = await searchList({ ...setup, method: 'searchCodes', filter: 'appeal' });
		expect(all.results).toEqual([{ name: 'Spring appeal (SourceCode)', value: 503 }]);
		const tags = await searchList({ ...setup, method: 'searchTagCodes' });
		expect(tags.results.map(({ value }) => value)).toEqual([PARENT_TAG, TAG]);
		const entities = await searchList({ ...setup, method: 'searchSupportedEntities' });
		expect(entities.results.map(({ value }) => value)).toEqual(['Contacts', 'Events', 'Locations']);
	});

	it('offer the contact types of a source code', async () => {
		const list = { ...service.setup(node), method: 'searchContactTypes' };
		const all = await searchList(list);
		expect(all.results.map(({ value }) => value).sort()).toEqual([1, 19, 2, 37, 82]);
		const texts = await searchList({ ...list, filter: 'sms' });
		expect(texts.results).toEqual([{ name: 'SMS Text (37)', value: 37 }]);
	});
});
