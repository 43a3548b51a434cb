import type { IHttpRequestMethods } from 'n8n-workflow';

import type { RetryClass } from '../transport/retry';

/** Rate category of a call: service.md 8.1. */
export type RateCategory = 'high' | 'medium' | 'low';

export interface Endpoint {
	method: IHttpRequestMethods;
	/** Below base address and version; `{name}` stands for one segment, `{person}` for a {@link PersonReference}. */
	path: string;
	category: RateCategory;
	retry: RetryClass;
	/** Looks for a person and may store one: the earlier guidance (service.md 8.3) counts these apart. */
	matchesPeople?: true;
	/** Answers a match with a redirect to the person (service.md 4.4); it is an answer, not a detour. */
	redirects?: true;
	/** Status 404 with a match stub or a NOT_FOUND envelope means that nobody was found. */
	answers404?: true;
	/** Its record may have a property `errors` of its own. */
	recordHasErrors?: true;
}

/**
 * Every call of the interface: method, path, rate category (service.md 8.1: what is named neither
 * High nor Low is Medium) and whether it may be sent again. Nothing else in the package spells a path.
 */
export const endpoints = {
	// Bulk import: service.md 2 and 3. No idempotency keys: a job sent twice is two jobs.
	createBulkImportJob: {
		method: 'POST',
		path: '/bulkImportJobs',
		category: 'low',
		retry: 'unsafe',
	},
	// By the general conventions of service.md 1.1; not every deployment has it.
	listBulkImportJobs: {
		method: 'GET',
		path: '/bulkImportJobs',
		category: 'medium',
		retry: 'read',
	},
	getBulkImportJob: {
		method: 'GET',
		path: '/bulkImportJobs/{jobId}',
		category: 'low',
		retry: 'read',
		recordHasErrors: true,
	},
	listBulkImportResources: {
		method: 'GET',
		path: '/bulkImportJobs/resources',
		category: 'low',
		retry: 'read',
	},
	listBulkImportMappingTypes: {
		method: 'GET',
		path: '/bulkImportMappingTypes',
		category: 'low',
		retry: 'read',
	},
	getBulkImportMappingType: {
		method: 'GET',
		path: '/bulkImportMappingTypes/{mappingTypeName}',
		category: 'low',
		retry: 'read',
	},
	listBulkImportFieldValues: {
		method: 'GET',
		path: '/bulkImportMappingTypes/{mappingTypeName}/{fieldName}/values',
		category: 'low',
		retry: 'read',
	},

	// People: service.md 4.
	findPerson: {
		method: 'POST',
		path: '/people/find',
		category: 'low',
		retry: 'read',
		redirects: true,
		answers404: true,
	},
	// Safe only for a person above the minimum match combination; the caller says so where it is not.
	findOrCreatePerson: {
		method: 'POST',
		path: '/people/findOrCreate',
		category: 'low',
		retry: 'safe',
		matchesPeople: true,
		redirects: true,
	},
	findOrCreateContact: {
		method: 'POST',
		path: '/contacts/findOrCreate',
		category: 'medium',
		retry: 'safe',
		matchesPeople: true,
		redirects: true,
	},
	// Never looks for a duplicate, but answers a person ID in the body with the match it is.
	createPerson: {
		method: 'POST',
		path: '/people/create',
		category: 'medium',
		retry: 'unsafe',
		redirects: true,
	},
	getPerson: { method: 'GET', path: '/people/{person}', category: 'medium', retry: 'read' },
	// Merges what is given into the person; identical contact methods are not stored twice.
	updatePerson: {
		method: 'POST',
		path: '/people/{person}',
		category: 'medium',
		retry: 'safe',
		redirects: true,
	},
	// A person has a code or has not: twice leaves the same as once.
	applyCode: { method: 'POST', path: '/people/{person}/codes', category: 'medium', retry: 'safe' },

	// Canvass responses: service.md 5. A post sent twice may count twice.
	createCanvassResponse: {
		method: 'POST',
		path: '/people/{person}/canvassResponses',
		category: 'high',
		retry: 'unsafe',
	},
	listContactTypes: {
		method: 'GET',
		path: '/canvassResponses/contactTypes',
		category: 'medium',
		retry: 'read',
	},
	listInputTypes: {
		method: 'GET',
		path: '/canvassResponses/inputTypes',
		category: 'medium',
		retry: 'read',
	},
	listResultCodes: {
		method: 'GET',
		path: '/canvassResponses/resultCodes',
		category: 'medium',
		retry: 'read',
	},
	listActivistCodes: { method: 'GET', path: '/activistCodes', category: 'medium', retry: 'read' },
	getActivistCode: {
		method: 'GET',
		path: '/activistCodes/{activistCodeId}',
		category: 'medium',
		retry: 'read',
	},
	listSurveyQuestions: {
		method: 'GET',
		path: '/surveyQuestions',
		category: 'medium',
		retry: 'read',
	},
	getSurveyQuestion: {
		method: 'GET',
		path: '/surveyQuestions/{surveyQuestionId}',
		category: 'medium',
		retry: 'read',
	},

	// Codes: service.md 6. Names are not unique: a code sent twice is two codes.
	createCode: { method: 'POST', path: '/codes', category: 'medium', retry: 'unsafe' },
	listCodes: { method: 'GET', path: '/codes', category: 'medium', retry: 'read' },
	getCode: { method: 'GET', path: '/codes/{codeId}', category: 'medium', retry: 'read' },
	updateCode: { method: 'PUT', path: '/codes/{codeId}', category: 'medium', retry: 'safe' },
	deleteCode: { method: 'DELETE', path: '/codes/{codeId}', category: 'medium', retry: 'safe' },
	listSupportedEntities: {
		method: 'GET',
		path: '/codes/supportedEntities',
		category: 'medium',
		retry: 'read',
	},
	listCodeTypes: { method: 'GET', path: '/codeTypes', category: 'medium', retry: 'read' },
} as const satisfies Record<string, Endpoint>;

