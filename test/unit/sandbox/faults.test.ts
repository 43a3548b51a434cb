import type { FaultRequest } from '../../../sandbox';
import { useSandbox } from './sandboxCalls';

type Fault = FaultRequest['fault'];

const service = useSandbox();

const createCode = async () => await service.post('/v2/codes', { name: 'New' });
const isCreated = () => service.sandbox.control.codes('demo').some(({ name }) => name === 'New');

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
	service.addFault(fault);
	const response = await createCode().catch(() => null);
	expect(response?.status ?? null).toBe(status);
	expect(isCreated()).toBe(executed);
	expect(service.sandbox.requests).toMatchObject([{ status, executed, fault: fault.kind }]);
});

test('a request that is held back is not executed after a reset', async () => {
	service.addFault({ kind: 'latency', ms: 100 });
	const response = createCode().catch(() => null);
	while (service.sandbox.requests.length === 0) await new Promise(setImmediate);
	service.sandbox.control.reset();
	expect(await response).toBe(null);
	expect([isCreated(), service.sandbox.requests]).toEqual([false, []]);
});
