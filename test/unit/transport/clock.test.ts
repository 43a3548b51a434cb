import { createHook } from 'node:async_hooks';

import { systemClock } from '../../../nodes/shared/transport/clock';

describe('a sleep of 0 milliseconds', () => {
	test('lets the event loop turn each time', async () => {
		let turns = 0;
		let isOver = false;
		const count = (): void => {
			turns++;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		const sleeps = 20;
		for (let sleep = 0; sleep < sleeps; sleep++) await systemClock.sleep(0);
		isOver = true;
		// The first one may begin after the immediates of its turn.
		expect(turns).toBeGreaterThanOrEqual(sleeps - 1);
	});

	test('waits for no timer', async () => {
		const types: string[] = [];
		const hook = createHook({ init: (_, type) => types.push(type) }).enable();
		await systemClock.sleep(0);
		hook.disable();
		expect(types).not.toContain('Timeout');
	});
});
