import { type DelimitedFormat, type LineWriter, lineWriter, InvalidRow } from './delimitedRows';
import { type Slice, ZipWriter } from './zipFile';

/** One megabyte as the service counts it: service.md 2.10 names 100 MB as 100,000 KB. */
export const MEGABYTE = 1_000_000;

/** Characters of text passed to the compressor at a time. */
const PIECE = 64 * 1024;

/**
 * Ends a file this many bytes before its limit: the compressor still holds up to its window and two
 * pieces.
 */
const UNDER_WAY = 512 * 1024;

/** A row's values in column order, or why it cannot be written. */
export type FileRow = readonly unknown[] | InvalidRow;

/** Rows in batches: one wait per batch of a file that is read. */
export type FileRows = Iterable<Iterable<FileRow>> | AsyncIterable<Iterable<FileRow>>;

interface ImportFilePlan {
	/** Name of the delimited file in each archive. */
	fileName: string;
	columns: readonly string[];
	format: DelimitedFormat;
	hasHeader: boolean;
	maxZipBytes: number;
	maxRows: number;
	/** Of the first file, if it has fewer. */
	firstRows?: number | undefined;
	/** Called for each row that cannot be written, with its position from 0; the files leave it out. */
	onInvalidRow: (invalidRow: InvalidRow, position: number) => void;
	slice: Slice;
}

interface ImportFile {
	zip: Buffer;
	/** Number of rows without the header. */
	rows: number;
}

/**
 * Writes the rows, in order, into zipped delimited files; starts a new file where the next row might
 * not fit. Holds one piece of text and the zipped bytes of one file at a time.
 */
export async function* importFiles(
	plan: ImportFilePlan,
	rows: FileRows,
): AsyncGenerator<ImportFile> {
	const line = lineWriter(plan.format, plan.columns);
	const header = plan.hasHeader ? headerLine(line, plan.columns) : '';
	const room = plan.maxZipBytes - UNDER_WAY;
	let maxRows = Math.min(plan.firstRows ?? plan.maxRows, plan.maxRows);
	let file: { zip: ZipWriter; rows: number } | undefined;
	let piece = '';

	const endFile = async ({
		zip,
		rows: count,
	}: {
		zip: ZipWriter;
		rows: number;
	}): Promise<ImportFile> => {
		await zip.write(piece);
		piece = '';
		return { zip: await zip.end(), rows: count };
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
			file ??= { zip: new ZipWriter(plan.fileName, plan.slice), rows: 0 };
			if (file.rows === 0) piece = header;
			piece += text;
			file.rows++;
			if (piece.length >= PIECE) {
				await file.zip.write(piece);
				piece = '';
			}
			if (file.rows >= maxRows || file.zip.zippedBytes >= room) {
				const complete = file;
				file = undefined;
				maxRows = plan.maxRows;
				yield await endFile(complete);
			}
		}
	}
	if (file) yield await endFile(file);
}

function headerLine(line: LineWriter, columns: readonly string[]): string {
	const text = line(columns);
	if (text instanceof InvalidRow)
		throw new Error(`A column name cannot be written: ${text.reason}`);
	return text;
}
