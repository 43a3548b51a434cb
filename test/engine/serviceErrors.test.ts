import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { byId } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import type { FaultRequest } from '../../sandbox';
import { column, createOrUpdate, fieldsOf, jobWith } from './support/importJobs';
import { DEMO_KEY, RESTRICTED_KEY, UNKNOWN_KEY, useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe('a credential', () => {
	const job = fieldsOf(jobWith('First Last Mail', [createOrUpdate]));

	// What else is rejected is in test/unit/service/connection.test.ts.
	it('that cannot work is rejected before any call', async () => {
		const run = await service.run(node, job, { credential: { apiKey: `${DEMO_KEY}|1` } });

		expect(run.error?.message).toMatch(/API Key must be the key alone/);
		expect(JSON.stringify(run.error)).not.toContain(DEMO_KEY);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('may have spaces around the key, in any casing', async () => {
		const run = await service.run(node, job, {
			credential: { apiKey: `  ${DEMO_KEY.toUpperCase()} ` },
		});
		expect(run.error).toBeUndefined();
	});
});

describe('what the service rejects becomes an error to act on', () => {
	const read = { resource: 'job', operation: 'get', jobId: '1', options: {} };
	const create = fieldsOf(jobWith('First Last Mail', [createOrUpdate]));

	const oneByOne = {
		resource: 'person',
		operation: 'get',
		nativeId: '={{ $json.id }}',
		limits: { rateTier: 'concurrency', concurrentRequests: 1 },
	};

	it('401 of the first item: a wrong key is not tried with all others', async () => {
		const run = await service.run(new NativePeople(), oneByOne, {
			credential: { apiKey: UNKNOWN_KEY },
			items: [1, 2, 3, 4].map((id) => ({ json: { id } })),
			onError: 'continueRegularOutput',
		});
		expect(run.outputs[0]).toHaveLength(4);
		for (const { json } of run.outputs[0] ?? []) expect(JSON.stringify(json)).toContain('401');
		expect(run.outputs[0]?.map(({ json }) => (json.error as IDataObject).request)).toEqual(
			[1, 2, 3, 4].map((id) => ({ method: 'GET', path: `/people/${id}` })),
		);
		expect(service.sandbox.requests).toHaveLength(1);
	});

	it('401 of the first item: a wrong key is not tried with those that wait for the rate limit', async () => {
		const run = await service.run(
			new NativePeople(),
			{ resource: 'person', operation: 'get', nativeId: '={{ $json.id }}' },
			{
				credential: { apiKey: UNKNOWN_KEY, rateMedium: 1 },
				items: Array.from({ length: 30 }, (_, n) => ({ json: { id: n + 1 } })),
				onError: 'continueRegularOutput',
			},
		);
		expect(run.outputs[0]).toHaveLength(30);
		// One a second until the first response, which a busy machine may delay.
		expect(service.sandbox.requests.length).toBeLessThan(20);
	});

	it('401 of a key that was accepted: it is not tried with all others', async () => {
		service.addFault({ kind: 'status', status: 401 }, 'GET /people/100', { skip: 1, count: 1000 });
		const run = await service.run(new NativePeople(), oneByOne, {
			items: Array.from({ length: 30 }, () => ({ json: { id: 100_001 } })),
			onError: 'continueRegularOutput',
		});
		const failed = (run.outputs[0] ?? []).filter(({ json }) => 'error' in json);
		expect(failed).toHaveLength(29);
		expect(service.sandbox.requests).toHaveLength(4);
	});

	it('401: an unknown key', async () => {
		const run = await service.run(node, read, { credential: { apiKey: UNKNOWN_KEY } });
		expect(run.error).toMatchObject({
			message: 'The service did not accept the key for GET /bulkImportJobs/1',
			description: expect.stringMatching(
				/API Key and, if shown, .* and Database Mode.*Invalid Database Mode/,
			) as string,
			httpCode: '401',
		});
		expect(service.calls()).toHaveLength(1);
	});

	it('400: the named properties and their reasons', async () => {
		const job = jobWith('NativeId A', [
			{ name: 'NoSuchType', fieldValueMappings: [column('B', 'A')] },
		]);
		const run = await service.run(node, fieldsOf(job));
		expect(run.error).toMatchObject({
			message: expect.stringMatching(
				/^The service rejected POST \/bulkImportJobs: actions\[0\]\.mappingTypes\[0\]\.name: /,
			) as string,
			httpCode: '400',
		});
	});

	it('a password in an address is in no error', async () => {
		const run = await service.run(
			node,
			{ ...create, sourceUrl: 'https://user:hunter2@files.example.org/rows.zip' },
			{ credential: { apiKey: RESTRICTED_KEY } },
		);
		expect(run.error?.message).toMatch(/not allowed/);
		expect(JSON.stringify(run)).not.toContain('hunter2');
	});
});

const person = '100001';

/** The operations that could store something twice. */
const writes: Array<
	[
		path: string,
		node: INodeType,
		parameters: INodeParameters,
		stored: 'canvassResponses' | 'codes' | 'jobs',
	]
> = [
	[
		'/bulkImportJobs',
		node,
		{
			...fieldsOf(jobWith('First Last Mail', [createOrUpdate])),
			sourceUrl: 'https://user:hunter2@files.example.org/rows.zip',
		},
		'jobs',
	],
	['/codes', new NativeCode(), { resource: 'code', operation: 'create', name: 'a' }, 'codes'],
	[
		`/people/${person}/canvassResponses`,
		new NativeCanvassResponse(),
		{
			resource: 'canvassResponse',
			operation: 'create',
			nativeId: person,
			canvassContext: { contactTypeId: byId(2) },
			resultCodeId: byId(1),
		},
		'canvassResponses',
	],
];

describe.each(writes)('POST %s', (path, writer, parameters, kind) => {
	const write = async (options: IDataObject = {}, settings = {}) =>
		await service.run(
			writer,
			{ ...parameters, options: options as INodeParameters },
			{ items: [{ json: { mine: 1 } }], onError: 'continueErrorOutput', ...settings },
		);
	const sent = () => service.calls().filter(({ method }) => method === 'POST');
	let before: number;
	const countNew = () => service.sandbox.control[kind]('demo').length - before;
	beforeEach(() => {
		before = service.sandbox.control[kind]('demo').length;
	});

	it('403: an endpoint the key may not use', async () => {
		service.change({ rejected: [`POST ${path}`] });
		const run = await write({}, { onError: 'stopWorkflow' });
		expect(run.error).toMatchObject({
			message: `This key is not allowed to use POST ${path}`,
			httpCode: '403',
		});
	});

	const unknown = /^It is unknown whether the service executed POST /;
	const page = /with a web page instead of data$/;

	it.each<[FaultRequest['fault'], number, RegExp]>([
		[{ kind: 'status', status: 500, body: 'html' }, 0, unknown],
		[{ kind: 'status', status: 504, executed: true }, 1, unknown],
		[{ kind: 'resetBefore' }, 0, unknown],
		[{ kind: 'resetAfter' }, 1, unknown],
		[{ kind: 'noResponse' }, 0, unknown],
		[{ kind: 'htmlPage' }, 0, page],
		[{ kind: 'truncatedBody' }, 1, unknown],
	])('%j: the outcome is unknown, and it is not sent again', async (fault, executed, message) => {
		service.change({ styles: { codeResponses: 'object' } });
		service.addFault(fault, 'POST');
		// Only what never comes is not to be waited for.
		const credential = fault.kind === 'noResponse' ? { timeout: 1 } : {};
		const run = await write({}, { credential });

		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1]).toMatchObject([
			{
				pairedItem: { item: 0 },
				json: {
					mine: 1,
					error: {
						message: expect.stringMatching(message) as string,
						description: expect.stringMatching(/could create a duplicate/) as string,
						outcomeUnknown: true,
						replayable: false,
						request: { method: 'POST', path, body: expect.any(Object) as object },
					},
				},
			},
		]);
		expect(sent()).toHaveLength(1);
		expect(countNew()).toBe(executed);
		expect(JSON.stringify(run)).not.toMatch(new RegExp(`hunter2|<html|${DEMO_KEY}`, 'i'));
	});

	it.each([429, 503])(
		'is sent again after a rejection with %i, and stored once',
		async (status) => {
			const fault = { kind: 'status', status, retryAfter: 'text', retryAfterMs: 30 } as const;
			service.addFault(fault, 'POST', { count: 2 });
			expect((await write()).outputs[0]).toHaveLength(1);
			expect(sent()).toHaveLength(3);
			expect(countNew()).toBe(1);
		},
	);

	it('is sent again when the user says that a duplicate does no harm', async () => {
		service.addFault({ kind: 'status', status: 502 }, 'POST');
		expect((await write({ replayUnknownOutcome: true })).outputs[0]).toHaveLength(1);
		expect(sent()).toHaveLength(2);
	});
});

const misshapen = { kind: 'oversizedBody', megabytes: 0.001 } as const;

it.each<[string, FaultRequest['fault'], RegExp]>([
	['/bulkImportJobs', { kind: 'emptyBody' }, /with nothing at all$/],
	['/bulkImportJobs', misshapen, /with data of an unknown shape$/],
	[
		'/codes',
		{ kind: 'response', status: 200, body: { ok: true } },
		/without the ID of the new code$/,
	],
])('POST %s, response %j: the outcome is unknown', async (path, fault, message) => {
	const [, writer = node, parameters] = writes.find(([known]) => known === path) ?? [];
	service.addFault(fault, 'POST');
	const run = await service.run(writer, { ...parameters, options: {} });
	expect(run.error?.message).toMatch(message);
	expect(run.error?.description).toMatch(/could create a duplicate/);
});
