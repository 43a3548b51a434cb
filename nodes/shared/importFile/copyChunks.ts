/** Lets the rest of n8n run now and then: the TimeSlice of `execution`. */
export interface Slice {
	readonly isOver: boolean;
	yield(): Promise<void>;
}

/** Copies the chunks, one behind the other, to a place in `target`: 100 MB at once would block n8n. */
export async function copyChunks(
	chunks: readonly Uint8Array[],
	target: Buffer,
	start: number,
	slice: Slice,
): Promise<void> {
	let at = start;
	for (const chunk of chunks) {
		if (slice.isOver) await slice.yield();
		target.set(chunk, at);
		at += chunk.length;
	}
}
