import { byId } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node';
import { DEMO_KEY, Sandboxed } from './support/sandboxed';

/** A service and keys of its own for each test: the limits of a key outlive an execution. */
let service: Sandboxed;
beforeEach(async () => {
	service = await Sandboxed.start({
		tenants: [{ name: 'demo', key: DEMO_KEY, extraPeople: 60 }],
	});
});
afterEach(async () => {
	await service.close();
});

const post = {
	resource: 'canvassResponse',
	operation: 'create',
	nativeId: '={{ 100001 + $json.n }}',
	canvassContext: { contactTypeId: byId('2') },
	resultCodeId: byId('1'),
};
const find = {
	resource: 'person',
	operation: 'find',
	definePerson: 'json',
	personJson:
		'{"firstName":"Avery","lastName":"Sample","emails":[{"email":"avery.sample@demo.example.org"}]}',
};
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ json: { n } }));
const countCalls = () => service.calls().filter(({ executed }) => executed).length;

describe('a limit on concurrent requests', () => {
	const concurrencyTier = (concurrentRequests: number) => ({
		rateTier: 'concurrency',
		concurrentRequests,
	});

	const RESPONSE_MS = 60;
	/** So long that a busy machine sends one more than the service accepts meanwhile. */
	const FIRST_MS = 3000;

	/** The service accepts no more than this many at a time; each takes a while, and the first ones longer. */
	const strict = (maxConcurrentRequests: number, count: number, firstMs = FIRST_MS) => {
		service.change({ maxConcurrentRequests });
		const first = { count: maxConcurrentRequests };
		service.addFault({ kind: 'latency', ms: firstMs }, '/', first);
		const others = { count: count - maxConcurrentRequests };
		service.addFault({ kind: 'latency', ms: RESPONSE_MS }, '/', others);
	};

	it('is used to the full and never exceeded, by several nodes at once', async () => {
		strict(3, 40);
		const runs = await Promise.all(
			[1, 2].map(
				async () =>
					await service.run(new NativeCanvassResponse(), post, {
						items: items(20),
						credential: concurrencyTier(3),
					}),
			),
		);
		for (const run of runs) {
			expect(run.status).toBe('success');
			expect(run.outputs[0]).toHaveLength(20);
		}
		expect(service.sandbox.control.stats().status429).toBe(0);
		expect(countCalls()).toBe(40);
		// With fewer at a time, the third would come after a response.
		const [first = Number.NaN, , third = Number.NaN] = service.calls().map(({ atMs }) => atMs);
		expect(third - first).toBeLessThan(FIRST_MS);
	});

	it('holds for all requests of a node, also where items do not have one each', async () => {
		const readJobs = async (concurrentRequests: number) =>
			await service.run(
				new NativeBulkImport(),
				{ resource: 'job', operation: 'getItemOutcomes', startedJobs: '1,2,3,4,5,6,7,8' },
				{ items: items(1), credential: concurrencyTier(concurrentRequests) },
			);
		strict(2, 8, RESPONSE_MS);
		await readJobs(2);
		expect(service.calls()).toHaveLength(8);
		expect(service.sandbox.control.stats().status429).toBe(0);
		strict(2, 8);
		await readJobs(50);
		expect(service.sandbox.control.stats().status429).toBeGreaterThan(0);
	});

	it('is also that of items: after a failure, those that have not begun are not sent', async () => {
		service.addFault({ kind: 'status', status: 400 }, 'POST /people');
		const run = await service.run(new NativeCanvassResponse(), post, {
			items: items(20),
			credential: concurrencyTier(1),
		});
		expect(run.status).toBe('error');
		expect(service.calls()).toHaveLength(1);
	});

	it('is rejected by this service when it is exceeded', async () => {
		strict(3, 40);
		const run = await service.run(new NativeCanvassResponse(), post, {
			items: items(20),
			credential: concurrencyTier(6),
		});
		expect(service.sandbox.control.stats().status429).toBeGreaterThan(0);
		expect(run.status).toBe('success');
		expect(countCalls()).toBe(20);
		expect(run.hints).toMatchObject([
			{ message: expect.stringMatching(/rejected for the rate limit/), type: 'info' },
		]);
	});
});

describe('the monthly volume', () => {
	it('ends with items for the error output, after a warning', async () => {
		const credential = { monthlyRequests: 10 };
		const first = await service.run(new NativeCanvassResponse(), post, {
			items: items(8),
			credential,
		});
		expect(first.hints).toMatchObject([
			{ message: expect.stringContaining('8 of the 10 requests'), type: 'warning' },
		]);
		const second = await service.run(new NativeCanvassResponse(), post, {
			items: items(5),
			credential,
			onError: 'continueErrorOutput',
		});
		expect(countCalls()).toBe(10);
		expect(service.calls()).toHaveLength(10);
		const [good, bad] = second.outputs;
		expect(good).toHaveLength(2);
		expect(bad?.map(({ json }) => json)).toEqual(
			[2, 3, 4].map((n) =>
				expect.objectContaining({
					n,
					error: expect.objectContaining({
						message:
							'The monthly volume of this key is used up: this n8n has sent 10 requests this month',
						httpCode: null,
						replayable: true,
						outcomeUnknown: false,
						request: expect.objectContaining({ method: 'POST' }),
					}),
				}),
			),
		);
	});

	it('does not say of an item that an earlier try may have sent that nothing was sent', async () => {
		service.addFault({ kind: 'halfBody' }, 'PUT');
		const put = {
			resource: 'record',
			operation: 'update',
			resourceName: 'codes',
			recordId: '501',
			recordJson: '{"name":"A"}',
		};
		const { outputs } = await service.run(new NativeRecord(), put, {
			credential: { monthlyRequests: 1 },
			onError: 'continueErrorOutput',
			retries: { maxTries: 2, waitBetweenTries: 1 },
		});
		expect(outputs[1]?.map(({ json }) => json.error)).toMatchObject([
			{
				message: expect.stringContaining('monthly volume') as string,
				description: expect.not.stringContaining('Nothing was sent') as string,
				outcomeUnknown: true,
			},
		]);
	});

	it('is one for all nodes and kinds of requests, and divided by the share of this n8n', async () => {
		const credential = { monthlyRequests: 10, rateShare: 50 };
		const run = async (
			node: NativeCanvassResponse | NativePeople,
			parameters: typeof post | typeof find,
		) =>
			await service.run(node, parameters, {
				items: items(3),
				credential,
				onError: 'continueErrorOutput',
			});
		await run(new NativeCanvassResponse(), post);
		const people = await run(new NativePeople(), find);
		expect(service.calls()).toHaveLength(5);
		expect(people.outputs.map((output) => output.length)).toEqual([2, 1]);
	});
});

describe('after the run', () => {
	it('the node says how fast it was where requests had to wait', async () => {
		const run = await service.run(new NativeCanvassResponse(), post, {
			items: items(25),
			credential: { rateHigh: 8 },
		});
		expect(run.hints).toMatchObject([
			{
				message: expect.stringMatching(
					/^25 requests sent in \d+(\.\d)? s \(\d(\.\d+)? per second, \d+% of the planned 8\); waited \d+(\.\d)? s for the rate limit\.$/,
				),
				type: 'info',
				location: 'outputPane',
			},
		]);
	});
});
