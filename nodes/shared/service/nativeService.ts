import type { ZodType, ZodTypeDef } from 'zod';

import { CallStats } from '../transport/callStats';
import type { Clock } from '../transport/clock';
import { sharedConcurrencyLimiter } from '../transport/concurrencyLimiter';
import {
	openRequest,
	textOf,
	type HttpResponse,
	type HttpDownload,
	type HttpRequest,
	type Sender,
} from '../transport/httpRequest';
import { pagedItems, type Page } from '../transport/paging';
import { type MonthlyVolume, sharedMonthlyVolume, VolumeUsedUp } from '../transport/monthlyVolume';
import { sharedRateLimiter } from '../transport/rateLimiter';
import { createRedactor, type Redactor } from '../transport/redaction';
import {
	CallFailed,
	withRetries,
	requestWithRetries,
	type CallSettings,
} from '../transport/requestWithRetries';
import type { RetryClass, RetryPolicy } from '../transport/retry';
import type { Limiter } from '../transport/permitQueue';
import { type Connection, isProtectedAddress } from './connection';
import { buildPath, type Endpoint, type PathValues } from './endpoints';
import { holdsMatchStub, personOfAddress } from './personMatch';
import { type RateLimit, rateLimitOf, monthlyRequestsOf } from './rateTiers';
import {
	failureError,
	failureOf,
	isWebPage,
	refusalError,
	type RequestDescription,
	ServiceError,
	fileTriesOf,
	unusableAnswerError,
	volumeUsedUpError,
} from './serviceErrors';

export type QueryValues = Record<string, string | number | boolean | undefined>;

/** The values of one call beside its endpoint. */
export interface CallValues<E extends Endpoint> {
	path: PathValues<E>;
	query?: QueryValues;
	/** Sent as JSON. */
	body?: unknown;
	/** Replaces the endpoint's retry class where the body decides whether a repeat is safe. */
	retry?: RetryClass;
}

/** A call that is ready to be sent. */
export interface PreparedCall extends CallValues<Endpoint> {
	endpoint: Endpoint;
}

export function prepareCall<E extends Endpoint>(endpoint: E, values: CallValues<E>): PreparedCall {
	return { endpoint, ...values };
}

/** An answer the service gave on purpose: status below 400. */
export interface ServiceAnswer {
	status: number;
	headers: Record<string, string>;
	/** The JSON body; undefined when the answer has none. */
	body: unknown;
}

/** What one execution of a node brings to its calls. */
export interface ServiceSession {
	connection: Connection;
	/** Adds the credential to each request. */
	sender: Sender;
	/** For links that must not receive the credential. */
	anonymousSender: Sender;
	clock: Clock;
	random: () => number;
	wallClock: () => number;
	signal: AbortSignal | undefined;
	/** Milliseconds for one request. */
	timeoutMs: number;
	policy: RetryPolicy;
}

/** What calls that draw on one rateLimit did. */
export interface RateLimitTraffic {
	rateLimit: RateLimit;
	stats: CallStats;
}

/** How long one request may take unless the user says otherwise. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** A result file may be a hundred megabytes over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 30 * 60_000;

/**
 * What an upload is given beside the time of any request: a line of 1 Mbit/s. n8n's helper does not show
 * how far an upload is, so one that has stopped cannot be told from a slow one.
 */
const UPLOAD_BYTES_PER_MS = 125;

/** The largest page that lists of the service accept: service.md 1.2. */
const PAGE_SIZE = 200;

/** A storage of files is not the service and has no tier; this is gentle for any. */
const FILES_PER_SECOND = 50;

/** Storages redirect to where a file lies; more than a few redirects lead nowhere. */
const MOST_REDIRECTS = 5;

const JSON_TYPE = 'application/json';

/**
 * The service as the nodes see it: every call goes out here, at the pace of the key, retried where
 * that is safe, and comes back as a checked answer or as a {@link ServiceError}.
 */
