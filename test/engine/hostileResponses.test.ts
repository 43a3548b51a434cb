import { minBy } from 'lodash';

import { type Endpoint, endpoints } from '../../nodes/shared/service/endpoints';
import type { FaultRequest } from '../../sandbox';
import { isThorough } from '../support/randomCases';
import { packageOperations } from './support/exampleOutputs';
import { useHostileService } from './support/hostileService';
import { hostileResponses, slowTexts } from './support/hostileTexts';

/** No text from the service stops n8n: every call of the table is tried, with an operation that makes it. */

const used = useHostileService();
const operations = packageOperations();

const calls = Object.entries(endpoints).flatMap(([name, endpoint]: [string, Endpoint]) => {
	const making = operations.flatMap((operation) => {
		const { calls: made, name: of } = operation;
		return Array.isArray(made) && made.includes(endpoint)
			? [{ name, of, endpoint, operation, calls: made.length }]
			: [];
	});
	// The one that makes the fewest other calls, and in a thorough run each.
	const fewest = minBy(making, 'calls');
	return isThorough || !fewest ? making : [fewest];
});

test.each(calls)('no response to $name in $of stops n8n', async ({ endpoint, operation }) => {
	const { service } = used;
	const { parameters = {}, items } = await service.exampleOf(operation);
	const [resource = '', value = ''] = operation.name.split('/');
	const work = async () =>
		await service.run(operation, { ...parameters, resource, operation: value }, items);
	// A key that is not accepted would hide every response.
	expect(JSON.stringify(await work())).not.toMatch(/did not accept the key/);
	const slow: string[] = [];
	for (const [status, tried, body] of hostileResponses) {
		const found = await slowTexts(tried, work, async (text) => {
			await service.sandbox.control('DELETE', 'faults');
			await service.sandbox.addFault({
				method: endpoint.method as FaultRequest['method'],
				pathPrefix: endpoint.path.split('{')[0] ?? '/',
				count: 1000,
				fault: { kind: 'response', status, body: body(text) },
			});
		});
		slow.push(...found.map((text) => `${status}: ${text}`));
	}
	expect(slow).toEqual([]);
});
