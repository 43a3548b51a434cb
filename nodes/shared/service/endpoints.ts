import type { RetryClass } from '../transport/retry';
import { InvalidInput } from './invalidInput';

/** service.md 8.1. */
export type RateCategory = 'high' | 'medium' | 'low';

/** The methods of the general conventions: service.md 1.1. */
export type ConventionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
	method: ConventionMethod;
	/** Relative to base URL and version; `{name}` is one segment, `{person}` a {@link PersonReference}. */
	path: string;
	category: RateCategory;
	retry: RetryClass;
	/** Looks for a person and may store one: has a limit of its own in service.md 8.3. */
	matchesPeople?: true;
	/** Responds to a match with a redirect to the person (service.md 4.4). */
	redirects?: true;
	/** The response may hold nothing but the status and the errors of an import job. */
	isOfJob?: true;
	/** 404 with a match stub or a NOT_FOUND envelope means that no person was found. */
	expects404?: true;
	/** The record keeps an address of the body, which later responses may repeat. */
	keepsAddress?: true;
	/** A list without paging options: a bare array (service.md 1.2). */
	isUnpaged?: true;
}

/** Retry class of a call of which only the method is known. */
export const retryOfMethod: Record<ConventionMethod, RetryClass> = {
	GET: 'read',
	PUT: 'safe',
	DELETE: 'safe',
	POST: 'unsafe',
	PATCH: 'unsafe',
};

/** A call that is Medium and retried by its method, with the exceptions that are documented. */
const callsBy =
	(method: ConventionMethod) =>
	<const Path extends string>(
		path: Path,
		exceptions: Partial<Omit<Endpoint, 'method' | 'path'>> = {},
	): Endpoint & { path: Path } => ({
		method,
		path,
		category: 'medium',
		retry: retryOfMethod[method],
		...exceptions,
	});
const get = callsBy('GET');
const post = callsBy('POST');
const put = callsBy('PUT');
const patch = callsBy('PATCH');
const del = callsBy('DELETE');

/**
 * Every call of the service: method, path, rate category (service.md 8.1: Medium unless listed as High
 * or Low) and retry class (by the method unless it is named). No other file contains a path.
 */
export const endpoints = {
	// Bulk import: service.md 2 and 3. No idempotency keys: a job sent twice creates two jobs.
	createBulkImportJob: post('/bulkImportJobs', { category: 'low', keepsAddress: true }),
	// A general convention of service.md 1.1; some deployments lack it.
	listBulkImportJobs: get('/bulkImportJobs'),
	getBulkImportJob: get('/bulkImportJobs/{jobId}', { category: 'low', isOfJob: true }),
	listBulkImportResources: get('/bulkImportJobs/resources', { category: 'low', isUnpaged: true }),
	listBulkImportMappingTypes: get('/bulkImportMappingTypes', { category: 'low', isUnpaged: true }),
	getBulkImportMappingType: get('/bulkImportMappingTypes/{mappingTypeName}', { category: 'low' }),
	listBulkImportFieldValues: get('/bulkImportMappingTypes/{mappingTypeName}/{fieldName}/values', {
		category: 'low',
	}),

	// People: service.md 4.
	findPerson: post('/people/find', {
		category: 'low',
		retry: 'read',
		redirects: true,
		expects404: true,
	}),
	// Safe only for a person above the minimum match combination; otherwise the caller overrides it.
	findOrCreatePerson: post('/people/findOrCreate', {
		category: 'low',
		retry: 'safe',
		matchesPeople: true,
		redirects: true,
	}),
	findOrCreateContact: post('/contacts/findOrCreate', {
		retry: 'safe',
		matchesPeople: true,
		redirects: true,
	}),
	// Never looks for a duplicate, but returns the match for a person ID in the body.
	createPerson: post('/people/create', { redirects: true }),
	getPerson: get('/people/{person}'),
	// Merges the values into the person; identical contact methods are not stored twice.
	updatePerson: post('/people/{person}', { retry: 'safe', redirects: true }),
	// service.md 1.1: what is left out stays. Values set twice are the same.
	patchPerson: patch('/people/{person}', { retry: 'safe' }),
	// Suppresses; 403 without the right.
	deletePerson: del('/people/{person}'),
	listPersonActivistCodes: get('/people/{person}/activistCodes'),
	// A person has a code or not: applying it twice changes nothing.
	applyCode: post('/people/{person}/codes', { retry: 'safe' }),

	// Canvass responses: service.md 5. One sent twice may count twice.
	createCanvassResponse: post('/people/{person}/canvassResponses', { category: 'high' }),
	listContactTypes: get('/canvassResponses/contactTypes', { isUnpaged: true }),
	listInputTypes: get('/canvassResponses/inputTypes', { isUnpaged: true }),
	listResultCodes: get('/canvassResponses/resultCodes', { isUnpaged: true }),
	listActivistCodes: get('/activistCodes'),
	getActivistCode: get('/activistCodes/{activistCodeId}'),
	listSurveyQuestions: get('/surveyQuestions'),
	getSurveyQuestion: get('/surveyQuestions/{surveyQuestionId}'),

	// Codes: service.md 6. Names are not unique: a code sent twice creates two codes.
	createCode: post('/codes'),
	listCodes: get('/codes'),
	getCode: get('/codes/{codeId}'),
	updateCode: put('/codes/{codeId}'),
	deleteCode: del('/codes/{codeId}'),
	listSupportedEntities: get('/codes/supportedEntities', { isUnpaged: true }),
	listCodeTypes: get('/codeTypes', { isUnpaged: true }),

	// What a key opens: service.md 7.2. Some deployments lack it.
	listApiKeyProfiles: get('/apiKeyProfiles', { isUnpaged: true }),
} satisfies Record<string, Endpoint>;

type SegmentNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
	? Name | SegmentNames<Rest>
	: never;

/** A person by the service's own number or by an ID of another system: service.md 4.1. */
export type PersonReference = number | { personIdType: string; personId: string };

export function formatPerson(person: PersonReference): string {
	return typeof person === 'number' ? String(person) : `${person.personIdType}:${person.personId}`;
}

type PathValues<E extends Endpoint> = {
	[Name in SegmentNames<E['path']>]: Name extends 'person' ? PersonReference : string | number;
};

function encodeSegment(field: string, value: string | number | undefined): string {
	const segment = String(value ?? '').trim();
	const text = 'is empty or cannot be part of an address. Enter the ID or name of the record.';
	if (/^\.{0,2}$|\p{Surrogate}/u.test(segment)) throw new InvalidInput([{ field, text }]);
	return encodeURIComponent(segment);
}

/**
 * A path whose encoded values cannot leave their segments. Throws InvalidInput for an empty value, for `.`
 * and `..`, which encoding does not protect, and for lone surrogates, which cannot be encoded.
 */
export function buildPath<E extends Endpoint>(endpoint: E, values: PathValues<E>): string {
	const given: Record<string, PersonReference | string> = values;
	return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = given[name];
		return typeof value === 'object'
			? `${encodeSegment('personIdType', value.personIdType)}:${encodeSegment('personId', value.personId)}`
			: encodeSegment(name, value);
	});
}

/** Matches values of a name in braces; IDs differ from words, as in `/people/find` and `/people/7`. */
function valuePattern(name: string): string {
	if (name === 'person') return '(\\d+|.+:.+)';
	return name.endsWith('Id') ? '\\d+' : '.+';
}

function matches(endpoint: Endpoint, segments: readonly string[]): boolean {
	const templates = endpoint.path.slice(1).split('/');
	return (
		templates.length === segments.length &&
		templates.every((template, index) => {
			const pattern = template.replace(/\{(\w+)\}/g, (_, name: string) => valuePattern(name));
			// The server ignores case in paths, and so must the rate limit.
			return new RegExp(`^${pattern}$`, 'is').test(segments[index] ?? '');
		})
	);
}

/**
 * A call by the general conventions of service.md 1.1, on any path: as in the table above, or Medium and
 * retried by method. Throws like {@link buildPath}.
 */
export function conventionEndpoint(
	method: ConventionMethod,
	segments: readonly string[],
): Endpoint {
	const listed: Endpoint | undefined = Object.values<Endpoint>(endpoints).find(
		(endpoint) => endpoint.method === method && matches(endpoint, segments),
	);
	return {
		category: 'medium',
		...listed,
		// The unchecked body decides whether a person could be stored twice.
		retry: listed && !listed.matchesPeople ? listed.retry : retryOfMethod[method],
		method,
		path: segments.map((segment) => `/${encodeSegment('path', segment)}`).join(''),
	};
}

export type QueryValues = Record<string, string | number | boolean | undefined>;

/** Without values that are empty. */
export function queryString(query: QueryValues = {}): string {
	const given = new URLSearchParams();
	for (const [name, value] of Object.entries(query))
		if (value !== undefined && value !== '') given.append(name, String(value));
	return given.size === 0 ? '' : `?${given.toString()}`;
}

export interface CallValues<E extends Endpoint> {
	path: PathValues<E>;
	query?: QueryValues;
	body?: unknown;
}

export interface PreparedCall extends CallValues<Endpoint> {
	endpoint: Endpoint;
	/** Whether the service may have executed the call in an earlier try of the run. */
	mayHaveRunBefore?: boolean;
	/** Called after each attempt that the service has executed, or may have. */
	onMayHaveRun?: () => void;
}

export function prepareCall<E extends Endpoint>(endpoint: E, values: CallValues<E>): PreparedCall {
	return { endpoint, ...values };
}
