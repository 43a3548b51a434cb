import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
	expandedSections,
	findPersonOfSegment,
	forbidden,
	methodNotAllowed,
	notFound,
	numericId,
	page,
	PAGING_PARAMETERS,
	personOfSegment,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { parseBody } from '../wire/requestBody';
import { RequestRejected } from '../wire/requestRejected';
import { findMatchingPerson } from '../store/matching';
import { createPerson, mergePerson } from '../store/people';
import { type PersonInput, validatePersonInput } from '../store/personInput';
import type { StoredPerson } from '../store/tenantStore';
import { PERSON_SECTIONS, personResponse } from './personResponse';
import { strictObject } from '../wire/strictObject';

function validInput(call: ApiCall): PersonInput {
	return validatePersonInput(call.body, call.vocabulary, call.store);
}

function location(call: ApiCall, person: StoredPerson): Record<string, string> {
	return { location: `${call.baseUrl}/people/${person.nativeId}` };
}

/** How a match is answered differs between sources (service.md 10); the tenant's style decides. */
function matchResponse(call: ApiCall, person: StoredPerson): ApiResponse {
	const stub = { nativeId: person.nativeId, status: 'Matched' };
	switch (call.tenant.styles.matchResponses) {
		case 'redirect':
			return { status: 302, headers: location(call, person), body: stub };
		case 'stub':
			return { status: 200, body: stub };
		case 'person':
			return { status: 200, body: personResponse(person) };
	}
}

/** Recorded for vanId 0 on find (service.md 4.2): the caller's mistake, answered 500. */
function refuseZeroId(input: PersonInput): void {
	if (input.nativeId !== 0) return;
	throw new RequestRejected(500, [
		{
			code: 'INTERNAL_SERVER_ERROR',
			text: 'An unexpected error occurred.',
			referenceCode: 'SANDBOX-ZERO-ID',
		},
	]);
}

function find(call: ApiCall): ApiResponse {
	const input = validInput(call);
	refuseZeroId(input);
	const person = findMatchingPerson(call.store, input);
	if (person) return matchResponse(call, person);
	return { status: 404, body: { nativeId: null, status: 'Unmatched' } };
}

async function findOrCreate(call: ApiCall): Promise<ApiResponse> {
	const input = validInput(call);
	const person = findMatchingPerson(call.store, input);
	const { findOrCreateGapMs } = call.tenant.styles;
	if (findOrCreateGapMs > 0) await sleep(findOrCreateGapMs);
	if (person) {
		if (call.tenant.styles.matchUpdates) mergePerson(call.store, person, input);
		return matchResponse(call, person);
	}
	const created = createPerson(call.store, input);
	return {
		status: 201,
		headers: location(call, created),
		body: { nativeId: created.nativeId, status: 'UnmatchedStored' },
	};
}

function create(call: ApiCall): ApiResponse {
	const created = createPerson(call.store, validInput(call));
	return {
		status: 201,
		headers: location(call, created),
		body: { nativeId: created.nativeId, status: 'Stored' },
	};
}

function update(call: ApiCall): ApiResponse {
	if (call.version === 'v2' && !call.tenant.styles.peopleUpdatedByPost) {
		throw methodNotAllowed('POST', ['GET', 'PUT', 'PATCH', 'DELETE']);
	}
	const person = personOfSegment(call);
	mergePerson(call.store, person, validInput(call));
	return matchResponse(call, person);
}

/** PUT and PATCH by the general conventions of service.md 1.1; both merge, as POST does. */
function updateByConvention(call: ApiCall): ApiResponse {
	const person = personOfSegment(call);
	mergePerson(call.store, person, validInput(call));
	return { status: 200, body: personResponse(person) };
}

function get(call: ApiCall): ApiResponse {
	const sections = expandedSections(call, PERSON_SECTIONS);
	if (sections.has('scores')) throw forbidden("Access to 'scores' is restricted");
	if (sections.has('pollingLocation')) {
		throw RequestRejected.badRequest("'pollingLocation' is not available in this database", [
			'$expand',
		]);
	}
	return { status: 200, body: personResponse(personOfSegment(call), sections) };
}

const SEARCH_PARAMETERS = [
	'firstName',
	'lastName',
	'middleName',
	'streetAddress',
	'city',
	'stateOrProvince',
	'zipOrPostalCode',
	'phoneNumber',
	'email',
	'commonName',
	'officialName',
] as const;

