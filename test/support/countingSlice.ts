/** A time slice that is over at each look, and counts the pauses. */
export class CountingSlice {
	readonly isOver = true;
	pauses = 0;

	readonly yield = async (): Promise<void> => {
		this.pauses++;
		await Promise.resolve();
	};
}
