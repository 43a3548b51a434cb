import { seededRandom, VirtualTime } from '../../bench/pace/virtualTime';
import { machineClock, systemClock } from '../../nodes/shared/transport/clock';

/** When each life begins. */
const BEGIN = Date.UTC(2026, 2, 2);

/** By the machine's time, two runs of a life would differ. */
const CLOCKS = [systemClock, machineClock];

const real = {
	Date,
	random: Math.random,
	setTimeout: globalThis.setTimeout,
	clearTimeout: globalThis.clearTimeout,
	timeout: AbortSignal.timeout,
	now: machineClock.now,
};

/** The time and chance of a life. What a process of n8n began ends with it. */
export class VirtualWorld {
	readonly time = new VirtualTime();
	readonly random: () => number;
	/** A process that was killed waits for nothing any more. */
	private isKilling = false;
	private readonly cleared = new WeakSet<object>();

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	/** Milliseconds since 1970. */
	now(): number {
		return BEGIN + this.time.now();
	}

	chance(probability: number): boolean {
		return this.random() < probability;
	}

	/** A whole number from `least` to `most`. */
	whole(least: number, most: number): number {
		return least + Math.floor(this.random() * (most - least + 1));
	}

	pick<T>(values: readonly [T, ...T[]]): T {
		return values[this.whole(0, values.length - 1)] ?? values[0];
	}

	async pass(ms: number): Promise<void> {
		await this.time.until(this.time.now() + Math.max(0, ms));
	}

	/** Ends all that the running process of n8n waits for. */
	async kill(): Promise<void> {
		this.isKilling = true;
		this.time.clearAlarms();
		await new Promise((resolve) => setImmediate(resolve));
		this.time.clearAlarms();
		this.isKilling = false;
	}

	/** Runs with this time and chance in place of those of the machine, for n8n, too. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		const now = (): number => this.now();
		class VirtualDate extends real.Date {
			// All ways to construct a date are passed on.
			constructor(...parts: []) {
				super(...((parts.length === 0 ? [now()] : parts) as []));
			}
			static override now = now;
		}
		globalThis.Date = VirtualDate as DateConstructor;
		Math.random = this.random;
		globalThis.setTimeout = ((ring: () => void, ms = 0) => this.setTimer(ring, ms)) as never;
		globalThis.clearTimeout = ((timer: never) => {
			if (typeof timer === 'object' && timer !== null) this.cleared.add(timer);
			real.clearTimeout(timer);
		}) as typeof clearTimeout;
		// The network of a life says itself when a request timed out.
		AbortSignal.timeout = () => new AbortController().signal;
		for (const clock of CLOCKS) clock.now = () => this.time.now();
		try {
			return await this.time.runWhile(work());
		} finally {
			globalThis.Date = real.Date;
			Math.random = real.random;
			globalThis.setTimeout = real.setTimeout;
			globalThis.clearTimeout = real.clearTimeout;
			AbortSignal.timeout = real.timeout;
			for (const clock of CLOCKS) clock.now = real.now;
		}
	}

	private setTimer(ring: () => void, ms: number): object {
		const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
		if (this.isKilling) return timer;
		this.time.setAlarm(this.time.now() + Math.max(0, ms), () => {
			if (!this.cleared.has(timer)) ring();
		});
		return timer;
	}
}
