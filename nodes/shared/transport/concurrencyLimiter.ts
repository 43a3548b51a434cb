import type { Clock } from './clock';
import { type PermitOutcome, type Limiter, type Permit, PermitQueue } from './permitQueue';

/** Limits the concurrent calls of one key (service.md 8.3). A rejection pauses the queue. */
export class ConcurrencyLimiter implements Limiter {
	private readonly queue: PermitQueue;
	private running = 0;
	private pausedUntil = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly clock: Clock,
		private limit: number,
	) {
		this.queue = new PermitQueue(clock);
	}

	setLimit(limit: number): void {
		this.limit = limit;
		void this.startWaiting();
	}

	async acquire(signal?: AbortSignal): Promise<Permit> {
		const permit = this.queue.wait(signal);
		void this.startWaiting();
		return await permit;
	}

	private async startWaiting(): Promise<void> {
		while (this.queue.length > 0 && this.running < this.limit) {
			const wait = this.pausedUntil - this.clock.now();
			if (wait > 0) {
				await this.clock.sleep(wait);
				continue;
			}
			this.running++;
			this.queue.grantNext({ release: (outcome) => this.release(outcome) });
		}
	}

	private release(outcome: PermitOutcome): void {
		this.running--;
		this.queue.noteEnd(outcome);
		if (typeof outcome === 'object') {
			this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + outcome.rejectedForMs);
		}
		void this.startWaiting();
	}
}
