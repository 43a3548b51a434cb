import type { z } from 'zod';
import type { DatabaseMode, Version } from '../tenants/authentication';
import { HtmlRejected, NOT_FOUND_PAGE } from '../wire/htmlResponses';
import type { RateCategory } from '../tenants/rateGate';
import { parseBody } from '../wire/requestBody';
import { badRequest, notFound } from '../wire/requestRejected';
import type { StoredPerson, TenantStore } from '../store/tenantStore';
import { findPersonByIdentifier } from '../store/matching';
import type { Tenant } from '../tenants/tenants';
import type { Vocabulary } from '../wire/vocabulary';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One authenticated, admitted call. */
export interface ApiCall {
	tenant: Tenant;
	store: TenantStore;
	mode: DatabaseMode;
	version: Version;
	vocabulary: Vocabulary;
	/** Scheme, host, port and version as the caller wrote them; port always explicit. */
	baseUrl: string;
	path: string;
	params: Record<string, string>;
	query: Record<string, string>;
	body: unknown;
}

/** What a route returns; a body is sent as JSON, with `nativeId` in the vocabulary of the version. */
export interface ApiResponse {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
}

/** @throws RequestRejected 400 with one entry per problem. */
export function bodyOf<Schema extends z.ZodTypeAny>(
	{ body, vocabulary }: ApiCall,
	schema: Schema,
): z.output<Schema> {
	return parseBody(schema, body, vocabulary);
}

type Handler = (call: ApiCall) => ApiResponse | Promise<ApiResponse>;

interface RouteOptions {
	/** service.md 8.1; medium unless listed there. */
	category?: RateCategory;
	/** Counts as findOrCreate in the earlier guidance (service.md 8.3). */
	isFindOrCreate?: boolean;
	/** Query parameters it knows, or `any`; others are rejected. */
	query?: readonly string[] | 'any';
	/** Versions that have it; both unless said. */
	versions?: readonly Version[];
}

/** One endpoint under the version prefix. */
export interface Route extends RouteOptions {
	method: HttpMethod;
	path: string;
	handle: Handler;
}

export function route(
	method: HttpMethod,
	path: string,
	handle: Handler,
	options: RouteOptions = {},
): Route {
	return { method, path, handle, ...options };
}

export const NO_CONTENT: ApiResponse = { status: 204 };

export function ok(body: unknown): ApiResponse {
	return { status: 200, body };
}

/** @param path of the new record, after the version */
export function created(call: ApiCall, path: string, body?: unknown): ApiResponse {
	return { status: 201, headers: { location: `${call.baseUrl}${path}` }, body };
}

/** @throws RequestRejected 404 where there is none. */
export function found<Item>(item: Item | undefined): Item {
	if (item === undefined) throw notFound();
	return item;
}

const MAX_ID = 2_147_483_647;

/** The id in a numeric path segment; anything else matches no route of the service. */
export function numericId(segment: string | undefined): number {
	const id = /^\d{1,10}$/.test(segment ?? '') ? Number(segment) : Number.NaN;
	if (!(id <= MAX_ID)) throw new HtmlRejected(NOT_FOUND_PAGE);
	return id;
}

/** The person a `{nativeId}` or `{personIdType}:{personId}` segment names, if the tenant has it. */
export function findPersonOfSegment(call: ApiCall): StoredPerson | undefined {
	const segment = call.params.person ?? '';
	const colon = segment.indexOf(':');
	return colon < 0
		? call.store.people.get(numericId(segment))
		: findPersonByIdentifier(call.store, segment.slice(0, colon), segment.slice(colon + 1));
}

/** @throws RequestRejected 404 where the tenant has no such person. */
export function personOfSegment(call: ApiCall): StoredPerson {
	return found(findPersonOfSegment(call));
}

export const PAGING_PARAMETERS = ['$top', '$skip'] as const;
const DEFAULT_PAGE = 50;
const MAX_PAGE = 200;

function pagingNumber(call: ApiCall, name: string, fallback: number, min: number, max: number) {
	const text = call.query[name];
	if (text === undefined) return fallback;
	const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
	if (value >= min && value <= max) return value;
	throw badRequest(
		`'${name}' is out of range`,
		[name],
		`Default ${fallback}, minimum ${min}, maximum ${max}`,
	);
}

/**
 * One page of a list in the service's envelope (service.md 1.2): `count` is the size of the whole
 * collection; `nextPageLink` is absolute, with an explicit port and unescaped `$`.
 */
export function page(call: ApiCall, items: readonly unknown[]): ApiResponse {
	const top = pagingNumber(call, '$top', DEFAULT_PAGE, 1, MAX_PAGE);
	const skip = pagingNumber(call, '$skip', 0, 0, MAX_ID);
	const next = skip + top;
	const otherParameters = Object.entries(call.query)
		.filter(([name]) => name !== '$top' && name !== '$skip')
		.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
		.join('');
	return ok({
		items: items.slice(skip, next),
		nextPageLink:
			next < items.length
				? `${call.baseUrl}${call.path}?$top=${top}&$skip=${next}${otherParameters}`
				: null,
		count: items.length,
	});
}

export function integerParameter(call: ApiCall, name: string): number | undefined {
	const text = call.query[name];
	if (text === undefined) return undefined;
	if (!/^\d+$/.test(text)) throw badRequest(`'${name}' must be an integer`, [name]);
	return Number(text);
}

/** The sections of `$expand`, in the spelling of the resource that has them (service.md 1.3). */
export function expandedSections(call: ApiCall, allowed: readonly string[]): Set<string> {
	const wanted = (call.query.$expand ?? '')
		.split(',')
		.map((section) => section.trim())
		.filter(Boolean);
	return new Set(
		wanted.map((section) => {
			const known = allowed.find((name) => name.toLowerCase() === section.toLowerCase());
			if (known !== undefined) return known;
			throw badRequest(
				`'${section}' cannot be expanded`,
				['$expand'],
				`Allowed: ${allowed.join(', ')}`,
			);
		}),
	);
}
