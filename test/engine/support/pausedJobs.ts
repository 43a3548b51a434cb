/** Jobs that stay in the status they have until they are released. */
export class PausedJobs {
	private gate = Promise.resolve();
	private open: (() => void) | undefined;

	hold(): void {
		if (!this.open) this.gate = new Promise((resolve) => (this.open = resolve));
	}

	release(): void {
		this.open?.();
		this.open = undefined;
	}

	readonly jobTiming = {
		pendingMs: 0,
		minimumMs: 0,
		beforeStatusChange: async (): Promise<void> => await this.gate,
	};
}
