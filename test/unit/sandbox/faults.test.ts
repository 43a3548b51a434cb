import type { FaultRequest } from '../../../sandbox';
import { OTHER_KEY, useSandbox } from './sandboxCalls';

type Fault = FaultRequest['fault'];

const service = useSandbox();

const createCode = async () => await service.post('/v2/codes', { name: 'New' });
const isCreated = () => service.sandbox.control.codes('demo').some(({ name }) => name === 'New');
const statusOf = async (path: string, key?: string) =>
	(await service.call('GET', path, key === undefined ? {} : { key })).status;

test.each<[Fault, boolean, number | null]>([
	[{ kind: 'status', status: 500 }, false, 500],
	[{ kind: 'status', status: 504, executed: true }, true, 504],
	[{ kind: 'response', status: 201, body: '[[[[' }, false, 201],
	[{ kind: 'htmlPage' }, false, 200],
	[{ kind: 'redirectToErrorPage' }, false, 302],
	[{ kind: 'redirect', location: 'https://elsewhere.example.org/' }, false, 302],
	[{ kind: 'wrongContentType' }, true, 201],
	[{ kind: 'emptyBody' }, true, 201],
	[{ kind: 'halfBody' }, true, 201],
	[{ kind: 'oversizedBody', megabytes: 1 }, true, 201],
	[{ kind: 'resetBefore' }, false, null],
	[{ kind: 'resetAfter' }, true, null],
])('%j: executed %s, status %s', async (fault, executed, status) => {
	service.addFault({ fault });
	const response = await createCode().catch(() => null);
	expect(response?.status ?? null).toBe(status);
	expect(isCreated()).toBe(executed);
	expect(service.sandbox.requests).toMatchObject([{ status, executed, fault: fault.kind }]);
});

describe('a request meets a fault', () => {
	const fault = { kind: 'status', status: 500 } as const;

	test('by method, path with or without version, tenant, count and skip', async () => {
		const match = { method: 'GET', pathPrefix: '/codes', tenant: 'other' } as const;
		service.addFault({ ...match, count: 2, skip: 1, fault });
		expect(await statusOf('/v2/codes')).toBe(200);
		expect(await statusOf('/v2/events', OTHER_KEY)).toBe(200);
		const statuses = [];
		for (const path of ['/v2/codes', '/v4/codes', '/v2/codes/501', '/v2/codes']) {
			statuses.push(await statusOf(path, OTHER_KEY));
		}
		expect(statuses).toEqual([200, 500, 500, 200]);
	});

	test('only if it is within the rate limit', async () => {
		service.change({ tier: { high: 1, medium: 1, low: 1, monthly: null } });
		await service.get('/v2/codes');
		service.addFault({ fault });
		expect(await statusOf('/v2/codes')).toBe(429);
		expect(await statusOf('/v2/codes', OTHER_KEY)).toBe(500);
	});
});
