import { sleep } from 'n8n-workflow';

/** Time as the transport sees it; tests drive one by hand. */
export interface Clock {
	/** Milliseconds on a clock that never jumps. */
	now(): number;
	/** Resolves after `ms` milliseconds. */
	sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	sleep: async (ms) => await sleep(ms),
};