function searchValues(
	person: StoredPerson,
	parameter: (typeof SEARCH_PARAMETERS)[number],
): Array<string | number | boolean | null | undefined> {
	switch (parameter) {
		case 'streetAddress':
			return person.addresses.map((address) => address.addressLine1);
		case 'city':
		case 'stateOrProvince':
		case 'zipOrPostalCode':
			return person.addresses.map((address) => address[parameter]);
		case 'phoneNumber':
			return person.phones.map((phone) => phone.phoneNumber);
		case 'email':
			return person.emails.map((email) => email.email);
		case 'commonName':
			return [person.fields.organizationContactCommonName];
		case 'officialName':
			return [person.fields.organizationContactOfficialName];
		default:
			return [person.fields[parameter]];
	}
}

function search(call: ApiCall): ApiResponse {
	const criteria = SEARCH_PARAMETERS.filter((name) => call.query[name] !== undefined);
	if (criteria.length === 0) {
		throw RequestRejected.badRequest(
			'At least one search criterion is required',
			[...SEARCH_PARAMETERS],
			`Give one of ${SEARCH_PARAMETERS.join(', ')}`,
		);
	}
	const people = [...call.store.people.values()].filter((person) =>
		criteria.every((name) => {
			const wanted = (call.query[name] ?? '').toLowerCase();
			return searchValues(person, name).some((value) =>
				String(value ?? '')
					.toLowerCase()
					.startsWith(wanted),
			);
		}),
	);
	const sections = expandedSections(call, PERSON_SECTIONS);
	return page(
		call,
		people.map((person) => personResponse(person, sections)),
	);
}

function applyCode(call: ApiCall): ApiResponse {
	const person = personOfSegment(call);
	const { codeId } = parseBody(
		strictObject({ codeId: z.number().int() }),
		call.body,
		call.vocabulary,
	);
	const code = call.store.codes.get(codeId);
	if (!code) throw RequestRejected.badRequest("'codeId' is not a code of this tenant", ['codeId']);
	const isApplicable =
		code.codeType === 'SourceCode' ||
		code.supportedEntities.some((entity) => entity.name === 'Contacts' && entity.isApplicable);
	if (!isApplicable) {
		throw RequestRejected.badRequest("'codeId' cannot be applied to contacts", ['codeId']);
	}
	if (!person.codeIds.includes(codeId)) person.codeIds.push(codeId);
	return { status: 204 };
}

function removeCode(call: ApiCall): ApiResponse {
	const person = personOfSegment(call);
	const codeId = numericId(call.params.codeId);
	if (!person.codeIds.includes(codeId)) throw notFound();
	person.codeIds = person.codeIds.filter((held) => held !== codeId);
	return { status: 204 };
}

const noteSchema = strictObject({
	text: z.string().min(1),
	isViewRestricted: z.boolean().optional(),
	category: strictObject({ noteCategoryId: z.number().int() }).optional(),
});

function addNote(call: ApiCall): ApiResponse {
	const person = personOfSegment(call);
	const { text, isViewRestricted } = parseBody(noteSchema, call.body, call.vocabulary);
	person.notes.push({
		noteId: call.store.nextId('note'),
		text,
		isViewRestricted: isViewRestricted ?? false,
	});
	return { status: 204 };
}

function remove(call: ApiCall): ApiResponse {
	const person = findPersonOfSegment(call);
	if (!person) throw notFound();
	call.store.people.delete(person.nativeId);
	return { status: 204 };
}

export const peopleRoutes: readonly Route[] = [
	{ method: 'POST', path: '/people/find', category: 'low', handle: find },
	{
		method: 'POST',
		path: '/people/findOrCreate',
		category: 'low',
		isFindOrCreate: true,
		handle: findOrCreate,
	},
	// Not in the list of Low endpoints (service.md 8.1), hence medium.
	{
		method: 'POST',
		path: '/contacts/findOrCreate',
		isFindOrCreate: true,
		versions: ['v2'],
		handle: findOrCreate,
	},
	{ method: 'POST', path: '/people/create', handle: create },
	{
		method: 'GET',
		path: '/people',
		query: [...SEARCH_PARAMETERS, ...PAGING_PARAMETERS, '$expand'],
		handle: search,
	},
	{ method: 'GET', path: '/people/:person', query: ['$expand'], handle: get },
	{ method: 'POST', path: '/people/:person', handle: update },
	{ method: 'PUT', path: '/people/:person', versions: ['v2'], handle: updateByConvention },
	{ method: 'PATCH', path: '/people/:person', versions: ['v2'], handle: updateByConvention },
	{ method: 'DELETE', path: '/people/:person', handle: remove },
	{ method: 'POST', path: '/people/:person/codes', handle: applyCode },
	{ method: 'DELETE', path: '/people/:person/codes/:codeId', handle: removeCode },
	{ method: 'POST', path: '/people/:person/notes', handle: addNote },
	{
		method: 'GET',
		path: '/people/:person/notes',
		query: PAGING_PARAMETERS,
		handle: (call) => page(call, personOfSegment(call).notes),
	},
];
