import type { ZodType, ZodTypeDef } from 'zod';

import { CallCancelled } from '../transport/cancellation';
import type { Clock } from '../transport/clock';
import { type HttpRequest, type HttpResponse, sendRequest } from '../transport/httpRequest';
import { type KeyLimits, keyLimitsOf, type RateLimit, VolumeUsedUp } from '../transport/keyLimits';
import type { Limiter } from '../transport/permitQueue';
import { Redactor } from '../transport/redaction';
import { MOST_IN_FLIGHT } from '../transport/requestsInFlight';
import { CallFailed, CallStats, sendWithRetries } from '../transport/requestWithRetries';
import { ResponseTurns } from '../transport/responseTurns';
import { rethrow } from '../transport/rethrow';
import {
	addressTooLong,
	failureError,
	noSuchPersonError,
	rejectionError,
	unforeseenError,
	unusableResponseError,
	volumeUsedUpError,
} from './callErrors';
import type { ServiceLimits, ServiceSession, Target, Vocabulary } from './connection';
import {
	buildPath,
	type CallValues,
	type Endpoint,
	prepareCall,
	type PreparedCall,
	queryString,
} from './endpoints';
import { isExpectedResponse, reportsErrors } from './errorEnvelope';
import { FileTransfer } from './fileTransfer';
import { readJsonBody } from './jsonText';
import { jobCreatedSchema } from './importJobRecord';
import { type OnPart, type Page, pageOf, readAllPages } from './listPages';
import { namesNobody } from './personMatch';
import { maxConcurrentOf, monthlyRequestsOf, rateLimitOf } from './rateTiers';
import { isWebPage, type RequestDescription, ServiceError } from './serviceErrors';

/** The job that a response says was started, whatever else is wrong. */
function startedJobOf(body: unknown): number | undefined {
	return jobCreatedSchema.safeParse(body).data?.jobId;
}

/** Whether a path ends in another; servers encode paths differently, and some end them in a slash. */
function isPathEnd(path: string, end: string): boolean {
	const [whole = '', last = ''] = [path, end].map((each) => unescape(each).toLowerCase());
	return whole.replace(/\/$/, '').endsWith(last);
}

export interface ServiceResponse {
	status: number;
	headers: Record<string, string>;
	/** Whether an earlier attempt got no usable response and may have succeeded. */
	mayHaveRunBefore: boolean;
	/** The JSON body; undefined if the response has none. */
	body: unknown;
}

export interface RateLimitTraffic {
	rateLimit: RateLimit;
	limiter: Limiter;
	stats: CallStats;
}

/** Servers reject longer addresses; to encode and check one could stop n8n. */
const LONGEST_ADDRESS = 16_000;
/** Once a key was accepted, one alone may be a mistake of the service. */
const MOST_REFUSALS = 3;

/** The largest that the service allows: service.md 1.2. */
const PAGE_SIZE = 200;

/**
 * The service for one execution of a node. Sends every call within the key's rate limit, retries it if
 * that is safe, and returns a checked response or throws a {@link ServiceError}.
 */
export class NativeService {
	readonly vocabulary: Vocabulary;
	readonly target: Target;
	readonly limits: ServiceLimits;
	readonly clock: Clock;
	/** Aborts when the execution is cancelled. */
	readonly signal: AbortSignal | undefined;
	readonly redactor: Redactor;
	readonly files: FileTransfer;
	readonly traffic: RateLimitTraffic[] = [];
	/** More items at a time would only wait for each other. */
	readonly maxConcurrentRequests: number;
	/** Whether a call that may change something was sent. */
	hasWritten = false;
	onRequest: (() => void) | undefined;
	private readonly keyLimits: KeyLimits;
	private readonly responseTurns: ResponseTurns;
	private readonly results = new Map<unknown, unknown>();
	/** The response to a wrong key, which is not tried again with every other call. */
	private refusal: HttpResponse | undefined;
	private refusals = 0;
	private isKeyAccepted = false;

	constructor(private readonly session: ServiceSession) {
		const { connection, clock, wallClock } = session;
		this.vocabulary = connection.vocabulary;
		this.target = connection.target;
		this.limits = connection.limits;
		this.clock = clock;
		this.signal = session.signal;
		this.redactor = new Redactor(connection.secrets);
		this.files = new FileTransfer(session);
		this.responseTurns = new ResponseTurns(clock);
		this.keyLimits = keyLimitsOf(connection.rateIdentity, wallClock());
		this.maxConcurrentRequests = maxConcurrentOf(connection.ratePlan) ?? MOST_IN_FLIGHT;
	}

	get monthlyVolume(): { used: number; limit: number } {
		const { connection, wallClock } = this.session;
		const used = this.keyLimits.usedInMonth(wallClock());
		return { used, limit: monthlyRequestsOf(connection.ratePlan) };
	}

