import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../nodes/shared/transport/clock';

/** How much faster than real time the nodes' own clock runs. */
export const SPEED = 100;

/**
 * Runs the nodes' waits in a hundredth of the time. Nodes never wait less than they asked for, so the time
 * between two requests times SPEED is at least what they meant. Request timeouts keep real time.
 */
export function speedUpClock(): void {
	systemClock.now = () => performance.now() * SPEED;
	systemClock.sleep = async (ms) => await sleep(ms / SPEED);
}
