import { DateTime } from 'luxon';

import { copyChunks } from '../importFile/copyChunks';
import { UnreadableText } from '../importFile/decodeText';
import { MEGABYTE } from '../importFile/importFiles';
import { NotAResultFile, readResultRows, type ResultRow } from '../importFile/resultFile';
import { RequestFailure, type HttpDownload } from '../transport/httpRequest';
import { pause } from '../transport/cancellation';
import { backOff, defaultRetryPolicy } from '../transport/retry';
import type { ResultFile } from '../service/importJobRecord';
import type { NativeService } from '../service/nativeService';
import { isWebPage, ServiceError } from '../service/serviceErrors';
import { TimeSlice } from './timeSlice';

/** As many as for a call to the service. */
const MOST_ATTEMPTS = defaultRetryPolicy.maxRetries + 1;

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
		`is no longer there: its link ended at ${file.dateExpired}`,
		'The rows are imported; do not import them again. Look up the results in the service.',
	);
}

/** The first line of a file that is not a result file, as a sentence. */
function beginning(service: NativeService, firstLine: string): string {
	if (firstLine === '') return 'It is empty.';
	return isWebPage({ headers: {}, text: firstLine })
		? 'It is a web page. A login page or a proxy may stand between n8n and the file.'
		: `It begins with: ${service.redactor.text(firstLine)}.`;
}

/** Throws errors that another download would not fix. */
function throwIfUnreadable(service: NativeService, fileNumber: number, error: unknown): void {
	if (error instanceof NotAResultFile) {
		throw resultFileError(
			fileNumber,
			'is not a result file',
			`${beginning(service, error.firstLine)} Do not import the rows again. Read the results again later. If that does not help, ask the service operator.`,
		);
	}
	if (error instanceof UnreadableText) {
		throw resultFileError(
			fileNumber,
			`cannot be read: it ${error.problem}`,
			'The import itself is done; do not import the rows again. To look into the file, run "Get Results" with Output set to Files, or ask the service operator.',
		);
	}
	if (!(error instanceof RequestFailure)) throw error;
}

/**
 * Downloads a result file and yields what `read` makes of it. When the connection breaks, it calls
 * `restart` and yields everything again from the start: the rows may then be in another order.
 */
async function* downloadBatches<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	read: (download: HttpDownload) => AsyncIterable<T[]>,
	restart: () => void,
): AsyncGenerator<T[]> {
	throwIfExpired(file, fileNumber);
	const slice = new TimeSlice(service.signal, service.clock);
	for (let attempt = 0; ; attempt++) {
		try {
			const download = await service.files.download(file.url, `result file ${fileNumber}`);
			for await (const batch of read(download)) {
				yield batch;
				if (slice.isOver) await slice.yield();
			}
			return;
		} catch (error) {
			throwIfUnreadable(service, fileNumber, error);
			if (attempt + 1 >= MOST_ATTEMPTS) {
				throw resultFileError(
					fileNumber,
					`could not be downloaded in ${MOST_ATTEMPTS} attempts`,
					'The import itself is done. Run "Get Results" again with the same job ID; do not import the rows again.',
				);
			}
			await pause(service.clock, backOff(attempt, 1), service.signal);
			restart();
		}
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
 * The rows of one result file in batches; memory does not grow with the file.
 * @param fileNumber position among the job's files, from 1, for errors
 * @param restart called when the download restarts: all rows then come again, in any order
 */
export async function* readRowBatches(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	{ included, labels }: KnownResultColumns,
	restart: () => void,
): AsyncGenerator<ResultRow[]> {
	const read = ({ chunks }: HttpDownload): AsyncIterable<ResultRow[]> =>
		readResultRows(chunks, included, labels);
	yield* downloadBatches(service, file, fileNumber, read, restart);
}

/** Maps each row of one result file, in order. */
export async function readResultFile<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	known: KnownResultColumns,
	make: (row: ResultRow) => T,
): Promise<T[]> {
	let made: T[] = [];
	const restart = (): void => {
		made = [];
	};
	for await (const batch of readRowBatches(service, file, fileNumber, known, restart)) {
		for (const row of batch) made.push(make(row));
	}
	return made;
}

/** Twice the most that the largest known deployment puts into one result file. */
export const LARGEST_FILE_BYTES = 200 * MEGABYTE;

/** One result file, unchanged. */
export async function downloadResultFile(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	maxBytes = LARGEST_FILE_BYTES,
): Promise<Buffer> {
	let parts: Uint8Array[] = [];
	let bytes = 0;
	const read = async function* ({ chunks }: HttpDownload): AsyncGenerator<Uint8Array[]> {
		for await (const chunk of chunks) yield [chunk];
	};
	const restart = (): void => {
		parts = [];
		bytes = 0;
	};
	for await (const [chunk] of downloadBatches(service, file, fileNumber, read, restart)) {
		if (!chunk) continue;
		bytes += chunk.length;
		if (bytes > maxBytes) {
			throw resultFileError(
				fileNumber,
				`is larger than ${maxBytes / MEGABYTE} MB`,
				'Raise Max File Size (MB), or set Output to Rows, which reads a file of any size piece by piece.',
			);
		}
		parts.push(chunk);
	}
	const content = Buffer.allocUnsafe(bytes);
	await copyChunks(parts, content, 0, new TimeSlice(service.signal, service.clock));
	return content;
}
