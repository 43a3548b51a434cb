import { z, type ZodType, type ZodTypeDef } from 'zod';

import { CallStats } from '../transport/callStats';
import type { Clock } from '../transport/clock';
import { ConcurrencyLimiter, sharedConcurrencyLimiter } from '../transport/concurrencyLimiter';
import { CallCancelled } from '../transport/cancellation';
import type { HttpRequest, HttpResponse } from '../transport/httpRequest';
import { type MonthlyVolume, sharedMonthlyVolume, VolumeUsedUp } from '../transport/monthlyVolume';
import { nextPage, pageOf, readAllPages } from './listPages';
import { sharedRateLimiter } from '../transport/rateLimiter';
import { MOST_IN_FLIGHT } from '../transport/requestsInFlight';
import { createRedactor, type Redactor } from '../transport/redaction';
import type { RetryClass } from '../transport/retry';
import { CallFailed, type CallSettings, requestWithRetries } from '../transport/requestWithRetries';
import { rethrow } from '../transport/rethrow';
import type { Limiter } from '../transport/permitQueue';
import { failureError } from './failureErrors';
import {
	addressTooLong,
	noSuchPersonError,
	rejectionError,
	unforeseenError,
	unusableResponseError,
	volumeUsedUpError,
} from './callErrors';
import type { Connection, ServiceSession } from './connection';
import { buildPath, type Endpoint } from './endpoints';
import { FileTransfer } from './fileTransfer';
import {
	type CallValues,
	type NativeService,
	type Page,
	prepareCall,
	type PreparedCall,
	queryString,
	retryClassOf,
	type ServiceResponse,
} from './nativeService';
import { type RateLimit, rateLimitOf, monthlyRequestsOf } from './rateTiers';
import { readJsonBody } from './jsonText';
import { reportsErrors } from './errorEnvelope';
import { isExpectedResponse, namesNobody } from './personMatch';
import { type RequestDescription, ServiceError } from './serviceErrors';

/** The response to the start of a job, whatever else is wrong with it. */
const startedJobSchema = z.object({ jobId: z.number().int().positive() });

/** A response, and whether an earlier attempt may have succeeded. */
type RetriedResponse = HttpResponse & { mayHaveRunBefore: boolean };

type ParsedResponse = Omit<ServiceResponse, 'mayHaveRunBefore'>;

/** Statistics of the calls that share one rate limit. */
export interface RateLimitTraffic {
	rateLimit: RateLimit;
	stats: CallStats;
}

/** Servers reject longer addresses; to encode and check one could stop n8n. */
const LONGEST_ADDRESS = 16_000;

/** The largest page the service allows: service.md 1.2. */
const PAGE_SIZE = 200;

const JSON_TYPE = 'application/json';

/** The calls of one execution of a node, over HTTP. */
export class ServiceClient implements NativeService {
	/** What the calls of this session did, by rate limit. */
	readonly traffic: RateLimitTraffic[] = [];

	readonly redactor: Redactor;

	onRequest: (() => void) | undefined;

	readonly files: FileTransfer;

	private readonly volume: MonthlyVolume;

	/** Most calls at a time. */
	readonly maxConcurrentRequests: number;

	/** Keeps the calls within a limit that the user set. */
	private readonly ownLimiter: Limiter | undefined;

	private readonly results = new Map<unknown, unknown>();

	/** By rate limit and retry class. */
	private readonly settings = new Map<string, CallSettings>();

	constructor(private readonly session: ServiceSession) {
		const { connection, clock, wallClock } = session;
		this.redactor = createRedactor(connection.secrets);
		this.files = new FileTransfer(session);
		this.volume = sharedMonthlyVolume(connection.rateIdentity, wallClock);
		this.maxConcurrentRequests = session.maxConcurrentRequests ?? MOST_IN_FLIGHT;
		if (this.maxConcurrentRequests < MOST_IN_FLIGHT)
			this.ownLimiter = new ConcurrencyLimiter(clock, this.maxConcurrentRequests);
	}

