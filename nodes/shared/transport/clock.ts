import { sleep } from 'n8n-workflow';

/** The transport's time; tests drive it by hand. */
export interface Clock {
	/** Milliseconds on a clock that never jumps. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	sleep: async (ms) => await sleep(ms),
};