export class NativeService {
	/** What the calls of this session did, by the rateLimit they drew on. */
	readonly traffic: RateLimitTraffic[] = [];

	readonly redactor: Redactor;

	private readonly volume: MonthlyVolume;

	constructor(private readonly session: ServiceSession) {
		const { connection, wallClock } = session;
		this.redactor = createRedactor(connection.secrets);
		this.volume = sharedMonthlyVolume(connection.rateIdentity, wallClock);
	}

	/** Requests of this process with the key in this month, and how many they may be at most. */
	get monthlyVolume(): { used: number; limit: number } {
		const { ratePlan } = this.session.connection;
		return { used: this.volume.used, limit: monthlyRequestsOf(ratePlan) };
	}

	get vocabulary(): Connection['vocabulary'] {
		return this.session.connection.vocabulary;
	}

	get clock(): Clock {
		return this.session.clock;
	}

	get signal(): AbortSignal | undefined {
		return this.session.signal;
	}

	/** What a call would send, without sending it. Shows no secret. */
	describe<E extends Endpoint>(endpoint: E, values: CallValues<E>): RequestDescription {
		return this.redactor.value({
			method: endpoint.method,
			path: `${buildPath(endpoint, values.path)}${queryString(values.query)}`,
			...(values.body !== undefined && { body: values.body }),
		});
	}

	/**
	 * Makes a call. Throws ServiceError, InvalidPathValue, or CallCancelled.
	 */
	async call<E extends Endpoint>(endpoint: E, values: CallValues<E>): Promise<ServiceAnswer> {
		const path = buildPath(endpoint, values.path);
		return await this.send(
			endpoint,
			`${path}${queryString(values.query)}`,
			this.describe(endpoint, values),
			values,
		);
	}

	/**
	 * Makes a call and checks the shape of its answer.
	 * @param shape a schema as lenient as the documentation is vague
	 */
	async read<E extends Endpoint, T>(
		endpoint: E,
		values: CallValues<E>,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): Promise<T> {
		const call = prepareCall(endpoint, values);
		return this.parse(call, await this.call(endpoint, values), shape);
	}

	/** Checks the shape of an answer to a call. Throws ServiceError. */
	parse<T>(call: PreparedCall, answer: ServiceAnswer, shape: ZodType<T, ZodTypeDef, unknown>): T {
		const parsed = shape.safeParse(answer.body);
		if (parsed.success) return parsed.data;
		const what = answer.body === undefined ? 'nothing at all' : 'data of an unknown shape';
		throw this.unusableAnswer(call, answer, what);
	}

	/**
	 * The error for an answer that says success and cannot be used.
	 * @param what the service answered with
	 */
	unusableAnswer(call: PreparedCall, answer: ServiceAnswer, what: string): ServiceError {
		const { status, headers, body } = answer;
		const text = body === undefined ? '' : JSON.stringify(this.redactor.value(body));
		const { endpoint, retry = endpoint.retry } = call;
		return unusableAnswerError(
			{ status, headers, text },
			this.describe(endpoint, call),
			retry,
			what,
		);
	}

	/**
	 * The items of a list, page by page. Takes both forms of list the service has: an envelope
	 * `{items, nextPageLink, count}` and a bare array (service.md 1.2).
	 */
	async *list<E extends Endpoint>(
		endpoint: E,
		values: CallValues<E>,
		options: { paged: boolean } = { paged: true },
	): AsyncGenerator<unknown> {
		const first: CallValues<E> = options.paged
			? { ...values, query: { $top: PAGE_SIZE, ...values.query } }
			: values;
		const path = buildPath(endpoint, values.path);
		yield* pagedItems<unknown>(async (link) => {
			const request = this.describe(endpoint, first);
			const answer = await this.send(
				endpoint,
				link === undefined
					? `${path}${queryString(first.query)}`
					: `${path}${this.nextPageQuery(link, request)}`,
				request,
				first,
			);
			return this.page(prepareCall(endpoint, first), answer);
		});
	}