	get inFlight(): number {
		return this.traffic.reduce((sum, { stats }) => sum + stats.inFlight, 0);
	}

	/** How many calls per second the key's rate limit allows; a limit of concurrent calls as if each took a second. */
	rateOf(endpoint: Endpoint): { name: string; perSecond: number } {
		const { name, ...limit } = rateLimitOf(this.session.connection.ratePlan, endpoint);
		return { name, perSecond: 'perSecond' in limit ? limit.perSecond : limit.maxConcurrent };
	}

	/** What the service says of a key that it does not accept, or no longer. */
	private get refused(): HttpResponse | undefined {
		return this.isKeyAccepted && this.refusals < MOST_REFUSALS ? undefined : this.refusal;
	}

	/** What `read` gives the first time, for the rest of the session, e.g. a list of the service. */
	once<T>(key: unknown, read: () => T): T {
		if (!this.results.has(key)) this.results.set(key, read());
		return this.results.get(key) as T;
	}

	/** The request of a call, without secrets. */
	describe({ endpoint, path, query, body }: PreparedCall): RequestDescription {
		return this.redactor.with(body).value({
			method: endpoint.method,
			path: `${buildPath(endpoint, path)}${queryString(query)}`,
			...(body !== undefined && { body }),
		});
	}

	/** Sends a call. Throws ServiceError, InvalidInput, or CallCancelled. */
	async call(call: PreparedCall, query = queryString(call.query)): Promise<ServiceResponse> {
		const { connection, timeoutMs } = this.session;
		const { endpoint, body } = call;
		if (endpoint.keepsAddress) this.redactor.hideUrlSecrets(body);
		const url = `${connection.root}${buildPath(endpoint, call.path)}${query}`;
		if (url.length > LONGEST_ADDRESS) throw addressTooLong();
		const request: HttpRequest = {
			method: endpoint.method,
			url,
			accept: 'application/json',
			timeoutMs,
			...(body !== undefined && { jsonBody: JSON.stringify(body) }),
		};
		return await this.afterSending(call, async () => {
			const response = await this.exchange(call, request);
			await this.responseTurns.next();
			return this.readResponse(call, response);
		});
	}

	/** @param shape a schema as lenient as the documentation is vague */
	async read<E extends Endpoint, T>(
		endpoint: E,
		values: CallValues<E>,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): Promise<T> {
		const call = prepareCall(endpoint, values);
		const response = await this.call(call);
		return await this.afterSending(call, () => this.parse(call, response, shape), response);
	}

	/** Throws ServiceError for a response of another shape. */
	parse<T>(
		call: PreparedCall,
		response: ServiceResponse,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): T {
		const { data } = shape.safeParse(response.body);
		if (data === undefined) throw this.unreadable(call, response, 'data of an unknown shape');
		return data;
	}

