import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { byId, byName } from '../../hosts/locators';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node';
import { useSandbox } from './support/sandboxed';

/** What a response means, whatever its status claims. */

const service = useSandbox();

const AVERY = 100_001;

type Operation = [title: string, node: INodeType, parameters: IDataObject];

const avery = { identifyBy: 'nativeId', nativeId: AVERY };
const people = (operation: string, values: IDataObject): IDataObject => ({
	resource: 'person',
	operation,
	...values,
});
const record = (operation: string, values: IDataObject): IDataObject => ({
	resource: 'record',
	operation,
	resourceName: byName('events'),
	...values,
});

const writes: Operation[] = [
	[
		'canvass response',
		new NativeCanvassResponse(),
		{ resource: 'canvassResponse', operation: 'create', ...avery, resultCodeId: byId(1) },
	],
	['code on a person', new NativePeople(), people('applyCode', { ...avery, codeId: byId(501) })],
	['person', new NativePeople(), people('update', { ...avery, firstName: 'Ann' })],
	['deleted code', new NativeCode(), { resource: 'code', operation: 'delete', codeId: byId(501) }],
	['new record', new NativeRecord(), record('create', { recordJson: '{"name":"Rally"}' })],
];

const reads: Operation[] = [
	['person', new NativePeople(), people('get', avery)],
	['record', new NativeRecord(), record('get', { recordId: '6001' })],
];

const run = async (node: INodeType, values: IDataObject) =>
	await service.run(node, { options: {}, ...values } as INodeParameters, {
		onError: 'continueErrorOutput',
	});

const response = (status: number, body?: unknown, headers?: Record<string, string>) =>
	service.addFault({ kind: 'response', status, body, ...(headers && { headers }) });

const errors = [{ code: 'INVALID_PARAMETER', text: 'The date is wrong' }];

describe('an error envelope with status 200', () => {
	it.each(writes)('is an error with an unknown outcome: %s', async (_, node, values) => {
		response(200, { errors });
		const { outputs } = await run(node, values);
		expect(outputs[0] ?? []).toEqual([]);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({
			message: expect.stringContaining('The date is wrong') as string,
			httpCode: 200,
			outcomeUnknown: true,
		});
	});

	it.each(
		[{ error: 'bad' }, { errors: 'bad' }, [{ errors: [{ text: 'bad' }] }]].flatMap((body) =>
			writes.map(([title, node, values]) => ({ body, title, node, values })),
		),
	)('is one in any form: $body for a $title', async ({ body, node, values }) => {
		response(200, body);
		const { outputs } = await run(node, values);
		expect(outputs[0] ?? []).toEqual([]);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({
			message: expect.stringMatching(/^The service reported an error for .*: bad$/) as string,
			outcomeUnknown: true,
		});
	});

	it.each(reads)('is an error that says nothing was changed: %s', async (_, node, values) => {
		response(200, { errors });
		const { outputs } = await run(node, values);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({ httpCode: 200, outcomeUnknown: false });
	});

	it('is not a record that has errors of its own', async () => {
		response(200, { exportJobId: 7, status: 'Error', errors });
		const { outputs } = await run(
			new NativeRecord(),
			record('get', { resourceName: byName('exportJobs'), recordId: '7' }),
		);
		expect(outputs[0]?.[0]?.json).toMatchObject({ exportJobId: 7, errors });
	});
});

describe('a person', () => {
	const find = people('find', { email: 'nobody@example.org' });

	it('is not found by a 404 with an envelope that says so', async () => {
		response(404, { errors: [{ code: 'NOT_FOUND', text: 'No such person.' }] });
		const { outputs } = await run(new NativePeople(), find);
		expect(outputs[0]?.[0]?.json).toMatchObject({ matchStatus: 'notFound', personId: null });
	});

	it('is not said to be missing by a 404 that is about something else', async () => {
		response(404, { errors: [{ code: 'NO_ROUTE', text: 'No such page.' }] });
		const { outputs } = await run(new NativePeople(), find);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({ httpCode: 404 });
	});

	const byType = { identifyBy: 'type', personIdType: 'crmid', personId: 'A-1' };
	const update = people('update', { ...byType, firstName: 'Ann' });

	it.each([
		[204, undefined],
		[200, undefined],
		[200, {}],
	])('named by an external ID is updated by an empty response %i', async (status, body) => {
		response(status, body);
		const { outputs } = await run(new NativePeople(), update);
		expect(outputs[0]?.[0]?.json).toMatchObject({ matchStatus: 'matched', personId: null });
	});

	it.each([
		['number', avery],
		['external ID', byType],
	])('named by %s is not updated by a stub that says Unmatched', async (_, who) => {
		response(200, { nativeId: null, status: 'Unmatched' });
		const { outputs } = await run(new NativePeople(), people('update', { ...who, firstName: 'A' }));
		expect(outputs[0] ?? []).toEqual([]);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({
			message: expect.stringMatching(/^The service has no such person/) as string,
			outcomeUnknown: false,
		});
	});

	it.each([
		['Apply Code', new NativePeople(), people('applyCode', { ...avery, codeId: byId(501) })],
		[
			'a canvass response',
			new NativeCanvassResponse(),
			{ resource: 'canvassResponse', operation: 'create', ...avery, resultCodeId: byId(1) },
		],
		[
			'a note',
			new NativeRecord(),
			record('create', { resourceName: byName('people/7/notes'), recordJson: '{"text":"A"}' }),
		],
	])('is not changed by %s if a stub says Unmatched', async (_, node, values) => {
		response(200, { nativeId: null, status: 'Unmatched' });
		const { outputs } = await run(node, values);
		expect(outputs[0] ?? []).toEqual([]);
		expect(outputs[1]?.[0]?.json.error).toMatchObject({
			message: expect.stringMatching(/^The service has no such person: POST/) as string,
			outcomeUnknown: false,
		});
	});

	it('that people/create responds to with a redirect is matched', async () => {
		response(302, { nativeId: AVERY, status: 'Matched' }, { Location: `/v2/people/${AVERY}` });
		const { outputs } = await run(
			new NativeRecord(),
			record('create', { resourceName: byName('people/create'), recordJson: '{"firstName":"A"}' }),
		);
		expect(outputs[0]?.[0]?.json).toMatchObject({ nativeId: AVERY, status: 'Matched' });
	});
});

it.each([
	['another name', { results: [{ id: 1 }, { id: 2 }], nextPageLink: null }, [1, 2]],
	['items beside another list', { items: [{ id: 3 }], warnings: [] }, [3]],
])('a list under %s is read', async (_, body, ids) => {
	response(200, body);
	const { outputs } = await run(new NativeRecord(), record('getAll', { returnAll: true }));
	expect(outputs[0]?.map(({ json }) => json.id)).toEqual(ids);
});