	/**
	 * Opens a link that the service or the user gave, without the credential.
	 * Throws ServiceError for any other answer than a file.
	 * @param what names the file in errors, e.g. `result file 2`
	 */
	async download(link: string, what: string): Promise<HttpDownload> {
		const request: RequestDescription = { method: 'GET', path: `(${what})` };
		const refuse = (message: string, description: string, httpCode?: number): ServiceError =>
			new ServiceError({
				message,
				description,
				httpCode,
				replayable: true,
				outcomeUnknown: false,
				request,
				serviceErrors: [],
			});
		let target = link;
		for (let redirects = 0; ; redirects++) {
			if (!URL.canParse(target)) {
				throw refuse(
					`The link of ${what} is not an address`,
					'Ask the service operator to correct it.',
				);
			}
			const url = new URL(target);
			if (!isProtectedAddress(url)) {
				throw refuse(
					`The link of ${what} is not protected by https`,
					'It was not opened, because anybody on the way could read the data.',
				);
			}
			const download = await this.opened(url, refuse, what);
			const { status, headers } = download;
			// No credential goes along, so a file may lie anywhere that is protected.
			if (status >= 300 && status < 400 && headers.location && redirects < MOST_REDIRECTS) {
				target = URL.canParse(headers.location, url.href)
					? new URL(headers.location, url).href
					: '';
				continue;
			}
			if (status !== 200) {
				throw refuse(
					`${capitalised(what)} could not be downloaded (status ${status})`,
					'Links to result files are valid for 24 hours. Read the job again for a fresh link; if the files are gone, the rows themselves are still imported.',
					status,
				);
			}
			if (!isWebPage(download)) return download;
			download.discard();
			throw refuse(
				`${capitalised(what)} could not be downloaded: there is a web page in its place`,
				'A login page or a proxy may stand between n8n and the file. The rows themselves are still imported; do not import them again.',
				status,
			);
		}
	}

	/** Opens an address of a file, again where that may help; a body that will not be read is given up. */
	private async opened(
		url: URL,
		refuse: (message: string, description: string, httpCode?: number) => ServiceError,
		what: string,
	): Promise<HttpDownload & HttpResponse> {
		const { anonymousSender, signal, timeoutMs } = this.session;
		const request: HttpRequest = {
			method: 'GET',
			url: url.href,
			accept: '*/*',
			timeoutMs: Math.max(timeoutMs, DOWNLOAD_TIMEOUT_MS),
			stallMs: timeoutMs,
		};
		try {
			return await withRetries(this.fileSettings(url, 'read'), async () => {
				const download = await openRequest(anonymousSender, request, signal);
				return { ...download, text: download.status === 200 ? '' : await textOf(download.chunks) };
			});
		} catch (error) {
			return await Promise.reject(
				error instanceof CallFailed
					? refuse(
							`${capitalised(what)} could not be downloaded: ${failureOf(error, 'the storage')}`,
							`The import itself is done; do not import the rows again. Run "Get Results" again with the same job ID.${fileTriesOf(error)}`,
							error.answer?.status,
						)
					: (error as Error),
			);
		}
	}

	private fileSettings({ origin }: URL, retryClass: RetryClass): CallSettings {
		const { anonymousSender: sender, clock, random, connection } = this.session;
		const identity = `${connection.rateIdentity} files ${origin}`;
		const limiter = sharedRateLimiter(identity, FILES_PER_SECOND, clock, random);
		// A storage of files takes no part in the volume of the key.
		const countRequest = (): void => undefined;
		return { ...this.session, sender, limiter, retryClass, countRequest, stats: new CallStats() };
	}

