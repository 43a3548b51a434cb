import { DateTime } from 'luxon';

import { NotAResultFile, readResultRows, type ResultRow } from '../importFile/resultFile';
import { ExchangeFailure, type HttpDownload } from '../transport/exchange';
import { pause } from '../transport/cancellation';
import { backOff } from '../transport/replay';
import type { ResultFile } from '../service/importJobRecord';
import type { NativeService } from '../service/nativeService';
import { ServiceError } from '../service/serviceErrors';

const MOST_ATTEMPTS = 4;

function resultFileError(fileNumber: number, message: string, description: string): ServiceError {
	return new ServiceError({
		message: `Result file ${fileNumber} ${message}`,
		description,
		httpCode: undefined,
		replayable: true,
		outcomeUnknown: false,
		request: { method: 'GET', path: `(result file ${fileNumber})` },
		serviceErrors: [],
	});
}

/** Links end after 24 hours (service-facts 2.2); saying so beats the storage's own error page. */
function refuseExpired(file: ResultFile, fileNumber: number): void {
	if (!file.dateExpired) return;
	const expires = DateTime.fromISO(file.dateExpired, { setZone: true });
	if (!expires.isValid || expires.toMillis() > Date.now()) return;
	throw resultFileError(
		fileNumber,
		`is no longer there: its link ended at ${file.dateExpired}`,
		'The rows themselves are imported as before; do not import them again. Look the results up in the service itself.',
	);
}

/**
 * Downloads a result file and reads it, again from the start when the connection breaks: reading
 * changes nothing, and half a result would be worse than none.
 */
async function downloaded<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	read: (download: HttpDownload) => Promise<T>,
): Promise<T> {
	refuseExpired(file, fileNumber);
	for (let attempt = 0; ; attempt++) {
		try {
			return await read(await service.download(file.url, `result file ${fileNumber}`));
		} catch (error) {
			const isFault =
				error instanceof ExchangeFailure ||
				(error instanceof ServiceError && (error.details.httpCode ?? 0) >= 500);
			if (error instanceof NotAResultFile) {
				throw resultFileError(
					fileNumber,
					'is not a result file',
					error.firstLine === ''
						? 'It is empty.'
						: `It begins with: ${service.redactor.text(error.firstLine)}`,
				);
			}
			if (!isFault) return await Promise.reject(error as Error);
			if (attempt + 1 >= MOST_ATTEMPTS) {
				throw resultFileError(
					fileNumber,
					`could not be downloaded in ${MOST_ATTEMPTS} attempts`,
					'The import itself is done. Run "Get Results" again with the same job ID; do not import the rows again.',
				);
			}
			await pause(service.clock, backOff(attempt, 1), service.signal);
		}
	}
}

/**
 * The rows of one result file.
 * @param fileNumber position among the job's files, from 1, for errors
 * @param included columns asked for with columnsToIncludeInResultsFile; undefined if not known
 */
export async function readResultFile(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	included: string[] | undefined,
): Promise<ResultRow[]> {
	return await downloaded(service, file, fileNumber, async (download) => {
		const rows: ResultRow[] = [];
		for await (const batch of readResultRows(download.chunks, included)) rows.push(...batch);
		return rows;
	});
}

/** One result file as it is. */
export async function resultFileBytes(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
): Promise<Buffer> {
	return await downloaded(service, file, fileNumber, async (download) => {
		const chunks: Uint8Array[] = [];
		for await (const chunk of download.chunks) chunks.push(chunk);
		return Buffer.concat(chunks);
	});
}
