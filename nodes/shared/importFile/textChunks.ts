/** Characters that become bytes at once. */
const CHUNK_LENGTH = 100_000;

/** Collects texts as bytes, which take less memory. */
export class TextChunks {
	private readonly chunks: Buffer[] = [];
	private waiting = '';

	add(text: string): void {
		this.waiting += text;
		if (this.waiting.length > CHUNK_LENGTH) this.flush();
	}

	/** After the last text. */
	end(): Buffer[] {
		this.flush();
		return this.chunks;
	}

	private flush(): void {
		this.chunks.push(Buffer.from(this.waiting));
		this.waiting = '';
	}
}
