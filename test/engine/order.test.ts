import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { byId } from '../../hosts/locators';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import type { FaultRequest } from '../../sandbox';
import { DEMO_KEY, useSandbox } from './support/sandboxed';

const AVERY = 100_001;
const TAG = 502;

const service = useSandbox({
	tenants: [{ name: 'demo', key: DEMO_KEY, extraPeople: 20 }],
});

const items = (rows: Array<Record<string, unknown>>): INodeExecutionData[] =>
	rows.map((json) => ({ json: json as INodeExecutionData['json'] }));

const faults: Array<[string, FaultRequest['fault']]> = [
	['429', { kind: 'status', status: 429, retryAfter: 'text', retryAfterMs: 60 }],
	['503', { kind: 'status', status: 503 }],
	['lost response', { kind: 'resetAfter' }],
	['late response', { kind: 'latency', ms: 150 }],
];

async function runAll(node: INodeType, parameters: INodeParameters, rows: INodeExecutionData[]) {
	const run = await service.run(node, parameters, { items: rows });
	expect(run.error).toBeUndefined();
	return run.outputs[0]?.map(({ json }) => json);
}

describe.each(faults)('with a %s of the first write', (_, fault) => {
	it('updates of one person end as the last item says', async () => {
		service.addFault(fault, 'POST');
		await runAll(
			new NativePeople(),
			{
				resource: 'person',
				operation: 'update',
				nativeId: String(AVERY),
				firstName: '={{ $json.name }}',
				options: {},
			},
			items(['One', 'Two', 'Three'].map((name) => ({ name }))),
		);
		const person = service.people().find(({ nativeId }) => nativeId === AVERY);
		expect(person).toHaveProperty('fields.firstName', 'Three');
	});

	it('updates of one code keep each other’s changes', async () => {
		service.addFault(fault, 'PUT');
		await runAll(
			new NativeCode(),
			{
				resource: 'code',
				operation: 'update',
				codeId: byId(TAG),
				updateFields: { name: '={{ $json.name }}', description: '={{ $json.description }}' },
				options: {},
			},
			items([{ name: 'N2' }, { description: 'D2' }]),
		);
		const code = service.sandbox.control.codes('demo').find(({ codeId }) => codeId === TAG);
		expect(code).toMatchObject({ name: 'N2', description: 'D2' });
		expect(
			service
				.calls()
				.map(({ method }) => method)
				.filter((m) => m !== 'GET'),
		).toHaveLength(fault.kind === 'latency' ? 2 : 3);
	});

	it('a code that is applied and then removed is gone', async () => {
		// A post whose response is lost is not sent again: then only the second counts.
		if (fault.kind === 'resetAfter') return;
		service.addFault(fault, 'POST');
		await runAll(
			new NativeCanvassResponse(),
			{
				resource: 'canvassResponse',
				operation: 'create',
				nativeId: String(AVERY),
				outcome: 'responses',
				canvassContext: { contactTypeId: byId(2) },
				responses: {
					activistCodes: [{ activistCodeId: byId(7001), action: '={{ $json.action }}' }],
				},
				options: {},
			},
			items([{ action: 'Apply' }, { action: 'Remove' }]),
		);
		const stored = service.sandbox.control.canvassResponses('demo').map(({ body }) => body);
		expect(stored.map((body) => JSON.stringify(body).match(/Apply|Remove/)?.[0])).toEqual([
			'Apply',
			'Remove',
		]);
	});

	it('one new person in two items is stored once', async () => {
		service.change({ styles: { findOrCreateGapMs: 60 } });
		const before = service.people().length;
		service.addFault(fault, 'POST');
		const output = await runAll(
			new NativePeople(),
			{
				resource: 'person',
				operation: 'findOrCreate',
				firstName: 'Robin',
				lastName: 'Sample',
				email: '={{ $json.email }}',
				phone: '={{ $json.phone }}',
				options: {},
			},
			items([
				{ email: 'robin@example.org', phone: '907-555-0177' },
				{ email: 'ROBIN@example.org', phone: '(907) 555 0177' },
			]),
		);
		expect(service.people()).toHaveLength(before + 1);
		expect(new Set(output?.map(({ personId }) => personId)).size).toBe(1);
	});
});

describe('Retry On Fail of n8n', () => {
	const post = (options: INodeParameters = {}): INodeParameters => ({
		resource: 'canvassResponse',
		operation: 'create',
		nativeId: '={{ $json.person }}',
		canvassContext: { contactTypeId: byId(2), skipMatching: true },
		resultCodeId: byId(1),
		options,
	});
	const retries = { maxTries: 3, waitBetweenTries: 1 };
	const twenty = () => {
		const people = service.people().map(({ nativeId }) => nativeId);
		return items(people.slice(0, 20).map((person) => ({ person })));
	};

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'stores nothing twice: 20 posts, one rejected (%s)',
		async (onError) => {
			const rows = twenty();
			rows[0] = { json: { person: 999_999 } };
			const run = await service.run(new NativeCanvassResponse(), post(), {
				items: rows,
				onError,
				retries,
			});
			expect(service.sandbox.control.canvassResponses('demo')).toHaveLength(19);
			if (onError === 'stopWorkflow')
				expect(run.error?.message).toContain('The person cannot be found');
			else expect(run.outputs.flat()).toHaveLength(20);
			// The rejected one is tried again each time.
			expect(service.calls().filter(({ path }) => path.includes('999999'))).toHaveLength(3);
		},
	);

	it('does not send again what may have been stored', async () => {
		service.addFault({ kind: 'resetAfter' }, 'POST');
		const run = await service.run(new NativeCanvassResponse(), post(), {
			items: twenty().slice(0, 3),
			retries,
		});
		expect(run.error?.message).toMatch(/It is unknown whether/);
		expect(service.sandbox.control.canvassResponses('demo')).toHaveLength(3);
	});

	it('sends what failed for certain, and puts out all items once', async () => {
		service.addFault(
			{ kind: 'status', status: 503, retryAfter: 'seconds', retryAfterMs: 600_000 },
			'POST',
			{ count: 6 },
		);
		const run = await service.run(new NativeCanvassResponse(), post(), {
			items: twenty().slice(0, 8),
			retries,
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toHaveLength(8);
		expect(service.sandbox.control.canvassResponses('demo')).toHaveLength(8);
	});

	it('remembers nothing of another run of the node', async () => {
		const rows = twenty().slice(0, 2);
		for (let run = 0; run < 2; run++)
			await service.run(new NativeCanvassResponse(), post(), { items: rows, retries });
		expect(service.sandbox.control.canvassResponses('demo')).toHaveLength(4);
	});
});
