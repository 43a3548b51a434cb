import { upperFirst } from 'lodash';

import { pause } from '../transport/cancellation';
import { RequestFailure } from '../transport/requestFailure';
import {
	type HttpResponse,
	type HttpDownload,
	type HttpRequest,
	openRequest,
	sendRequest,
} from '../transport/httpRequest';
import { keyLimitsOf } from '../transport/keyLimits';
import { backOff, MOST_RETRIES, type RetryClass } from '../transport/retry';
import {
	CallFailed,
	type CallSettings,
	CallStats,
	sendWithRetries,
} from '../transport/requestWithRetries';
import { rethrow } from '../transport/rethrow';
import type { ServiceSession } from './connection';
import { failureOf, fileTriesOf } from './callErrors';
import { isProtectedAddress, leadsToThisMachine } from './protectedAddress';
import { isWebPage, ServiceError } from './serviceErrors';

/** A result file may have a hundred megabytes and the line may be slow. */
const DOWNLOAD_TIMEOUT_MS = 30 * 60_000;

/** For a line of 1 Mbit/s. n8n's helper reports no progress: a stalled upload looks like a slow one. */
const UPLOAD_BYTES_PER_MS = 125;

const FILES_PER_SECOND = 50;

/** After this many files in a row that failed, each gets one attempt: hundreds would take hours. */
const MOST_FAILED_FILES = 5;

/** Storages redirect to a file's location; more redirects than this lead nowhere. */
const MOST_REDIRECTS = 5;

type FileUpload =
	| { method: 'PUT'; content: Buffer; contentType: string; headers?: Record<string, string> }
	| { method: 'POST'; content: FormData };

/** Always replayable: fetching or storing a file again changes nothing. */
function fileError(message: string, description: string, httpCode?: number): ServiceError {
	return new ServiceError({ message, description, httpCode, replayable: true });
}

/** Files at URLs from the service or the user. They never receive the credential. */
export class FileTransfer {
	/** Downloads since the last one that succeeded. */
	private failedInARow = 0;

	constructor(private readonly session: ServiceSession) {}

	/**
	 * Downloads a file and returns what `read` makes of it; reads it again when the connection breaks.
	 * Throws ServiceError if the link leads to no file, and what `read` throws.
	 * @param what names the file in errors, e.g. `result file 2`
	 */
	async download<T>(
		link: string,
		what: string,
		read: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
	): Promise<T> {
		const { clock, signal } = this.session;
		for (let attempt = 0; ; attempt++) {
			try {
				const { chunks } = await this.openFile(link, what);
				const result = await read(chunks);
				this.failedInARow = 0;
				return result;
			} catch (error) {
				if (!(error instanceof RequestFailure)) rethrow(error);
				if (this.isTriedOnce || attempt >= MOST_RETRIES) {
					this.failedInARow++;
					throw fileError(
						`${upperFirst(what)} could not be downloaded (attempts: ${attempt + 1})`,
						'The import itself is done. Run "Get Results" again with the same job ID; do not import the rows again.',
					);
				}
				await pause(clock, backOff(attempt, 1), signal);
			}
		}
	}

	private get isTriedOnce(): boolean {
		return this.failedInARow >= MOST_FAILED_FILES;
	}

	private async openFile(link: string, what: string, redirects = 0): Promise<HttpDownload> {
		const url = this.checkLink(link, what);
		const download = await this.open(url, what);
		const { status, headers } = download;
		const { location } = headers;
		// No credential is sent, so the file may be on any protected host.
		if (status >= 300 && status < 400 && location && redirects < MOST_REDIRECTS) {
			const target = URL.canParse(location, url.href) ? new URL(location, url).href : '';
			return await this.openFile(target, what, redirects + 1);
		}
		if (status !== 200) {
			throw fileError(
				`${upperFirst(what)} could not be downloaded (status ${status})`,
				'Links to result files are valid for 24 hours. If the link is older, read the job again for a new one; if that fails too, look the results up in the service. The import itself is done; do not import the rows again.',
				status,
			);
		}
		if (!isWebPage(download)) return download;
		download.discard();
		throw fileError(
			`${upperFirst(what)} could not be downloaded: the response is a web page`,
			'A login page or a proxy may stand between n8n and the file. The import itself is done; do not import the rows again.',
			status,
		);
	}