	/**
	 * Uploads a file to the user's own storage, without the credential. Sending it again replaces the
	 * same file, so faults are retried. Throws ServiceError unless the storage takes it.
	 */
	async upload(
		link: string,
		file: { method: 'PUT' | 'POST' } & NonNullable<HttpRequest['upload']>,
	): Promise<HttpResponse> {
		const { method, ...upload } = file;
		const refuse = (message: string, description: string, httpCode?: number): ServiceError =>
			new ServiceError({
				message,
				description,
				httpCode,
				replayable: true,
				outcomeUnknown: false,
				request: { method, path: '(upload of the file)' },
				serviceErrors: [],
			});
		const url = URL.canParse(link) ? new URL(link) : undefined;
		if (!url || !isProtectedAddress(url)) {
			throw refuse(
				'The upload address is not an https address',
				'Nothing was sent. Correct Upload URL.',
			);
		}
		const notTaken = (why: string, status?: number, more = ''): ServiceError =>
			refuse(
				`The file could not be uploaded${why}`,
				`No import was started with it. Check that Upload URL is still valid, and the form fields.${more}`,
				status,
			);
		const transferMs = Math.ceil(sizeOf(upload.content) / UPLOAD_BYTES_PER_MS);
		const timeoutMs = this.session.timeoutMs + transferMs;
		const request: HttpRequest = { method, url: link, accept: '*/*', timeoutMs, upload };
		let answer: HttpResponse;
		try {
			answer = await requestWithRetries(request, this.fileSettings(url, 'safe'));
		} catch (error) {
			return await Promise.reject(
				error instanceof CallFailed
					? notTaken(
							`: ${failureOf(error, 'the storage')}`,
							error.answer?.status,
							`${error.failure?.kind === 'timeout' ? ' If the line is slow, raise Timeout (Seconds).' : ''}${fileTriesOf(error)}`,
						)
					: (error as Error),
			);
		}
		if (answer.status >= 300) throw notTaken(` (status ${answer.status})`, answer.status);
		// Storages answer with nothing, JSON or XML; a page means that something else took the request.
		if (isWebPage({ headers: {}, text: answer.text }))
			throw notTaken(': a web page was in its place', answer.status);
		return answer;
	}

	private async send(
		endpoint: Endpoint,
		pathAndQuery: string,
		request: RequestDescription,
		values: { body?: unknown; retry?: RetryClass },
	): Promise<ServiceAnswer> {
		const { connection, sender, timeoutMs } = this.session;
		const rateLimit = rateLimitOf(connection.ratePlan, endpoint);
		const retryClass = values.retry ?? endpoint.retry;
		let answer: HttpResponse & { mayHaveRunBefore: boolean };
		try {
			answer = await requestWithRetries(
				{
					method: endpoint.method,
					url: `${connection.root}${pathAndQuery}`,
					accept: JSON_TYPE,
					timeoutMs,
					...(values.body !== undefined && { jsonBody: JSON.stringify(values.body) }),
				},
				{
					...this.session,
					sender,
					limiter: this.limiterOf(rateLimit),
					retryClass,
					countRequest: () => this.volume.countRequest(monthlyRequestsOf(connection.ratePlan)),
					stats: this.statsOf(rateLimit),
				},
			);
		} catch (error) {
			if (error instanceof VolumeUsedUp) throw volumeUsedUpError(this.monthlyVolume.limit, request);
			return await Promise.reject(
				error instanceof CallFailed
					? this.redacted(failureError(error, request))
					: (error as Error),
			);
		}
		// What an attempt whose answer was lost has deleted, the next one does not find.
		if (endpoint.method === 'DELETE' && answer.status === 404 && answer.mayHaveRunBefore)
			return { status: 204, headers: {}, body: undefined };
		if (!isAnswer(endpoint, answer)) throw this.redacted(refusalError(answer, request, retryClass));
		return this.parsed(answer, request, retryClass);
	}