	/** Runs what follows a call. An unforeseen error here says that the call may have succeeded. */
	async afterSending<T>(
		call: PreparedCall,
		work: () => T | Promise<T>,
		response?: ServiceResponse,
	): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (error instanceof CallCancelled) rethrow(error);
			const { endpoint, path, body } = call;
			const request = { method: endpoint.method, path: buildPath(endpoint, path) };
			const known = { httpCode: response?.status, jobId: startedJobOf(response?.body) };
			const failure =
				error instanceof ServiceError
					? error
					: unforeseenError(error, request, endpoint.retry, known);
			// The service may repeat an address of the body in its response.
			rethrow(failure.with(this.redactor.with(body).value(failure.details)));
		}
	}

	/** @param what the service returned instead of something that can be used */
	unusableResponse(call: PreparedCall, response: ServiceResponse, what: string): ServiceError {
		const { status, headers, body } = response;
		const text =
			body === undefined ? '' : JSON.stringify(this.redactor.with(call.body).value(body));
		const { retry } = call.endpoint;
		return unusableResponseError({ status, headers, text }, this.describe(call), retry, what);
	}

	private unreadable(call: PreparedCall, response: ServiceResponse, what: string): ServiceError {
		const isEmpty = response.body === undefined;
		return this.unusableResponse(call, response, isEmpty ? 'nothing at all' : what);
	}

	/**
	 * @param onPart called if not all entries may be there; undefined only where absence decides nothing
	 * @param anyName whether the list may have another name than `items`
	 */
	async *list<E extends Endpoint>(
		endpoint: E,
		values: CallValues<E>,
		onPart: OnPart | undefined,
		anyName = false,
	): AsyncGenerator<unknown> {
		const readPage = async (link: string | undefined) =>
			await this.readPage(endpoint, values, link, anyName);
		// A list that is read from its middle lacks entries in any case.
		const isWhole = !('$skip' in ({ ...values }.query ?? {}));
		yield* readAllPages(readPage, isWhole ? onPart : undefined);
	}

	/** @param link of the page; undefined for the first */
	async readPage<E extends Endpoint>(
		endpoint: E,
		values: CallValues<E>,
		link: string | undefined,
		anyName = false,
	): Promise<Page<unknown>> {
		const call = prepareCall(endpoint, {
			...values,
			...(!endpoint.isUnpaged && { query: { $top: PAGE_SIZE, ...values.query } }),
		});
		const response = await this.call(call, link && this.nextQuery(link, call));
		const page = pageOf(response.body, anyName);
		if (page) return page;
		throw this.unreadable(call, response, 'data that is not a list');
	}

	/**
	 * The query of a next page. Compares hosts and the end of paths only: links carry an explicit `:443`
	 * (service.md 1.2), and a gateway can change how paths begin.
	 */
	private nextQuery(link: string, call: PreparedCall): string {
		const path = buildPath(call.endpoint, call.path);
		const address = `${this.session.connection.root}${path}`;
		const next = URL.canParse(link, address) ? new URL(link, address) : undefined;
		const request = this.describe(call);
		if (next?.hostname !== new URL(address).hostname)
			throw new ServiceError({
				message: 'The list continues at another address than the service',
				description: `Its next page is at "${next?.hostname ?? 'an unreadable address'}". It was not read, because the key must not be sent there.`,
				request,
			});
		if (isPathEnd(next.pathname, path)) return next.search;
		throw new ServiceError({
			message: 'The list continues at another path of the service',
			description: `Its next page is at "${next.pathname.slice(0, 200)}". It was not read, because it may belong to another list. Read a part of the list with Limit and filters.`,
			request,
		});
	}

	private async exchange(call: PreparedCall, request: HttpRequest) {
		const mayHaveRunBefore = call.mayHaveRunBefore === true;
		if (this.refused) return { ...this.refused, mayHaveRunBefore };
		const { retry } = call.endpoint;
		const { limiter, stats } = this.trafficOf(call.endpoint);
		const { limit } = this.monthlyVolume;
		const countRequest = (): void => {
			this.keyLimits.countRequest(limit, this.session.wallClock());
			this.hasWritten ||= retry !== 'read';
		};
		const { onMayHaveRun } = call;
		const ofCall = { limiter, stats, retryClass: retry, countRequest, onMayHaveRun };
		const settings = { ...this.session, ...ofCall };
		try {
			const response = await sendWithRetries(
				settings,
				// The key may be refused while this call waits.
				async () => this.refused ?? (await sendRequest(this.session.sender, request, this.signal)),
				mayHaveRunBefore,
			);
			const isRefused = response.status === 401;
			this.refusals = isRefused ? this.refusals + 1 : 0;
			if (isRefused) this.refusal = response;
			else this.isKeyAccepted ||= !isWebPage(response);
			return response;
		} catch (error) {
			if (error instanceof CallFailed) rethrow(failureError(error, this.describe(call)));
			if (error instanceof VolumeUsedUp) {
				rethrow(volumeUsedUpError(limit, mayHaveRunBefore, this.describe(call)));
			}
			return rethrow(error);
		}
	}

	/** @param response says whether an earlier attempt may have succeeded */
	private readResponse(
		call: PreparedCall,
		response: HttpResponse & { mayHaveRunBefore: boolean },
	): ServiceResponse {
		const { endpoint } = call;
		const { status, headers, mayHaveRunBefore } = response;
		// An earlier attempt whose response was lost may have deleted the record.
		if (endpoint.method === 'DELETE' && status === 404 && mayHaveRunBefore)
			return { status, headers, body: undefined, mayHaveRunBefore };
		if (!isExpectedResponse(endpoint, response))
			throw rejectionError(response, this.describe(call), endpoint.retry);
		const { body, instead } = readJsonBody(response);
		if (instead !== undefined)
			throw unusableResponseError(response, this.describe(call), endpoint.retry, instead);
		if (reportsErrors(endpoint, { status, body })) {
			const error = rejectionError(response, this.describe(call), endpoint.retry);
			const jobId = startedJobOf(body);
			if (jobId === undefined) throw error;
			const { description } = error.details;
			const job = ` It started import job ${jobId}: read that job's status before you start another.`;
			throw error.with({ jobId, description: `${description}${job}` });
		}
		if (namesNobody(endpoint, body)) throw noSuchPersonError(status, this.describe(call));
		return { status, headers, body, mayHaveRunBefore };
	}

	private trafficOf(endpoint: Endpoint): RateLimitTraffic {
		const { connection, clock, random } = this.session;
		const rateLimit = rateLimitOf(connection.ratePlan, endpoint);
		const known = this.traffic.find((each) => each.rateLimit.name === rateLimit.name);
		if (known) return known;
		const limiter = this.keyLimits.limiterOf(rateLimit, clock, random);
		const traffic = { rateLimit, limiter, stats: new CallStats(() => this.onRequest?.()) };
		this.traffic.push(traffic);
		return traffic;
	}
}
