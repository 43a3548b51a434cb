import type { ZodType, ZodTypeDef } from 'zod';

import type { Clock } from '../transport/clock';
import type { Redactor } from '../transport/redaction';
import type { RetryClass } from '../transport/retry';
import type { Target } from './connection';
import type { Endpoint, PathValues } from './endpoints';
import type { RequestDescription, ServiceError } from './serviceErrors';
import type { Vocabulary } from './vocabulary';

/** Default timeout of one request. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

export type QueryValues = Record<string, string | number | boolean | undefined>;

/** Without values that are empty. */
export function queryString(query: QueryValues | undefined): string {
	const given = Object.entries(query ?? {}).filter(
		(entry): entry is [string, string | number | boolean] => {
			const value = entry[1];
			return value !== undefined && value !== '';
		},
	);
	if (given.length === 0) return '';
	return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

/** The values of one call. */
export interface CallValues<E extends Endpoint> {
	path: PathValues<E>;
	query?: QueryValues;
	/** Sent as JSON. */
	body?: unknown;
	/** Overrides the endpoint's retry class if the body decides whether a retry is safe. */
	retry?: RetryClass;
}

export interface PreparedCall extends CallValues<Endpoint> {
	endpoint: Endpoint;
	/** Whether the service may have executed the call in an earlier try of the run. */
	mayHaveRunBefore?: boolean;
}

export function prepareCall<E extends Endpoint>(endpoint: E, values: CallValues<E>): PreparedCall {
	return { endpoint, ...values };
}

export function retryClassOf({ endpoint, retry }: PreparedCall): RetryClass {
	return retry ?? endpoint.retry;
}

/** A response with a status below 400. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, string>;
	/** Whether an earlier attempt got no usable response and may have succeeded. */
	mayHaveRunBefore: boolean;
	/** The JSON body; undefined if the response has none. */
	body: unknown;
}

/** One page of a list: service.md 1.2. */
export interface Page<T> {
	items: T[];
	/** URL of the next page; null on the last one. */
	nextPageLink: string | null;
}

/** A file to upload: its content, or a form that holds it. */
export type FileUpload =
	| { method: 'PUT'; content: Buffer; contentType: string }
	| { method: 'POST'; content: FormData };

/** Files at URLs from the service or the user. They never receive the credential. */
export interface ServiceFiles {
	/**
	 * Downloads a file and yields what `read` makes of it. When the connection breaks, it calls `restart`
	 * and begins again. Throws ServiceError if the link leads to no file, and what `read` throws.
	 * @param what names the file in errors, e.g. `result file 2`
	 */
	download<T>(
		link: string,
		what: string,
		read: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<T>,
		restart: () => void,
	): AsyncGenerator<T>;
	/**
	 * Uploads a file to the user's own storage. A repeat replaces the file, so faults are retried.
	 * Throws ServiceError unless the storage accepts it.
	 */
	upload(
		link: string,
		file: FileUpload,
	): Promise<{ headers: Record<string, string>; text: string }>;
}

/**
 * The service as the nodes see it. Sends every call within the key's rate limit, retries it if that is
 * safe, and returns a checked response or throws a {@link ServiceError}.
 */
export interface NativeService {
	readonly vocabulary: Vocabulary;
	readonly target: Target;
	readonly clock: Clock;
	/** Aborts when the execution is cancelled. */
	readonly signal: AbortSignal | undefined;
	readonly redactor: Redactor;
	readonly files: ServiceFiles;

	/** What `read` gives the first time, for the rest of the session, e.g. a list of the service. */
	once<T>(key: unknown, read: () => T): T;

	/** The request of a call, not sent, without secrets. */
	describe(call: PreparedCall): RequestDescription;

	/** Sends a call. Throws ServiceError, InvalidInput, or CallCancelled. */
	call(call: PreparedCall): Promise<ServiceResponse>;

	/**
	 * Sends a call and checks the shape of its response.
	 * @param shape a schema as lenient as the documentation is vague
	 */
	read<E extends Endpoint, T>(
		endpoint: E,
		values: CallValues<E>,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): Promise<T>;

	/**
	 * Yields the items of a list, page by page. Accepts an envelope `{items, nextPageLink, count}` and
	 * a bare array (service.md 1.2).
	 * @param anyName whether the list may have another name than `items`
	 */
	list<E extends Endpoint>(
		endpoint: E,
		values: CallValues<E>,
		anyName?: boolean,
	): AsyncGenerator<unknown>;

	/**
	 * Reads one page of a list.
	 * @param link of the page; undefined for the first
	 */
	readPage<E extends Endpoint>(
		endpoint: E,
		values: CallValues<E>,
		link: string | undefined,
	): Promise<Page<unknown>>;

	/** Checks the shape of a response. Throws ServiceError. */
	parse<T>(
		call: PreparedCall,
		response: ServiceResponse,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): T;

	/** Runs what follows a call. An unforeseen error here says that the call may have succeeded. */
	afterSending<T>(
		call: PreparedCall,
		work: () => T | Promise<T>,
		response?: ServiceResponse,
	): Promise<T>;

	/**
	 * The error for a successful response that cannot be used.
	 * @param what the service returned
	 */
	unusableResponse(call: PreparedCall, response: ServiceResponse, what: string): ServiceError;
}
