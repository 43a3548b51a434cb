import { sleep } from 'n8n-workflow';

/** The transport's time; tests drive it by hand. */
export interface Clock {
	/** Milliseconds on a clock that never jumps. */
	now(): number;
	/** 0 milliseconds is one turn of the event loop, in which everything that is due runs. */
	sleep(ms: number): Promise<void>;
}

/** One turn of the event loop, by a message: a timer would wait for a millisecond, even if nothing is due. */
export async function turn(): Promise<void> {
	// Several messages of one channel could arrive in one turn.
	const { port1, port2 } = new MessageChannel();
	await new Promise((resolve) => {
		port1.once('message', resolve);
		port2.postMessage(undefined);
	});
	port1.close();
}

/** The time in which n8n is kept responsive, whatever the transport's is. */
export const machineClock: Clock = {
	now: () => performance.now(),
	sleep: async (ms) => await (ms > 0 ? sleep(ms) : turn()),
};

export const systemClock: Clock = { ...machineClock };
