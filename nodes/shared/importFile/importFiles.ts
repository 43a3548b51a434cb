import { DELIMITERS } from '../service/importJobFile';
import { type DelimitedFormat, lineWriter, InvalidRow } from './delimitedRows';
import { type Slice, ZipWriter } from './zipFile';

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
	/** Position behind its last row, counting those that were left out. */
	end: number;
}

/**
 * Writes the rows, in order, into zipped delimited files; starts a new file where the next row might
 * not fit. Holds one piece of text and the zipped bytes of one file at a time.
 * @param rows in batches: one wait per batch of a file that is read
 */
export async function* importFiles(
	plan: ImportFilePlan,
	rows: AsyncIterable<Iterable<FileRow>>,
): AsyncGenerator<ImportFile> {
	const { format, columns, maxZipBytes, slice } = plan;
	const line = lineWriter(format, plan.titles ?? columns);
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
