import { sortedIndexBy } from 'lodash';
import type { Clock } from '../../nodes/shared/transport/clock';

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface Alarm {
	at: number;
	ring: () => void;
}

/** Time that passes only from one alarm to the next, in milliseconds from 0. */
export class VirtualTime implements Clock {
	private time = 0;
	/** The last one rings next; those of the same time ring in the order they were set. */
	private readonly alarms: Alarm[] = [];

	now(): number {
		return this.time;
	}

	async sleep(ms: number): Promise<void> {
		await this.until(this.time + ms);
	}

	/** Resolves at the given time. */
	async until(at: number): Promise<void> {
		await new Promise<void>((ring) => this.setAlarm(at, ring));
	}

	setAlarm(at: number, ring: () => void): void {
		const alarm = { at, ring };
		this.alarms.splice(
			sortedIndexBy(this.alarms, alarm, (each) => -each.at),
			0,
			alarm,
		);
	}

	clearAlarms(): void {
		this.alarms.length = 0;
	}

	/** Lets time pass until `end`; what was begun runs on as far as it comes. */
	async runUntil(end: number): Promise<void> {
		await settle();
		while ((this.alarms.at(-1)?.at ?? Infinity) <= end) {
			this.ringNext();
			await settle();
		}
		this.time = end;
	}

	/** Lets time pass until work is done; work that waits for no alarm takes no time. */
	async runWhile<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const end = (): void => void (isDone = true);
		work.then(end, end);
		for (;;) {
			await settle();
			if (isDone) return await work;
			this.ringNext();
		}
	}

	private ringNext(): void {
		const next = this.alarms.pop();
		if (!next) return;
		this.time = Math.max(this.time, next.at);
		next.ring();
	}
}

/** Lets everything that is ready to run do so. */
async function settle(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}

/** How the clock of one process differs from the ideal: late timers, and times in which it does nothing. */
export interface Unpunctuality {
	/** Timers wake up to this much late, in milliseconds. */
	latestTimerMs: number;
	/** The process stalls for this long, in milliseconds … */
	stallMs: number;
	/** … once in this many milliseconds, at a random moment. */
	stallEveryMs: number;
}

/** The clock of one process. */
export class ProcessClock implements Clock {
	private stallBegin: number;

	constructor(
		private readonly time: VirtualTime,
		private readonly random: () => number,
		private readonly unpunctuality: Unpunctuality,
	) {
		this.stallBegin = random() * unpunctuality.stallEveryMs;
	}

	now(): number {
		return this.time.now();
	}

	async sleep(ms: number): Promise<void> {
		const { latestTimerMs } = this.unpunctuality;
		await this.waitForNotice(this.time.now() + ms + this.random() * latestTimerMs);
	}

	/** Resolves when the process notices what happens at the given time. */
	async waitForNotice(at: number): Promise<void> {
		const { stallMs, stallEveryMs } = this.unpunctuality;
		await this.time.until(at);
		const now = this.time.now();
		while (this.stallBegin + stallMs <= now) this.stallBegin += stallEveryMs;
		if (this.stallBegin <= now) await this.time.until(this.stallBegin + stallMs);
	}
}
