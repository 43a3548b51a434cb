import { DateTime } from 'luxon';

import { UnreadableText } from '../importFile/delimitedText';
import { NotAResultFile, readResultRows, type ResultRow } from '../importFile/resultFile';
import { ExchangeFailure, type HttpDownload } from '../transport/exchange';
import { pause } from '../transport/cancellation';
import { backOff, defaultReplayPolicy } from '../transport/replay';
import type { ResultFile } from '../service/importJobRecord';
import type { NativeService } from '../service/nativeService';
import { isWebPage, ServiceError } from '../service/serviceErrors';

/** As many as a call of the service is given. */
const MOST_ATTEMPTS = defaultReplayPolicy.maxReplays + 1;

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

/** Links end after 24 hours (service.md 2.8); saying so beats the storage's own error page. */
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

/** How a file that is no result file begins, as a sentence. */
function beginning(service: NativeService, firstLine: string): string {
	if (firstLine === '') return 'It is empty.';
	return isWebPage({ headers: {}, text: firstLine })
		? 'It is a web page. A login page or a proxy may stand between n8n and the file.'
		: `It begins with: ${service.redactor.text(firstLine)}.`;
}

/** Throws what another attempt at a download would not change. */
function refuseUnreadable(service: NativeService, fileNumber: number, error: unknown): void {
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
			'cannot be read',
			'Its quotation marks do not match. The import itself is done; do not import the rows again. To look into the file, run "Get Results" with Output set to Files, or ask the service operator.',
		);
	}
	if (!(error instanceof ExchangeFailure)) throw error;
}

/**
 * Downloads a result file and hands out what `read` makes of it, again from the start when the
 * connection breaks: reading changes nothing, and half a result would be worse than none. What was
 * handed out before is read again but not handed out again: a result file does not change.
 */
async function* downloaded<T>(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	read: (download: HttpDownload) => AsyncIterable<T[]>,
): AsyncGenerator<T[]> {
	refuseExpired(file, fileNumber);
	let handedOut = 0;
	for (let attempt = 0; ; attempt++) {
		let again = handedOut;
		try {
			for await (const batch of read(
				await service.download(file.url, `result file ${fileNumber}`),
			)) {
				const isNew = batch.length > again;
				const fresh = again === 0 ? batch : batch.slice(again);
				again = Math.max(0, again - batch.length);
				if (!isNew) continue;
				handedOut += fresh.length;
				yield fresh;
			}
			return;
		} catch (error) {
			refuseUnreadable(service, fileNumber, error);
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
 * The rows of one result file in batches, each row once however often the download begins again.
 * Memory does not grow with the file.
 * @param fileNumber position among the job's files, from 1, for errors
 * @param included columns asked for with columnsToIncludeInResultsFile, as far as they are known
 */
export async function* resultRowBatches(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	included: readonly string[],
): AsyncGenerator<ResultRow[]> {
	yield* downloaded(service, file, fileNumber, ({ chunks }) => readResultRows(chunks, included));
}

/** All rows of one result file: {@link resultRowBatches} for those who put all of them out. */
export async function readResultFile(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
	included: readonly string[],
): Promise<ResultRow[]> {
	const rows: ResultRow[] = [];
	for await (const batch of resultRowBatches(service, file, fileNumber, included)) {
		for (const row of batch) rows.push(row);
	}
	return rows;
}

/** One result file as it is. */
export async function resultFileBytes(
	service: NativeService,
	file: ResultFile,
	fileNumber: number,
): Promise<Buffer> {
	const whole = downloaded(service, file, fileNumber, async function* ({ chunks }) {
		const parts: Uint8Array[] = [];
		for await (const chunk of chunks) parts.push(chunk);
		yield [Buffer.concat(parts)];
	});
	const parts: Buffer[] = [];
	for await (const batch of whole) parts.push(...batch);
	return Buffer.concat(parts);
}
