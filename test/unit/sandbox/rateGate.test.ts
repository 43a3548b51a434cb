import * as fc from 'fast-check';
import { maximumInOneSecond, RateGate, TIERS } from '../../../sandbox/tenants/rateGate';
import { DEMO_KEY, OTHER_KEY, useSandbox } from './sandboxCalls';

const person = { category: 'medium', isFindOrCreate: false } as const;

function gateAt(clock: { now: number }) {
	return new RateGate(() => clock.now);
}

test('no window of one second ever holds more admitted calls than the limit', () => {
	fc.assert(
		fc.property(
			fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 200 }),
			fc.integer({ min: 1, max: 12 }),
			(pauses, medium) => {
				const clock = { now: 0 };
				const gate = gateAt(clock);
				const admitted: number[] = [];
				for (const pause of pauses) {
					clock.now += pause;
					const { admitted: isAdmitted } = gate.admit(person, { ...TIERS.custom, medium });
					if (isAdmitted) admitted.push(clock.now);
				}
				expect(maximumInOneSecond(admitted)).toBeLessThanOrEqual(medium);
			},
		),
	);
});

test('a rejected call succeeds exactly after the named wait, and not a millisecond before', () => {
	const clock = { now: 100.25 };
	const gate = gateAt(clock);
	const limits = { ...TIERS.custom, medium: 2 };
	gate.admit(person, limits);
	clock.now = 400;
	gate.admit(person, limits);
	clock.now = 700.5;
	expect(gate.admit(person, limits)).toEqual({
		admitted: false,
		bucket: 'medium',
		reason: 'rate',
		retryInMs: 400,
	});
	clock.now = 1099.5;
	expect(gate.admit(person, limits).admitted).toBe(false);
	clock.now = 1100.5;
	expect(gate.admit(person, limits).admitted).toBe(true);
});

test('rejected calls do not count against the caller', () => {
	const clock = { now: 0 };
	const gate = gateAt(clock);
	const limits = { ...TIERS.custom, medium: 1 };
	expect(gate.admit(person, limits).admitted).toBe(true);
	for (clock.now = 1; clock.now < 1000; clock.now += 10) {
		expect(gate.admit(person, limits).admitted).toBe(false);
	}
	clock.now = 1000;
	expect(gate.admit(person, limits).admitted).toBe(true);
});

test('the earlier guidance counts findOrCreate apart: 2 and 5 a second', () => {
	const gate = gateAt({ now: 0 });
	const countAdmitted = (isFindOrCreate: boolean) =>
		Array.from({ length: 10 }, () =>
			gate.admit({ category: 'low', isFindOrCreate }, 'legacy'),
		).filter((admission) => admission.admitted).length;
	expect(countAdmitted(true)).toBe(2);
	expect(countAdmitted(false)).toBe(5);
});

describe('over sockets', () => {
	/** Only tests move it, so a busy machine changes nothing. */
	let now = 0.25;
	const service = useSandbox({ tier: 'startup', rateClock: () => now });

	test('the call above the limit gets the exact wait and is not executed', async () => {
		const post = async () => await service.call('POST', '/v2/people/findOrCreate', { body: {} });
		const before = service.sandbox.control.people('demo').length;
		const responses = [await post()];
		now += 300.5;
		responses.push(await post(), await post());
		expect(responses.map((response) => response.status)).toEqual([201, 201, 429]);
		const rejected = service.sandbox.requests[2];
		const wait = Number(
			/^{"errors":\[{"code":"429","text":"Rate limit exceeded\. Try again in (\d+) ms\."}\]}$/.exec(
				responses[2]?.text ?? '',
			)?.[1],
		);
		expect(wait).toBe(700);
		expect(responses[2]?.headers.get('retry-after')).toBeNull();
		expect(rejected).toMatchObject({ status: 429, admitted: false, executed: false });
		expect(service.sandbox.control.people('demo')).toHaveLength(before + 2);
		now += wait - 1;
		expect((await post()).status).toBe(429);
		now += 1;
		expect((await post()).status).toBe(201);
	});

	test('categories and keys are counted apart; versions and both ways to authenticate together', async () => {
		const statuses = async (count: number, run: () => Promise<{ status: number }>) => {
			const responses = await Promise.all(Array.from({ length: count }, run));
			return responses.filter((response) => response.status !== 429).length;
		};
		const canvass = async () =>
			await service.call('POST', '/v2/people/100001/canvassResponses', { body: {} });
		const read = async (version: string, key: string) =>
			await service.call('GET', `/${version}/codeTypes`, { key });
		expect(await statuses(15, canvass)).toBe(10);
		expect(await statuses(4, async () => await read('v2', DEMO_KEY))).toBe(4);
		expect(await statuses(4, async () => await read('v4', DEMO_KEY))).toBe(1);
		expect(await statuses(9, async () => await read('v4', OTHER_KEY))).toBe(5);
		const stats = service.sandbox.control.stats();
		expect(stats.status429).toBe(5 + 3 + 4);
		expect(stats.buckets).toContainEqual(
			expect.objectContaining({
				tenant: 'demo',
				bucket: 'medium',
				admitted: 5,
				rejected: 3,
				maximumAdmittedInOneSecond: 5,
				maximumArrivedInOneSecond: 8,
			}),
		);
	});

	test('contacts/findOrCreate is medium, as everything the specification does not list', async () => {
		await service.call('POST', '/v2/contacts/findOrCreate', { body: {} });
		await service.call('POST', '/v2/people/find', { body: {} });
		await service.call('GET', '/v2/bulkImportMappingTypes');
		await service.call('GET', '/v2/bulkImportJobs/1');
		expect(service.sandbox.requests.map((entry) => entry.category)).toEqual([
			'medium',
			'low',
			'low',
			'low',
		]);
	});

	test('a used-up month and too many concurrent calls are rejected', async () => {
		service.change({ monthlyRequests: 1 });
		expect((await service.call('GET', '/v2/codeTypes')).status).toBe(200);
		const usedUp = await service.call('GET', '/v2/codeTypes');
		expect([usedUp.status, usedUp.text]).toEqual([429, expect.stringContaining('monthly')]);

		service.sandbox.control.updateTenant('other', { maxConcurrentRequests: 1 });
		service.addFault({ kind: 'latency', ms: 1500 }, '/v2/codeTypes');
		const read = async () =>
			(await service.call('GET', '/v2/codeTypes', { key: OTHER_KEY })).status;
		const slow = read();
		while (!service.sandbox.requests.some(({ tenant }) => tenant === 'other')) {
			await new Promise(setImmediate);
		}
		expect(await read()).toBe(429);
		expect(await slow).toBe(200);
		expect(await read()).toBe(200);
	});
});
