import { NodeHelpers } from 'n8n-workflow';

import { WaitChoice } from '../../../nodes/NativeBulkImport/job/jobWait';
import { optionsCollection } from '../../../nodes/shared/operations/describe';
import { itemOf } from './nodeParameters';

const choice = new WaitChoice({ displayName: 'Wait', name: 'wait' }, ['memory']);
const wait = (options: Record<string, unknown>) =>
	choice.read({ ...itemOf({ options }, [optionsCollection(choice.fields)]), resumed: undefined });

test.each([0, -1, ' ', 'soon', {}])('a poll interval of %p is rejected', (pollInterval) => {
	expect(() => wait({ pollInterval })).toThrow(
		/^Poll Interval \(Seconds\): ".*" is not a number above 0/,
	);
});

test('times may be given as text', () => {
	expect(wait({ pollInterval: '30', maxWait: 2 })).toMatchObject({
		way: 'memory',
		pollIntervalMs: 30_000,
		maxWaitMs: 120_000,
	});
});

test.each([
	['the default waits', ['memory', 'database', 'none'], [true, true, true, false]],
	['the default does not wait', ['none', 'memory', 'database'], [false, true, true, false]],
] as const)('its times are shown only where the node waits: %s', (_, ways, shown) => {
	const { fields } = new WaitChoice({ displayName: 'Wait', name: 'wait' }, ways);
	const times = fields.filter(({ name }) => ['pollInterval', 'maxWait'].includes(name));
	const isShown = [{}, { wait: 'memory' }, { wait: '={{ 1 }}' }, { wait: 'none' }].map((options) =>
		times.every((time) => NodeHelpers.displayParameter(options, time, null, null)),
	);
	expect(times).toHaveLength(2);
	expect(isShown).toEqual(shown);
});