	/** Requests of this process with the key this month, and their limit. */
	get monthlyVolume(): { used: number; limit: number } {
		const { ratePlan } = this.session.connection;
		return { used: this.volume.used, limit: monthlyRequestsOf(ratePlan) };
	}

	get inFlight(): number {
		return this.traffic.reduce((sum, { stats }) => sum + stats.inFlight, 0);
	}

	get vocabulary(): Connection['vocabulary'] {
		return this.session.connection.vocabulary;
	}

	get target(): Connection['target'] {
		return this.session.connection.target;
	}

	get clock(): Clock {
		return this.session.clock;
	}

	/** Whether a call that may change something was sent. */
	hasWritten = false;

	get signal(): AbortSignal | undefined {
		return this.session.signal;
	}

	once<T>(key: unknown, read: () => T): T {
		if (!this.results.has(key)) this.results.set(key, read());
		return this.results.get(key) as T;
	}

	describe({ endpoint, path, query, body }: PreparedCall): RequestDescription {
		return this.redactor.with(body).value({
			method: endpoint.method,
			path: `${buildPath(endpoint, path)}${queryString(query)}`,
			...(body !== undefined && { body }),
		});
	}

	async call(call: PreparedCall): Promise<ServiceResponse> {
		return await this.send(call, queryString(call.query));
	}

	async read<E extends Endpoint, T>(
		endpoint: E,
		values: CallValues<E>,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): Promise<T> {
		const call = prepareCall(endpoint, values);
		const response = await this.call(call);
		return await this.afterSending(call, () => this.parse(call, response, shape));
	}

