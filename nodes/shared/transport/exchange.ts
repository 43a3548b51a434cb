import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { CallCancelled, throwIfCancelled } from './cancellation';

/** One HTTP request, complete but for the credentials. */
export interface HttpRequest {
	method: IHttpRequestMethods;
	/** Complete, query included. */
	url: string;
	/** Sent as `application/json`. */
	jsonBody?: string;
	/** A file, or a form whose type names its own boundary. */
	upload?:
		| { content: Buffer; contentType: string }
		| { content: FormData; contentType?: undefined };
	accept: string;
	/** Milliseconds for the whole exchange. */
	timeoutMs: number;
}

export interface HttpAnswer {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	text: string;
}

/** An answer whose body is still on its way. */
export interface HttpDownload {
	status: number;
	headers: Record<string, string>;
	chunks: AsyncIterable<Uint8Array>;
	/** Ends the connection of a body that nobody will read. */
	discard(): void;
}

export type ExchangeFailureKind =
	/** Nothing listens there, or the name does not resolve: the request cannot have been executed. */
	| 'notSent'
	/** No complete answer in time. */
	| 'timeout'
	/** The connection broke before the answer was complete. */
	| 'broken'
	/** The answer is larger than anything the service should send. */
	| 'oversized';

/** An exchange that ended without a complete answer. */
export class ExchangeFailure extends Error {
	constructor(
		readonly kind: ExchangeFailureKind,
		/** The operating system's or library's code, such as ECONNREFUSED; empty if unknown. */
		readonly code: string,
	) {
		super(`${kind} ${code}`.trim());
		this.name = 'ExchangeFailure';
	}
}

/** Sends one request and resolves with n8n's full response whose body is a stream. */
export type Sender = (options: IHttpRequestOptions) => Promise<unknown>;

type RequestFunctions = Pick<IAllExecuteFunctions, 'helpers'>;

/** A sender that lets n8n add the credential to the request. */
export function authenticatedSender(
	functions: RequestFunctions,
	credentialType: string,
	credential: ICredentialsDecrypted,
): Sender {
	return async (options) =>
		await functions.helpers.httpRequestWithAuthentication.call(
			// n8n types `this` as the whole context of an execution; the helper itself uses no more of it.
			functions as IAllExecuteFunctions,
			credentialType,
			options,
			// Handing the decrypted data over saves n8n from reading and decrypting it for every request.
			{ credentialsDecrypted: credential },
		);
}

/** A sender without credentials, for links that the service or the user gave. */
export function anonymousSender(functions: RequestFunctions): Sender {
	return async (options) => await functions.helpers.httpRequest(options);
}

interface StreamedResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array | string> & { destroy(error?: Error): void };
}

/** The largest answer that is read into memory; result files are streamed and have no such limit. */
export const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;

const NOT_SENT_CODES = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']);

/** Looks for the first known error code along a chain of causes; n8n wraps what the library threw. */
function errorCode(error: unknown): string {
	const seen = new Set<unknown>();
	for (
		let current = error;
		current !== null && typeof current === 'object' && !seen.has(current);

	) {
		seen.add(current);
		const { code, httpCode, cause, errorResponse } = current as Record<string, unknown>;
		for (const candidate of [code, httpCode]) {
			if (
				typeof candidate === 'string' &&
				/^(E|ERR_|CERT_|DEPTH_|SELF_|UNABLE_)[A-Z_]+$/.test(candidate)
			) {
				return candidate;
			}
		}
		current = cause ?? errorResponse;
	}
	return '';
}

function toFailure(error: unknown, timedOut: boolean, signal: AbortSignal | undefined): Error {
	if (signal?.aborted) return new CallCancelled();
	if (error instanceof ExchangeFailure || error instanceof CallCancelled) return error;
	const code = errorCode(error);
	if (timedOut || TIMEOUT_CODES.has(code)) return new ExchangeFailure('timeout', code);
	return new ExchangeFailure(NOT_SENT_CODES.has(code) ? 'notSent' : 'broken', code);
}

function lowerCaseNames(headers: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers ?? {}).map(([name, value]) => [
			name.toLowerCase(),
			Array.isArray(value) ? value.join(', ') : String(value),
		]),
	);
}

/** Rejects when `signal` aborts; `stop` ends the listening. */
function rejectionOn(
	signal: AbortSignal,
	reason: () => Error,
): { promise: Promise<never>; stop(): void } {
	let onAbort = (): void => {};
	const promise = new Promise<never>((_, reject) => {
		onAbort = () => reject(reason());
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
	});
	// The race it takes part in may be over before it rejects.
	promise.catch(() => undefined);
	return { promise, stop: () => signal.removeEventListener('abort', onAbort) };
}

/**
 * Sends a request and hands out the body while it arrives. Every status is an answer; redirects are
 * never followed, because the credentials must not travel to another address.
 *
 * Throws {@link ExchangeFailure}, or {@link CallCancelled} when `signal` aborts.
 */
export async function openExchange(
	sender: Sender,
	request: HttpRequest,
	signal: AbortSignal | undefined,
): Promise<HttpDownload> {
	throwIfCancelled(signal);
	const deadline = AbortSignal.timeout(request.timeoutMs);
	const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
	const interruption = rejectionOn(ended, () => toFailure(undefined, deadline.aborted, signal));

	const options: IHttpRequestOptions = {
		method: request.method,
		url: request.url,
		headers: {
			Accept: request.accept,
			...(request.jsonBody !== undefined && { 'Content-Type': 'application/json' }),
			...(request.upload?.contentType && { 'Content-Type': request.upload.contentType }),
		},
		// As text: n8n's helper would leave out a body that is the empty object.
		...(request.jsonBody !== undefined && { body: request.jsonBody }),
		// n8n's type means the form-data package; the library below takes the platform's own form too.
		...(request.upload && { body: request.upload.content as Buffer }),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMs,
		abortSignal: ended,
	};

	const sent = sender(options).then((response) => response as StreamedResponse);
	let response: StreamedResponse;
	try {
		response = await Promise.race([sent, interruption.promise]);
	} catch (error) {
		interruption.stop();
		// An answer that arrives after the deadline is not waited for; its stream must not stay open.
		sent.then((late) => late.body.destroy()).catch(() => undefined);
		throw toFailure(error, deadline.aborted, signal);
	}

	const { body } = response;
	async function* chunks(): AsyncGenerator<Uint8Array> {
		const onEnd = () => body.destroy(new Error('ended'));
		ended.addEventListener('abort', onEnd, { once: true });
		if (ended.aborted) onEnd();
		try {
			for await (const chunk of body) {
				yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
			}
		} catch (error) {
			throw toFailure(error, deadline.aborted, signal);
		} finally {
			ended.removeEventListener('abort', onEnd);
			interruption.stop();
		}
	}
	return {
		status: response.statusCode,
		headers: lowerCaseNames(response.headers),
		chunks: chunks(),
		discard: () => {
			interruption.stop();
			body.destroy();
		},
	};
}

/**
 * Sends a request and reads the whole answer as text. Throws as {@link openExchange} does.
 * @param largestBytes the largest body that is read
 */
export async function exchange(
	sender: Sender,
	request: HttpRequest,
	signal: AbortSignal | undefined,
	largestBytes = LARGEST_ANSWER_BYTES,
): Promise<HttpAnswer> {
	const { status, headers, chunks } = await openExchange(sender, request, signal);
	const parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of chunks) {
		bytes += chunk.length;
		if (bytes > largestBytes) throw new ExchangeFailure('oversized', '');
		parts.push(chunk);
	}
	return { status, headers, text: Buffer.concat(parts).toString('utf8') };
}