/** The names in braces of a path. */
type SegmentNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
	? Name | SegmentNames<Rest>
	: never;

/** A person by the service's own number or by an ID of another system: service.md 4.1. */
export type PersonReference = number | { personIdType: string; personId: string };

/** A person as the last part of a path shows it: `7` or `crmid:A-1`. */
export function formatPerson(person: PersonReference): string {
	return typeof person === 'number' ? String(person) : `${person.personIdType}:${person.personId}`;
}

/** A value for each name in braces of an endpoint's path. */
export type PathValues<E extends Endpoint> = {
	[Name in SegmentNames<E['path']>]: Name extends 'person' ? PersonReference : string | number;
};

/** A value that cannot stand in a path. */
export class InvalidPathValue extends Error {
	constructor(readonly segment: string) {
		super(`The value for ${segment} cannot be part of an address.`);
		this.name = 'InvalidPathValue';
	}
}

function encodeSegment(name: string, value: string | number | undefined): string {
	const text = String(value ?? '').trim();
	if (/^\.{0,2}$|\p{Surrogate}/u.test(text)) throw new InvalidPathValue(name);
	return encodeURIComponent(text);
}

/**
 * The path of a call with every value encoded so that it cannot leave its segment.
 * Throws {@link InvalidPathValue} for an empty value, for `.` and `..`, which no encoding protects,
 * and for halves of surrogate pairs, which have none.
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

/** The methods of the general conventions: service.md 1.1. */
export type ConventionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const conventionRetry: Record<ConventionMethod, RetryClass> = {
	GET: 'read',
	PUT: 'safe',
	DELETE: 'safe',
	POST: 'unsafe',
	PATCH: 'unsafe',
};

/** What may stand for a name in braces; IDs are told from words, as in `/people/find` and `/people/7`. */
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
			// The addressed server does not tell cases apart, and neither may the pace.
			return new RegExp(`^${pattern}$`, 'is').test(segments[index] ?? '');
		})
	);
}

/**
 * A call by the general conventions of service.md 1.1, on a path of any length: Medium, retried by its
 * method. A call that stands in the table above keeps the pace and retry class it has there.
 * @param segments the parts of the path, as they are meant, not encoded
 */
export function conventionCall(
	method: ConventionMethod,
	segments: readonly string[],
): { endpoint: Endpoint; path: Record<string, string> } {
	const listed: Endpoint | undefined = Object.values<Endpoint>(endpoints).find(
		(endpoint) => endpoint.method === method && matches(endpoint, segments),
	);
	const names = segments.map((_, index) => `part${index + 1}`);
	return {
		endpoint: {
			category: 'medium',
			...(method === 'GET' && { recordHasErrors: true }),
			...listed,
			// Whether a person can be stored twice is decided by a body that nobody has checked here.
			retry: listed && !listed.matchesPeople ? listed.retry : conventionRetry[method],
			method,
			path: names.map((name) => `/{${name}}`).join(''),
		},
		path: Object.fromEntries(names.map((name, index) => [name, segments[index] ?? ''])),
	};
}
