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
	/** Alarms of the same time ring in the order they were set. */
	order: number;
	ring: () => void;
}

const isBefore = (a: Alarm, b: Alarm): boolean =>
	a.at < b.at || (a.at === b.at && a.order < b.order);

/** Time that passes only from one alarm to the next, in milliseconds from 0. */
export class VirtualTime implements Clock {
	private time = 0;
	private alarmsSet = 0;
	/** A binary heap: the first alarm is the next one. */
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
		this.set({ at, order: this.alarmsSet++, ring });
	}

	clearAlarms(): void {
		this.alarms.length = 0;
	}

	/** Lets time pass until `end`; what was begun runs on as far as it comes. */
	async runUntil(end: number): Promise<void> {
		await settle();
		for (let next = this.alarms[0]; next && next.at <= end; next = this.alarms[0]) {
			this.ringFirst(next);
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
			const [next] = this.alarms;
			if (next) this.ringFirst(next);
		}
	}

	private ringFirst(first: Alarm): void {
		this.takeFirst();
		this.time = Math.max(this.time, first.at);
		first.ring();
	}

	private set(alarm: Alarm): void {
		let at = this.alarms.push(alarm) - 1;
		while (at > 0) {
			const above = (at - 1) >> 1;
			const parent = this.alarms[above];
			if (!parent || !isBefore(alarm, parent)) break;
			this.alarms[at] = parent;
			at = above;
		}
		this.alarms[at] = alarm;
	}

	private takeFirst(): void {
		const last = this.alarms.pop();
		if (!last || this.alarms.length === 0) return;
		let at = 0;
		for (;;) {
			const left = 2 * at + 1;
			const [one, other] = [this.alarms[left], this.alarms[left + 1]];
			const child = other && one && isBefore(other, one) ? left + 1 : left;
			const smaller = this.alarms[child];
			if (!smaller || !isBefore(smaller, last)) break;
			this.alarms[at] = smaller;
			at = child;
		}
		this.alarms[at] = last;
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