	private limiterOf(rateLimit: RateLimit): Limiter {
		const { connection, clock, random } = this.session;
		const identity = `${connection.rateIdentity} ${rateLimit.name}`;
		return 'maxConcurrent' in rateLimit
			? sharedConcurrencyLimiter(identity, rateLimit.maxConcurrent, clock)
			: sharedRateLimiter(identity, rateLimit.perSecond, clock, random);
	}

	private statsOf(rateLimit: RateLimit): CallStats {
		const known = this.traffic.find((traffic) => traffic.rateLimit.name === rateLimit.name);
		if (known) return known.stats;
		const stats = new CallStats();
		this.traffic.push({ rateLimit, stats });
		return stats;
	}

	private parsed(
		answer: HttpResponse,
		request: RequestDescription,
		retryClass: RetryClass,
	): ServiceAnswer {
		const unusable = (what: string): ServiceError =>
			this.redacted(unusableAnswerError(answer, request, retryClass, what));
		const { status, headers, text } = answer;
		// The body of a redirect may be a page for browsers; then its Location alone is the answer.
		const isPageBeside = status >= 300 && isWebPage(answer);
		if (text.trim() === '' || isPageBeside) return { status, headers, body: undefined };
		if (isWebPage(answer)) throw unusable('a web page instead of data');
		let body: unknown;
		try {
			body = JSON.parse(text);
		} catch {
			body = undefined;
		}
		if (body === undefined) throw unusable('something that is not JSON');
		return { status, headers, body };
	}

	private page(call: PreparedCall, answer: ServiceAnswer): Page<unknown> {
		const { body } = answer;
		if (Array.isArray(body)) return { items: body, nextPageLink: null };
		if (body !== null && typeof body === 'object' && 'items' in body && Array.isArray(body.items)) {
			const link = 'nextPageLink' in body ? body.nextPageLink : null;
			return {
				items: body.items,
				nextPageLink: typeof link === 'string' && link !== '' ? link : null,
			};
		}
		const what = body === undefined ? 'nothing at all' : 'data that is not a list';
		throw this.unusableAnswer(call, answer, what);
	}

	/**
	 * The query of a next page. The address itself is not used: a link may name another host, and the
	 * credential must not go there. Only hosts are compared, because links carry an explicit `:443`
	 * (service.md 1.2).
	 */
	private nextPageQuery(link: string, request: RequestDescription): string {
		const base = new URL(this.session.connection.root);
		let next: URL | undefined;
		try {
			next = new URL(link, base);
		} catch {
			next = undefined;
		}
		if (next?.hostname !== base.hostname) {
			throw new ServiceError({
				message: 'The list continues at another address than the service',
				description: `Its next page is at "${next?.hostname ?? 'an unreadable address'}". It was not read, because the key must not be sent there.`,
				httpCode: undefined,
				replayable: false,
				outcomeUnknown: false,
				request,
				serviceErrors: [],
			});
		}
		return next.search;
	}

	private redacted(error: ServiceError): ServiceError {
		return new ServiceError(this.redactor.value(error.details));
	}
}

/** Whether the service answered the call on purpose, and not with a refusal or a detour. */
function isAnswer(endpoint: Endpoint, answer: HttpResponse): boolean {
	const { status, headers, text } = answer;
	if (status < 300) return true;
	if (status < 400) {
		const isMatch = personOfAddress(headers.location) !== undefined || holdsMatchStub(text);
		return endpoint.redirects === true && isMatch;
	}
	return status === 404 && endpoint.answers404 === true && holdsMatchStub(text);
}

/** Bytes to upload; of a form, those of its files. */
function sizeOf(content: Buffer | FormData): number {
	if ('length' in content) return content.length;
	let bytes = 0;
	for (const value of content.values()) if (typeof value !== 'string') bytes += value.size;
	return bytes;
}

function queryString(query: QueryValues | undefined): string {
	const given = Object.entries(query ?? {}).filter(
		(entry): entry is [string, string | number | boolean] => {
			const value = entry[1];
			return value !== undefined && value !== '';
		},
	);
	if (given.length === 0) return '';
	return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
