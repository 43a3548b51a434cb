import { type DelimitedFormat, type LineWriter, lineWriter, RowRefused } from './delimitedRows';
import { ZipWriter } from './zipFile';

/** One megabyte as the service counts it: service.md 2.10 names 100 MB as 100,000 KB. */
export const MEGABYTE = 1_000_000;

/** Text is handed to the compressor in pieces of about this many characters. */
const PIECE = 64 * 1024;

/**
 * The compressor has not put out everything it took in: up to its window and the pieces under way.
 * A file is ended this many bytes before its limit, so that what is still inside finds room.
 */
const UNDER_WAY = 512 * 1024;

/** The values of a row in the order of the columns, or why it has none that could be written. */
export type FileRow = readonly unknown[] | RowRefused;

/** Rows in batches, so that those of a file that is being read can be waited for together. */
export type FileRows = Iterable<Iterable<FileRow>> | AsyncIterable<Iterable<FileRow>>;

interface ImportFilePlan {
	/** Name of the delimited file inside each archive. */
	fileName: string;
	columns: readonly string[];
	format: DelimitedFormat;
	hasHeader: boolean;
	maxZipBytes: number;
	maxRows: number;
	/** Told of each row that cannot be written, by its position from 0; such a row is left out of the files. */
	onRefused: (refusal: RowRefused, position: number) => void;
}

interface ImportFile {
	zip: Buffer;
	/** How many rows it holds, the header not counted. */
	rows: number;
}

/**
 * Zipped delimited files of the given rows, in order; a new file begins where the next row might not
 * fit any more. Holds one piece of text and the zipped bytes of one file at a time.
 */
export async function* importFiles(
	plan: ImportFilePlan,
	rows: FileRows,
): AsyncGenerator<ImportFile> {
	const line = lineWriter(plan.format, plan.columns);
	const header = plan.hasHeader ? headerLine(line, plan.columns) : '';
	const room = plan.maxZipBytes - UNDER_WAY;
	let file: { zip: ZipWriter; rows: number } | undefined;
	let piece = '';

	const finished = async ({
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
			const text = values instanceof RowRefused ? values : line(values);
			if (text instanceof RowRefused) {
				plan.onRefused(text, position);
				continue;
			}
			file ??= { zip: new ZipWriter(plan.fileName), rows: 0 };
			if (file.rows === 0) piece = header;
			piece += text;
			file.rows++;
			if (piece.length >= PIECE) {
				await file.zip.write(piece);
				piece = '';
			}
			if (file.rows >= plan.maxRows || file.zip.zippedBytes >= room) {
				const complete = file;
				file = undefined;
				yield await finished(complete);
			}
		}
	}
	if (file) yield await finished(file);
}

function headerLine(line: LineWriter, columns: readonly string[]): string {
	const text = line(columns);
	if (text instanceof RowRefused)
		throw new Error(`A column name cannot be written: ${text.reason}`);
	return text;
}