	private checkLink(link: string, what: string): URL {
		const reject = (why: string, description: string): never => {
			throw fileError(`The link to ${what} ${why}`, description);
		};
		if (!URL.canParse(link))
			return reject('is not an address', 'Ask the service operator to correct it.');
		const url = new URL(link);
		if (!isProtectedAddress(url))
			return reject('is not protected by https', 'It was not opened, to protect the data.');
		if (leadsToThisMachine(url, this.session.connection.root)) {
			return reject(
				'points to the machine on which n8n runs',
				'It was not opened, because the service is on another machine. Ask the service operator.',
			);
		}
		return url;
	}

	/**
	 * Uploads a file to the user's own storage. A repeat replaces the file, so faults are retried.
	 * Throws ServiceError unless the storage accepts it.
	 */
	async upload(link: string, file: FileUpload): Promise<HttpResponse> {
		const { method, ...upload } = file;
		const url = URL.canParse(link) ? new URL(link) : undefined;
		if (!url || !isProtectedAddress(url)) {
			throw fileError(
				'The upload address is not an https address',
				'Nothing was sent. Correct Upload URL.',
			);
		}
		const notTaken = (why: string, status?: number, more = ''): ServiceError =>
			fileError(
				`The file could not be uploaded${why}`,
				`No import was started with it. Check that Upload URL and Form Fields are still valid.${more}`,
				status,
			);
		const transferMs = Math.ceil(sizeOf(upload.content) / UPLOAD_BYTES_PER_MS);
		const timeoutMs = this.session.timeoutMs + transferMs;
		const request: HttpRequest = { method, url: link, accept: '*/*', timeoutMs, upload };
		let response: HttpResponse;
		try {
			response = await sendWithRetries(
				this.settings(url, 'safe'),
				async () => await sendRequest(this.session.anonymousSender, request, this.session.signal),
			);
		} catch (error) {
			if (!(error instanceof CallFailed)) rethrow(error);
			const slow =
				error.failure?.kind === 'timeout'
					? ' If the connection is slow, set Deployment to Other in the credential, and raise Timeout (Seconds).'
					: '';
			const why = `: ${failureOf(error, 'the storage')}`;
			rethrow(notTaken(why, error.response?.status, `${slow}${fileTriesOf(error)}`));
		}
		if (response.status >= 300) throw notTaken(` (status ${response.status})`, response.status);
		// Storages respond with nothing, JSON or XML; a web page only counts if the file was created.
		if (response.status !== 201 && isWebPage({ headers: {}, text: response.text }))
			throw notTaken(': the response was a web page', response.status);
		return response;
	}

	/** Opens a file's URL, with retries; discards a body that will not be read. */
	private async open(url: URL, what: string): Promise<HttpDownload & HttpResponse> {
		const { anonymousSender, signal, timeoutMs } = this.session;
		const request: HttpRequest = {
			method: 'GET',
			url: url.href,
			accept: '*/*',
			timeoutMs: Math.max(timeoutMs, DOWNLOAD_TIMEOUT_MS),
			stallMs: timeoutMs,
		};
		try {
			const settings = { ...this.settings(url, 'read'), isTriedOnce: this.isTriedOnce };
			return await sendWithRetries(settings, async () => {
				const download = await openRequest(anonymousSender, request, signal);
				return { ...download, text: download.status === 200 ? '' : await download.readText() };
			});
		} catch (error) {
			if (!(error instanceof CallFailed)) rethrow(error);
			this.failedInARow++;
			rethrow(
				fileError(
					`${upperFirst(what)} could not be downloaded: ${failureOf(error, 'the storage')}`,
					`The import itself is done; do not import the rows again. Run "Get Results" again with the same job ID.${fileTriesOf(error)}`,
					error.response?.status,
				),
			);
		}
	}

	private settings({ origin }: URL, retryClass: RetryClass): CallSettings {
		const { clock, random, connection, wallClock } = this.session;
		const rateLimit = { name: `files ${origin}`, perSecond: FILES_PER_SECOND };
		const limits = keyLimitsOf(connection.rateIdentity, wallClock());
		const limiter = limits.limiterOf(rateLimit, clock, random);
		// File requests do not count towards the key's volume.
		const countRequest = (): void => undefined;
		return { ...this.session, limiter, retryClass, countRequest, stats: new CallStats() };
	}
}

function sizeOf(content: Buffer | FormData): number {
	if ('length' in content) return content.length;
	let bytes = 0;
	for (const value of content.values()) if (typeof value !== 'string') bytes += value.size;
	return bytes;
}
