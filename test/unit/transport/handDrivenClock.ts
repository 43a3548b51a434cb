import type { Clock } from '../../../nodes/shared/transport/clock';

/** Lets everything that is ready to run do so. */
export async function settle(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that only a test moves. */
export class HandDrivenClock implements Clock {
	private time = 0;
	private sleepers: Array<{ wakesAt: number; wake: () => void }> = [];

	/** @param lateness milliseconds by which the next sleep wakes too late */
	constructor(private readonly lateness: () => number = () => 0) {}

	now(): number {
		return this.time;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ wakesAt: this.time + ms + this.lateness(), wake });
		});
	}

	/** How many sleeps are going on. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	/** Lets `ms` milliseconds pass and wakes each sleeper when its time has come. */
	async advance(ms: number): Promise<void> {
		const end = this.time + ms;
		await settle();
		for (;;) {
			const next = this.earliest();
			if (next === undefined || next.wakesAt > end) break;
			await this.wake(next);
		}
		this.time = end;
	}

	/** Lets time pass from sleep to sleep until `promise` is settled; gives its outcome. */
	async runUntil<T>(promise: Promise<T>): Promise<T> {
		let isOpen = true;
		const close = (): void => {
			isOpen = false;
		};
		promise.then(close, close);
		await settle();
		while (isOpen) {
			const next = this.earliest();
			// Without a sleeper the promise waits for something outside, such as a socket.
			if (next === undefined) await settle();
			else await this.wake(next);
		}
		return await promise;
	}

	private earliest(): { wakesAt: number; wake: () => void } | undefined {
		return this.sleepers.reduce<{ wakesAt: number; wake: () => void } | undefined>(
			(first, sleeper) => (first && first.wakesAt <= sleeper.wakesAt ? first : sleeper),
			undefined,
		);
	}

	private async wake(sleeper: { wakesAt: number; wake: () => void }): Promise<void> {
		this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
		this.time = Math.max(this.time, sleeper.wakesAt);
		sleeper.wake();
		await settle();
	}
}