	async afterSending<T>(
		call: PreparedCall,
		work: () => T | Promise<T>,
		response?: ServiceResponse,
	): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (error instanceof ServiceError || error instanceof CallCancelled) rethrow(error);
			const method = call.endpoint.method;
			const request = { method, path: buildPath(call.endpoint, call.path) };
			const started = startedJobSchema.safeParse(response?.body).data;
			rethrow(
				this.redact(
					call,
					unforeseenError(error, request, retryClassOf(call), {
						httpCode: response?.status,
						jobId: started?.jobId,
					}),
				),
			);
		}
	}

	parse<T>(
		call: PreparedCall,
		response: ServiceResponse,
		shape: ZodType<T, ZodTypeDef, unknown>,
	): T {
		const parseBody = shape.safeParse(response.body);
		if (parseBody.success) return parseBody.data;
		const what = response.body === undefined ? 'nothing at all' : 'data of an unknown shape';
		throw this.unusableResponse(call, response, what);
	}

	unusableResponse(call: PreparedCall, response: ServiceResponse, what: string): ServiceError {
		const { status, headers, body } = response;
		const text =
			body === undefined ? '' : JSON.stringify(this.redactor.with(call.body).value(body));
		return unusableResponseError(
			{ status, headers, text },
			this.describe(call),
			retryClassOf(call),
			what,
		);
	}

	async *list<E extends Endpoint>(
		endpoint: E,
		values: CallValues<E>,
		anyName = false,
	): AsyncGenerator<unknown> {
		yield* readAllPages(async (link) => await this.readPage(endpoint, values, link, anyName));
	}

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
		const nextQuery = link === undefined ? queryString(call.query) : this.nextQuery(link, call);
		const response = await this.send(call, nextQuery);
		const page = pageOf(response.body, anyName);
		if (page) return page;
		const what = response.body === undefined ? 'nothing at all' : 'data that is not a list';
		throw this.unusableResponse(call, response, what);
	}

	private nextQuery(link: string, call: PreparedCall): string {
		const { query, hostname } = nextPage(link, this.session.connection.root);
		if (query !== undefined) return query;
		throw new ServiceError({
			message: 'The list continues at another address than the service',
			description: `Its next page is at "${hostname}". It was not read, because the key must not be sent there.`,
			request: this.describe(call),
		});
	}

	private async send(call: PreparedCall, query: string): Promise<ServiceResponse> {
		const { connection, timeoutMs } = this.session;
		const { endpoint, body } = call;
		if (endpoint.keepsAddress) this.redactor.hideUrlSecrets(body);
		const url = `${connection.root}${buildPath(endpoint, call.path)}${query}`;
		if (url.length > LONGEST_ADDRESS) throw addressTooLong();
		const request: HttpRequest = {
			method: endpoint.method,
			url,
			accept: JSON_TYPE,
			timeoutMs,
			...(body !== undefined && { jsonBody: JSON.stringify(body) }),
		};
		const settings = this.settingsOf(
			rateLimitOf(connection.ratePlan, endpoint),
			retryClassOf(call),
		);
		return await this.afterSending(call, async () =>
			this.readResponse(call, await this.exchange(call, request, settings)),
		);
	}

	private settingsOf(rateLimit: RateLimit, retryClass: RetryClass): CallSettings {
		const key = `${rateLimit.name} ${retryClass}`;
		let settings = this.settings.get(key);
		if (!settings) {
			const mostRequests = monthlyRequestsOf(this.session.connection.ratePlan);
			settings = {
				...this.session,
				limiter: this.limiterOf(rateLimit),
				retryClass,
				countRequest: () => {
					this.volume.countRequest(mostRequests);
					this.hasWritten ||= retryClass !== 'read';
				},
				stats: this.statsOf(rateLimit),
			};
			this.settings.set(key, settings);
		}
		return settings;
	}

	private async exchange(
		call: PreparedCall,
		request: HttpRequest,
		settings: CallSettings,
	): Promise<RetriedResponse> {
		const permit = await this.ownLimiter?.acquire(settings.signal);
		try {
			return await requestWithRetries(request, settings, call.mayHaveRunBefore);
		} catch (error) {
			if (error instanceof CallFailed)
				rethrow(this.redact(call, failureError(error, this.describe(call))));
			if (error instanceof VolumeUsedUp) {
				const used = volumeUsedUpError(this.monthlyVolume.limit, this.describe(call));
				rethrow(used.with({ outcomeUnknown: call.mayHaveRunBefore === true }));
			}
			return rethrow(error);
		} finally {
			permit?.release('completed');
		}
	}

	private readResponse(call: PreparedCall, response: RetriedResponse): ServiceResponse {
		const { endpoint } = call;
		// An earlier attempt whose response was lost may have deleted the record.
		if (endpoint.method === 'DELETE' && response.status === 404 && response.mayHaveRunBefore)
			return { status: 204, headers: {}, body: undefined, mayHaveRunBefore: true };
		const parseBody = isExpectedResponse(endpoint, response)
			? this.parseBody(response, call)
			: undefined;
		if (parseBody === undefined || reportsErrors(endpoint, parseBody))
			throw this.redact(call, rejectionError(response, this.describe(call), retryClassOf(call)));
		if (namesNobody(endpoint, parseBody.body))
			throw noSuchPersonError(response.status, this.describe(call));
		return { ...parseBody, mayHaveRunBefore: response.mayHaveRunBefore };
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
		const stats = new CallStats(() => this.onRequest?.());
		this.traffic.push({ rateLimit, stats });
		return stats;
	}

	private parseBody(response: HttpResponse, call: PreparedCall): ParsedResponse {
		const { status, headers } = response;
		const { body, instead } = readJsonBody(response);
		if (instead === undefined) return { status, headers, body };
		throw this.redact(
			call,
			unusableResponseError(response, this.describe(call), retryClassOf(call), instead),
		);
	}

	/** The service may repeat an address of the body in its response. */
	private redact({ body }: PreparedCall, error: ServiceError): ServiceError {
		return error.with(this.redactor.with(body).value(error.details));
	}
}
