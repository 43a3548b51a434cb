import { NodeHelpers } from 'n8n-workflow';

import { WaitChoice } from '../../../nodes/NativeBulkImport/job/jobWait';
import { optionsCollection } from '../../../nodes/shared/operations/describe';
import { itemOf } from './nodeParameters';

const choice = new WaitChoice({ displayName: 'Wait', name: 'wait' }, ['memory']);
const wait = (options: Record<string, unknown>) =>
	choice.read({ ...itemOf({ options }, [optionsCollection(choice.fields)]), resumed: undefined });

test.each([0, -1, ' ', 'soon', {}])('a longest wait of %p is rejected', (maxWait) => {
	expect(() => wait({ maxWait })).toThrow(/^Max Wait \(Minutes\): ".*" is not a number above 0/);
});

test('a time may be given as text', () => {
	expect(wait({ maxWait: '2' })).toMatchObject({ way: 'memory', maxWaitMs: 120_000 });
});

test.each([
	['the default waits', ['memory', 'database', 'none'], [true, true, true, false]],
	['the default does not wait', ['none', 'memory', 'database'], [false, true, true, false]],
] as const)('its time is shown only where the node waits: %s', (_, ways, shown) => {
	const { maxWait } = new WaitChoice({ displayName: 'Wait', name: 'wait' }, ways).each;
	const isShown = [{}, { wait: 'memory' }, { wait: '={{ 1 }}' }, { wait: 'none' }].map((options) =>
		NodeHelpers.displayParameter(options, maxWait, null, null),
	);
	expect(isShown).toEqual(shown);
});
