import { DateTime } from 'luxon';

import { UnreadableText } from '../importFile/delimitedText';
import { copyChunks, MEGABYTE } from '../importFile/importFiles';
import { NotAResultFile, readResultRows, type ResultRow } from '../importFile/resultFile';
import { rethrow } from '../transport/rethrow';
import type { ResultFile } from '../service/importJobRecord';
import type { NativeService } from '../service/nativeService';
import { isWebPage, ServiceError } from '../service/serviceErrors';
import { TimeSlice } from './timeSlice';

function resultFileError(fileNumber: number, message: string, description: string): ServiceError {
	return new ServiceError({
		message: `Result file ${fileNumber} ${message}`,
		description,
		replayable: true,
	});
}

/** Links end after 24 hours (service.md 2.8); saying so beats the storage's own error page. */
function throwIfExpired(file: ResultFile, fileNumber: number): void {
	if (!file.dateExpired) return;
	const expires = DateTime.fromISO(file.dateExpired, { setZone: true });
	if (!expires.isValid || expires.toMillis() > Date.now()) return;
	throw resultFileError(
		fileNumber,
		`is no longer available: its link expired at ${file.dateExpired}`,
		'The import itself is done; do not import the rows again. Look up the results in the service.',
	);
}

/** The first line of a file that is not a result file, as a sentence. */
function beginning(service: NativeService, firstLine: string): string {
	if (firstLine === '') return 'It is empty.';
	return isWebPage({ headers: {}, text: firstLine })
		? 'It is a web page. A login page or a proxy may stand between n8n and the file.'
		: `It begins with: ${service.redactor.text(firstLine)}.`;
}

function readingError(service: NativeService, fileNumber: number, error: unknown): unknown {
	if (error instanceof NotAResultFile) {
		return resultFileError(
			fileNumber,
			'is not a result file',
			`${beginning(service, error.firstLine)} Do not import the rows again. Read the results again later. If that does not help, ask the service operator.`,
		);
	}
	if (error instanceof UnreadableText) {
		return resultFileError(
			fileNumber,
			`cannot be read: it ${error.problem}`,
			'The import itself is done; do not import the rows again. To see the file, run "Get Results" with Output set to Files, or ask the service operator.',
		);
	}
	return error;
}

/** Downloads a result file and returns what `read` makes of it: see {@link FileTransfer.download}. */
async function download<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	read: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
	throwIfExpired(file, fileNumber);
	try {
		return await service.files.download(file.url, `result file ${fileNumber}`, read);
	} catch (error) {
		return rethrow(readingError(service, fileNumber, error));
	}
}

/** Which columns of a result file are known in advance. */
interface KnownResultColumns {
	/** Asked for with columnsToIncludeInResultsFile. */
	included: readonly string[];
	/** Labels of all mapping types of the job. */
	labels?: readonly string[];
}

/**
 * Reads one result file row by row, in order. If the download restarts, it begins anew, and the rows can
 * come in another order.
 * @param fileNumber position among the job's files, from 1, for errors
 * @returns what `begin` made last, with the rows that `add` added
 */
export async function collectResultFile<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	{ included, labels }: KnownResultColumns,
	begin: () => T,
	add: (collected: T, row: ResultRow) => void,
): Promise<T> {
	const slice = new TimeSlice(service.signal);
	return await download(service, file, fileNumber, async (chunks) => {
		const collected = begin();
		for await (const batch of readResultRows(chunks, included, labels)) {
			for (const row of batch) add(collected, row);
			if (slice.isOver) await slice.yield();
		}
		return collected;
	});
}

/** Maps each row of one result file: see {@link collectResultFile}. */
export async function readResultFile<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	known: KnownResultColumns,
	make: (row: ResultRow) => T,
): Promise<T[]> {
	const begin = (): T[] => [];
	return await collectResultFile(service, file, fileNumber, known, begin, (made, row) => {
		made.push(make(row));
	});
}

/** Twice the most that the largest known deployment puts into one result file. */
export const LARGEST_FILE_BYTES = 200 * MEGABYTE;

export async function downloadResultFile(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	maxBytes = LARGEST_FILE_BYTES,
): Promise<Buffer> {
	const slice = new TimeSlice(service.signal);
	return await download(service, file, fileNumber, async (chunks) => {
		const parts: Uint8Array[] = [];
		let bytes = 0;
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (bytes > maxBytes)
				throw resultFileError(
					fileNumber,
					`is larger than ${maxBytes / MEGABYTE} MB`,
					'Raise Max File Size (MB), or set Output to Rows, which reads a file of any size piece by piece.',
				);
			parts.push(chunk);
			if (slice.isOver) await slice.yield();
		}
		const content = Buffer.allocUnsafe(bytes);
		await copyChunks(parts, content, 0, slice);
		return content;
	});
}
