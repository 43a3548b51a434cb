import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../nodes/shared/transport/clock';

/** How much faster than real time the nodes' own clock runs. */
export const SPEED = 100;

/**
 * Lets the nodes wait as long as they mean to in a hundredth of the time: half an hour of waits that a
 * service asks for passes within the run. Nothing waits less than the nodes asked for, so the time
 * between two requests times SPEED is never shorter than what they meant. The time-out of a request is
 * the system's own and stays as it is.
 */
export function hurryClock(): void {
	systemClock.now = () => performance.now() * SPEED;
	systemClock.sleep = async (ms) => await sleep(ms / SPEED);
}
