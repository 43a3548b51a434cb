import { DELIMITERS } from '../service/importJobFile';
import { type DelimitedFormat, lineWriter, InvalidRow } from './delimitedRows';

/** Lets the rest of n8n run now and then: the TimeSlice of `execution`. */
export interface Slice {
	readonly isOver: boolean;
	yield(): Promise<void>;
}

/** Copies the chunks, one after the other, to a place in `target`: 100 MB at once would block n8n. */
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

/** One piece of memory with all of them. */
export async function joinChunks(chunks: readonly Uint8Array[], slice: Slice): Promise<Buffer> {
	const joined = Buffer.allocUnsafe(chunks.reduce((bytes, { length }) => bytes + length, 0));
	await copyChunks(chunks, joined, 0, slice);
	return joined;
}

const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;
const DEFLATE = 8;
const UTF8_FLAG = 0x0800;
const LARGEST_FIELD = 0xffff_ffff;

/** Fields shared by a local header and a directory entry, in order. */
function commonFields(name: Buffer, deflatedBytes: number, crc32: number, size: number): Buffer {
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(20, 0); // version needed: deflate
	fields.writeUInt16LE(UTF8_FLAG, 2);
	fields.writeUInt16LE(DEFLATE, 4);
	fields.writeUInt16LE(0, 6); // time: none, so that equal rows give equal files
	fields.writeUInt16LE(0x0021, 8); // date: 1 January 1980, the earliest there is
	fields.writeUInt32LE(crc32, 10);
	fields.writeUInt32LE(deflatedBytes, 14);
	fields.writeUInt32LE(size, 18);
	fields.writeUInt16LE(name.length, 22);
	return fields;
}

const LOCAL_HEADER_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;

/**
 * Compresses one file into a zip archive as it is written; holds the zipped bytes only. The archive is as in
 * PKWARE's APPNOTE 6.3: local header, data, directory, end record. Sizes stay below 4 GB, so zip64 is not
 * needed.
 *
 * gzip and zip share the deflated bytes and the checksum, so the platform's compressor does the work off
 * the event loop. The gzip stream is copied to its place in the archive once, and its header and trailer
 * are overwritten.
 */
class ZipWriter {
	/** Bytes of the archive so far, possibly without the last two pieces. */
	zippedBytes = 0;
	private readonly stream = new CompressionStream('gzip');
	private readonly writer = this.stream.writable.getWriter();
	private readonly chunks: Uint8Array[] = [];
	private readonly reading: Promise<void>;
	private underWay: Promise<void> = Promise.resolve();
	private written = 0;

	constructor(
		private readonly fileName: string,
		private readonly slice: Slice,
	) {
		this.reading = this.read();
		// `end` reports a failure.
		this.reading.catch(() => undefined);
	}

	/** Resolves when the previous piece is compressed: the caller prepares the next one meanwhile. */
	async write(text: string): Promise<void> {
		const bytes = Buffer.from(text);
		this.written += bytes.length;
		await this.underWay;
		this.underWay = this.writer.write(bytes);
		this.underWay.catch(() => undefined);
	}

	async end(): Promise<Buffer> {
		await this.underWay;
		await this.writer.close();
		await this.reading;
		if (this.written > LARGEST_FIELD)
			throw new Error('The file is larger than 4 GB before it is zipped.');
		const name = Buffer.from(this.fileName);
		const deflatedBytes = this.zippedBytes - GZIP_HEADER_BYTES - GZIP_TRAILER_BYTES;
		const dataAt = LOCAL_HEADER_BYTES + name.length;
		const entryAt = dataAt + deflatedBytes;
		const endAt = entryAt + ENTRY_BYTES + name.length;
		const archive = Buffer.allocUnsafe(endAt + END_BYTES);
		const gzipAt = dataAt - GZIP_HEADER_BYTES;
		await copyChunks(this.chunks, archive, gzipAt, this.slice);
		const flags = archive[gzipAt + 3];
		if (flags !== 0)
			throw new Error(
				`The compressor wrote gzip flags ${flags}, which this zip writer does not know.`,
			);
		const crc32 = archive.readUInt32LE(entryAt);
		const common = commonFields(name, deflatedBytes, crc32, this.written);
		Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name]).copy(archive);
		Buffer.concat([
			Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
			common,
			Buffer.alloc(14), // comment, disk, attributes and the offset of the local header: all zero
			name,
		]).copy(archive, entryAt);
		archive.fill(0, endAt);
		archive.write('PK\x05\x06', endAt, 'latin1');
		archive.writeUInt16LE(1, endAt + 8);
		archive.writeUInt16LE(1, endAt + 10);
		archive.writeUInt32LE(endAt - entryAt, endAt + 12);
		archive.writeUInt32LE(entryAt, endAt + 16);
		return archive;
	}

	private async read(): Promise<void> {
		for await (const chunk of this.stream.readable) {
			this.chunks.push(chunk);
			this.zippedBytes += chunk.length;
		}
	}
}

