const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;
const DEFLATE = 8;
/** Names are UTF-8. */
const UTF8_FLAG = 0x0800;
const LARGEST_FIELD = 0xffff_ffff;

interface Compressed {
	/** The deflated bytes alone. */
	deflated: Buffer;
	crc32: number;
	/** Bytes before compression. */
	size: number;
}

/**
 * The contents of a gzip stream. gzip and zip share the deflated bytes and the checksum, so the
 * platform's compressor does the work off the event loop.
 */
function unwrapGzip(gzip: Buffer, size: number): Compressed {
	const flags = gzip[3];
	if (flags !== 0)
		throw new Error(
			`The compressor wrote gzip flags ${flags}, which this zip writer does not know.`,
		);
	return {
		deflated: gzip.subarray(GZIP_HEADER_BYTES, -GZIP_TRAILER_BYTES),
		crc32: gzip.readUInt32LE(gzip.length - GZIP_TRAILER_BYTES),
		size,
	};
}

/** Fields shared by a local header and a directory entry, in order. */
function commonFields(name: Buffer, { deflated, crc32, size }: Compressed): Buffer {
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(20, 0); // version needed: deflate
	fields.writeUInt16LE(UTF8_FLAG, 2);
	fields.writeUInt16LE(DEFLATE, 4);
	fields.writeUInt16LE(0, 6); // time: none, so that equal rows give equal files
	fields.writeUInt16LE(0x0021, 8); // date: 1 January 1980, the earliest there is
	fields.writeUInt32LE(crc32, 10);
	fields.writeUInt32LE(deflated.length, 14);
	fields.writeUInt32LE(size, 18);
	fields.writeUInt16LE(name.length, 22);
	return fields;
}

/**
 * A zip archive with one file, as in PKWARE's APPNOTE 6.3: local header, data, directory, end record.
 * Sizes stay below 4 GB, so zip64 is not needed.
 */
function zipArchive(fileName: string, compressed: Compressed): Buffer {
	if (compressed.size > LARGEST_FIELD)
		throw new Error('The file is larger than 4 GB before it is zipped.');
	const name = Buffer.from(fileName, 'utf8');
	const common = commonFields(name, compressed);
	const localHeader = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name]);
	const entry = Buffer.concat([
		Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
		common,
		Buffer.alloc(14), // comment, disk, attributes and the offset of the local header: all zero
		name,
	]);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(entry.length, 12);
	end.writeUInt32LE(localHeader.length + compressed.deflated.length, 16);
	return Buffer.concat([localHeader, compressed.deflated, entry, end]);
}

/** Compresses one file into a zip archive as it is written; holds the zipped bytes only. */
export class ZipWriter {
	private readonly encoder = new TextEncoder();
	private readonly stream = new CompressionStream('gzip');
	private readonly writer = this.stream.writable.getWriter();
	private readonly chunks: Uint8Array[] = [];
	private readonly reading: Promise<void>;
	/** The piece being compressed. */
	private underWay: Promise<void> = Promise.resolve();
	private written = 0;
	private compressed = 0;

	constructor(private readonly fileName: string) {
		this.reading = this.read();
		// `end` reports a failure.
		this.reading.catch(() => undefined);
	}

	/** Bytes of the archive so far, possibly without the last two pieces. */
	get zippedBytes(): number {
		return this.compressed;
	}

	/** Resolves when the previous piece is compressed: the caller prepares the next one meanwhile. */
	async write(text: string): Promise<void> {
		const bytes = this.encoder.encode(text);
		this.written += bytes.length;
		await this.underWay;
		this.underWay = this.writer.write(bytes);
		this.underWay.catch(() => undefined);
	}

	async end(): Promise<Buffer> {
		await this.underWay;
		await this.writer.close();
		await this.reading;
		return zipArchive(this.fileName, unwrapGzip(Buffer.concat(this.chunks), this.written));
	}

	private async read(): Promise<void> {
		const reader = this.stream.readable.getReader();
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			this.chunks.push(value);
			this.compressed += value.length;
		}
	}
}
