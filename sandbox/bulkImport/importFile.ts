import { parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as otherWork } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fromBuffer, type Entry, type Options, type ZipFile } from 'yauzl';
import { delimiterOf, type FileRequest } from './jobRequestSchema';

/** The contract counts 100 MB as 100,000 KB (service.md 2.10). */
/** The smaller size of service.md 2.10. */
const MAX_MEGABYTES = 20;
const BYTES_PER_MEGABYTE = 1000 * 1000;
/** Characters parsed before other work of the process gets its turn. */
const SLICE_LENGTH = 256 * 1024;

/** Ends a job as Failed with this text. */
export class JobFailed extends Error {
	constructor(
		text: string,
		readonly code = 'INVALID_FILE',
	) {
		super(text);
	}
}

const openZip = promisify<Buffer, Options, ZipFile>(fromBuffer);

function findEntry(zip: ZipFile, fileName: string): Promise<Entry> {
	return new Promise((resolve, reject) => {
		zip.on('entry', (entry: Entry) => {
			if (entry.fileName === fileName) resolve(entry);
			else zip.readEntry();
		});
		zip.on('end', () => reject(new JobFailed(`The archive does not contain '${fileName}'.`)));
		zip.on('error', reject);
		zip.readEntry();
	});
}

async function unzip(archive: Buffer, fileName: string): Promise<Buffer> {
	if (archive.length > MAX_MEGABYTES * BYTES_PER_MEGABYTE) {
		throw new JobFailed(`The archive is larger than ${MAX_MEGABYTES} MB.`);
	}
	try {
		const zip = await openZip(archive, { lazyEntries: true });
		const entry = await findEntry(zip, fileName);
		const openReadStream = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
		return await buffer(await openReadStream(entry));
	} catch (error) {
		if (error instanceof JobFailed) throw error;
		throw new JobFailed(`The file is not a readable zip archive (${messageOf(error)}).`);
	}
}

function decode(bytes: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw new JobFailed('The file is not encoded in UTF-8.');
	}
}

async function* slices(text: string, signal: AbortSignal): AsyncGenerator<string> {
	for (let start = 0; start < text.length; start += SLICE_LENGTH) {
		yield text.slice(start, start + SLICE_LENGTH);
		await otherWork(undefined, { signal });
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/**
 * The rows of the delimited file in a zip archive, as text, without the header. Rows keep the number of
 * values they have, which may differ from the number of declared columns.
 *
 * Without hasQuotes a quotation mark is a character like any other, so a delimiter inside a value
 * shifts the columns after it (service.md 2.2).
 *
 * @throws JobFailed
 */
export async function readImportFile(
	archive: Buffer,
	file: FileRequest,
	signal: AbortSignal,
): Promise<string[][]> {
	const text = decode(await unzip(archive, file.fileName));
	const parser = parse({
		delimiter: delimiterOf(file.columnDelimiter),
		quote: file.hasQuotes ? '"' : null,
		from: file.hasHeader ? 2 : 1,
		relax_column_count: true,
		skip_empty_lines: true,
	});
	const rows: string[][] = [];
	try {
		await pipeline(Readable.from(slices(text, signal)), parser, async (records) => {
			for await (const record of records) rows.push(record);
		});
	} catch (error) {
		signal.throwIfAborted();
		throw new JobFailed(`The file is not delimited as declared: ${messageOf(error)}.`);
	}
	return rows;
}