/** One megabyte as the service counts it: service.md 2.10 names 100 MB as 100,000 KB. */
export const MEGABYTE = 1_000_000;

const PIECE = 64 * 1024;

/** Ends a file this much below its limit: the compressor still holds up to its window and two pieces. */
const UNDER_WAY = 512 * 1024;

/** A row's values in column order, or why it cannot be written. */
export type FileRow = readonly unknown[] | InvalidRow;

export interface FileSettings {
	format: DelimitedFormat;
	maxZipBytes: number;
	maxRows: number;
}

interface ImportFilePlan extends FileSettings {
	/** Name of the delimited file in each archive. */
	fileName: string;
	columns: readonly string[];
	/** What messages call the columns, if not by their names. */
	titles?: readonly string[];
	hasHeader: boolean;
	/** Rows of the first file, if it has fewer than the others. */
	firstRows?: number | undefined;
	/** Called for each row that is written, with its cells; the list is that of all rows. */
	onCells?: (cells: readonly string[]) => void;
	/** Called for each row that cannot be written, with its position from 0; the files leave it out. */
	onInvalidRow: (invalidRow: InvalidRow, position: number) => void;
	slice: Slice;
}

interface ImportFile {
	zip: Buffer;
	/** Number of rows without the header. */
	rows: number;
	/** Position after its last row, counting those that were left out. */
	end: number;
}

/**
 * Writes the rows, in order, into zipped delimited files; starts a new file where the next row might
 * not fit. Holds one piece of text and the zipped bytes of one file at a time.
 * @param rows in batches that end with the time slice; the next row is asked for once the one before is written
 */
export async function* importFiles(
	plan: ImportFilePlan,
	rows: AsyncIterable<Iterable<FileRow>>,
): AsyncGenerator<ImportFile> {
	const { format, columns, maxZipBytes, slice } = plan;
	const line = lineWriter(format, plan.titles ?? columns, plan.onCells);
	const header = plan.hasHeader ? `${columns.join(DELIMITERS[format.columnDelimiter])}\r\n` : '';
	let maxRows = Math.min(plan.firstRows ?? plan.maxRows, plan.maxRows);
	let zip: ZipWriter | undefined;
	let count = 0;
	let end = 0;
	let piece = '';

	const endFile = async (complete: ZipWriter): Promise<ImportFile> => {
		await complete.write(piece);
		return { zip: await complete.end(), rows: count, end };
	};

	let position = -1;
	for await (const batch of rows) {
		for (const values of batch) {
			position++;
			const text = values instanceof InvalidRow ? values : line(values);
			if (text instanceof InvalidRow) {
				plan.onInvalidRow(text, position);
				continue;
			}
			if (!zip) {
				zip = new ZipWriter(plan.fileName, slice);
				count = 0;
				piece = header;
			}
			piece += text;
			count++;
			end = position + 1;
			if (piece.length >= PIECE) {
				await zip.write(piece);
				piece = '';
			}
			if (count >= maxRows || zip.zippedBytes >= maxZipBytes - UNDER_WAY) {
				yield await endFile(zip);
				zip = undefined;
				maxRows = plan.maxRows;
			}
		}
	}
	if (zip) yield await endFile(zip);
}
