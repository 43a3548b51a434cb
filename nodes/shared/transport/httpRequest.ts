import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { throwIfCancelled } from './cancellation';
import { failureOf, RequestFailure } from './requestFailure';
import { RequestLimits } from './requestLimits';

/** One HTTP request without credentials. */
export interface HttpRequest {
	method: IHttpRequestMethods;
	url: string;
	jsonBody?: string;
	/** A file, or a form whose content type names its boundary. */
	upload?:
		| { content: Buffer; contentType: string; headers?: Record<string, string> }
		| { content: FormData; contentType?: undefined; headers?: undefined };
	accept: string;
	/** Milliseconds for the whole request. */
	timeoutMs: number;
	/** Milliseconds without a byte after which the request fails; for files, whose transfer may take long. */
	stallMs?: number;
}

export interface HttpResponse {
	status: number;
	/** Names are lower case. */
	headers: Record<string, string>;
	text: string;
}

/** A response whose body is still arriving. */
export interface HttpDownload extends Omit<HttpResponse, 'text'> {
	chunks: AsyncIterable<Uint8Array>;
	/** Instead of the chunks. Throws {@link RequestFailure}. */
	readText(): Promise<string>;
	/** Closes the connection of a body that nobody will read. */
	discard(): void;
}

/** Sends one request and resolves with n8n's full response, its body a stream. */
export type Sender = (options: IHttpRequestOptions) => Promise<unknown>;

type RequestFunctions = Pick<IAllExecuteFunctions, 'helpers'>;

export function senderFor(
	functions: RequestFunctions,
	credentialType: string,
	credential: ICredentialsDecrypted,
): Sender {
	return async (options) =>
		await functions.helpers.httpRequestWithAuthentication.call(
			// n8n types `this` as the whole context of an execution; the helper uses only this part.
			functions as IAllExecuteFunctions,
			credentialType,
			options,
			// Passing the decrypted data saves n8n from decrypting it for every request.
			{ credentialsDecrypted: credential },
		);
}

/** A sender without credentials, for links from the service or the user. */
export function anonymousSender(functions: RequestFunctions): Sender {
	return async (options) => await functions.helpers.httpRequest(options);
}

/** A sender with the only request helper of a credential test. The headers carry the key. */
export function credentialTestSender(
	{ helpers }: ICredentialTestFunctions,
	headers: Record<string, string>,
): Sender {
	return async (options) => {
		const response = (await helpers.request({
			method: options.method,
			uri: options.url,
			headers: { ...options.headers, ...headers },
			timeout: options.timeout,
			encoding: null,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as { statusCode: number; headers: Record<string, unknown>; body?: Buffer | string };
		async function* body(): AsyncGenerator<Buffer | string> {
			if (response.body !== undefined) yield response.body;
		}
		return { ...response, body: Object.assign(body(), { destroy: () => undefined }) };
	};
}

interface StreamedResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array | string> & { destroy(error?: Error): void };
}

/** Node ends a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** For a response that is read into memory; result files are streamed. */
const LARGEST_RESPONSE_BYTES = 64 * 1024 * 1024;

function lowerCaseNames(headers: Record<string, unknown>): Record<string, string> {
	const lowerCase: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers ?? {}))
		lowerCase[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
	return lowerCase;
}

function optionsFor(request: HttpRequest, abortSignal: AbortSignal): IHttpRequestOptions {
	const { method, url, jsonBody, upload } = request;
	return {
		method,
		url,
		headers: {
			Accept: request.accept,
			...(jsonBody !== undefined && { 'Content-Type': 'application/json' }),
			...(upload?.contentType && { 'Content-Type': upload.contentType }),
			...upload?.headers,
		},
		// As text: n8n's helper would omit the empty object.
		...(jsonBody !== undefined && { body: jsonBody }),
		// n8n's type is the form-data package; the library below also accepts the platform's form.
		...(upload && { body: upload.content as Buffer }),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: Math.min(request.timeoutMs, LONGEST_TIMER_MS),
		abortSignal,
	};
}

/** Resolves once the head of the response is there. Throws {@link RequestFailure} or CallCancelled. */
async function sendToHead(
	sender: Sender,
	request: HttpRequest,
	limits: RequestLimits,
): Promise<StreamedResponse> {
	let hasFailed = false;
	try {
		return await new Promise<StreamedResponse>((resolve, reject) => {
			limits.abortSignal.addEventListener('abort', () => reject(failureOf(undefined, limits)));
			sender(optionsFor(request, limits.abortSignal)).then((response) => {
				// Close the stream of a response that arrives after the deadline.
				if (hasFailed) (response as StreamedResponse).body.destroy();
				else resolve(response as StreamedResponse);
			}, reject);
		});
	} catch (error) {
		hasFailed = true;
		limits.lift();
		throw failureOf(error, limits);
	}
}

async function* readChunks(
	body: StreamedResponse['body'],
	limits: RequestLimits,
): AsyncGenerator<Uint8Array> {
	try {
		limits.startWaiting();
		for await (const chunk of body) {
			limits.stopWaiting();
			yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
			limits.startWaiting();
		}
	} catch (error) {
		throw failureOf(error, limits);
	} finally {
		limits.lift();
	}
}

/**
 * Sends a request and returns the body as a stream. Redirects are not followed: the credentials must not
 * go to another address. Throws {@link RequestFailure}, or {@link CallCancelled} when `signal` aborts.
 */
export async function openRequest(
	sender: Sender,
	request: HttpRequest,
	signal: AbortSignal | undefined,
): Promise<HttpDownload> {
	throwIfCancelled(signal);
	const limits = new RequestLimits(request, signal);
	const { statusCode, headers, body } = await sendToHead(sender, request, limits);
	limits.stopWaiting();
	limits.abortSignal.addEventListener('abort', () => body.destroy(new Error('ended')));
	return {
		status: statusCode,
		headers: lowerCaseNames(headers),
		chunks: readChunks(body, limits),
		readText: async () => await joinText(readChunks(body, limits)),
		discard: () => {
			limits.lift();
			body.destroy();
		},
	};
}

/** Throws like {@link openRequest}. */
export async function sendRequest(
	sender: Sender,
	request: HttpRequest,
	signal: AbortSignal | undefined,
): Promise<HttpResponse> {
	const { status, headers, readText } = await openRequest(sender, request, signal);
	return { status, headers, text: await readText() };
}

async function joinText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
	const parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const part of chunks) {
		bytes += part.length;
		if (bytes > LARGEST_RESPONSE_BYTES) throw new RequestFailure('oversized', '');
		parts.push(part);
	}
	return decodeText(Buffer.concat(parts));
}

/** UTF-8, or UTF-16 as the first bytes say: JSON and web pages begin with an ASCII character. */
function decodeText(body: Buffer): string {
	const [first, second] = body;
	if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
		return new TextDecoder('utf-16le').decode(body);
	if ((first === 0xfe && second === 0xff) || first === 0)
		return new TextDecoder('utf-16be').decode(body);
	const text = body.toString('utf8');
	return text.startsWith('\ufeff') ? text.slice(1) : text;
}
