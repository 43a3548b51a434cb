import type { NodeOperation } from '../../../nodes/shared/execution/operation';
import { type Endpoint, retryOfMethod } from '../../../nodes/shared/service/endpoints';
import { packageNodes } from '../../engine/support/packageNodes';

/** Import Items has groups of its own, and no such options. */
const operations = [...packageNodes()]
	.flatMap(([node, { resources }]) =>
		resources.flatMap((resource) =>
			resource.operations.map((operation): [string, NodeOperation] => [
				`${node} ${resource.value} ${operation.value}`,
				operation,
			]),
		),
	)
	.filter(([, { optionGroups }]) => optionGroups === undefined);

test.each(operations)('%s has the options that follow from its calls', (_, operation) => {
	const { calls, properties } = operation;
	const made: Array<Partial<Endpoint>> =
		'anyPath' in calls ? [{ retry: retryOfMethod[calls.anyPath] }] : [...calls];
	const options = properties.find(({ name }) => name === 'options')?.options ?? [];
	const count = (name: string) => options.filter((option) => option.name === name).length;
	const writes = made.some(({ retry }) => retry !== 'read');
	// Those that show what would happen unless told otherwise have a parameter for it.
	const isShown = properties.some(({ name }) => name === 'whatShouldHappen');
	const isUnsafe = made.some(({ retry }) => retry === 'unsafe');
	const mayDuplicate = made.some(({ retry, matchesPeople }) => retry === 'unsafe' || matchesPeople);
	expect({
		dryRun: count('dryRun'),
		replayUnknownOutcome: count('replayUnknownOutcome'),
		sendOnceKey: count('sendOnceKey'),
	}).toEqual({
		dryRun: Number(writes && !isShown),
		replayUnknownOutcome: Number(mayDuplicate),
		sendOnceKey: Number(isUnsafe),
	});
});

test.each(operations)('%s asks for nothing that the credential says', (_, { properties }) => {
	const collections = properties.filter(({ type }) => type === 'collection');
	const names = collections.flatMap(({ options = [] }) => options.map(({ name }) => name));
	const limits = ['timeout', 'pollInterval', 'maxConcurrentRequests'];
	expect(names.filter((name) => limits.includes(name))).toEqual([]);
	expect(collections.filter(({ options = [] }) => options.length === 0)).toEqual([]);
});
