import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
	bodyOf,
	created,
	expandedSections,
	NO_CONTENT,
	ok,
	page,
	PAGING_PARAMETERS,
	personOfSegment,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { badRequest, forbidden, methodNotAllowed, RequestRejected } from '../wire/requestRejected';
import { findMatchingPerson } from '../store/matching';
import { createPerson, mergePerson } from '../store/people';
import { type PersonInput, validatePersonInput } from '../store/personInput';
import type { StoredPerson } from '../store/tenantStore';
import { PERSON_SECTIONS, personResponse } from './personResponse';
import { reference, strictObject } from '../wire/schemas';

function validInput(call: ApiCall): PersonInput {
	return validatePersonInput(call.body, call.vocabulary, call.store.setup);
}

function createdResponse(call: ApiCall, { nativeId }: StoredPerson, status: string): ApiResponse {
	return created(call, `/people/${nativeId}`, { nativeId, status });
}

/** Sources disagree on the response to a match (service.md 10); the tenant's style decides. */
function matchResponse(call: ApiCall, person: StoredPerson): ApiResponse {
	switch (call.tenant.styles.matchResponses) {
		case 'redirect':
			return { ...createdResponse(call, person, 'Matched'), status: 302 };
		case 'stub':
			return ok({ nativeId: person.nativeId, status: 'Matched' });
		case 'person':
			return ok(personResponse(person));
	}
}

function find(call: ApiCall): ApiResponse {
	const input = validInput(call);
	// Recorded for vanId 0 (service.md 4.2): a mistake of the caller, yet 500.
	if (input.nativeId === 0) {
		const text = 'An unexpected error occurred.';
		const referenceCode = 'SANDBOX-ZERO-ID';
		throw new RequestRejected(500, [{ code: 'INTERNAL_SERVER_ERROR', text, referenceCode }]);
	}
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
		mergePerson(call.store, person, input);
		return matchResponse(call, person);
	}
	return createdResponse(call, createPerson(call.store, input), 'UnmatchedStored');
}

function create(call: ApiCall): ApiResponse {
	return createdResponse(call, createPerson(call.store, validInput(call)), 'Stored');
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
	return ok(personResponse(mergePerson(call.store, person, validInput(call))));
}

function get(call: ApiCall): ApiResponse {
	const sections = expandedSections(call, PERSON_SECTIONS);
	if (sections.has('scores')) throw forbidden("Access to 'scores' is restricted");
	if (sections.has('pollingLocation')) {
		throw badRequest("'pollingLocation' is not available in this database", ['$expand']);
	}
	const person = personOfSegment(call);
	const contributions = [...(call.store.records.get('contributions')?.values() ?? [])];
	const own = contributions.filter(({ nativeId }) => nativeId === person.nativeId);
	return ok(personResponse(person, sections, own));
}

function listActivistCodes(call: ApiCall): ApiResponse {
	const { activistCodes } = call.store.setup;
	return page(
		call,
		personOfSegment(call).activistCodes.map(({ activistCodeId, ...applied }) => ({
			activistCodeId,
			activistCodeName: activistCodes.find((code) => code.activistCodeId === activistCodeId)?.name,
			...applied,
		})),
	);
}

/** What a person holds for each search parameter; a value matches by its beginning. */
const SEARCH_VALUES: Record<string, (person: StoredPerson) => unknown[]> = {
	firstName: ({ fields }) => [fields.firstName],
	lastName: ({ fields }) => [fields.lastName],
	middleName: ({ fields }) => [fields.middleName],
	streetAddress: ({ addresses }) => addresses.map((address) => address.addressLine1),
	city: ({ addresses }) => addresses.map((address) => address.city),
	stateOrProvince: ({ addresses }) => addresses.map((address) => address.stateOrProvince),
	zipOrPostalCode: ({ addresses }) => addresses.map((address) => address.zipOrPostalCode),
	phoneNumber: ({ phones }) => phones.map((phone) => phone.phoneNumber),
	email: ({ emails }) => emails.map((email) => email.email),
	commonName: ({ fields }) => [fields.organizationContactCommonName],
	officialName: ({ fields }) => [fields.organizationContactOfficialName],
};
const SEARCH_PARAMETERS = Object.keys(SEARCH_VALUES);

function search(call: ApiCall): ApiResponse {
	const criteria = Object.entries(SEARCH_VALUES).flatMap(([name, valuesOf]) => {
		const wanted = call.query[name]?.toLowerCase();
		return wanted === undefined ? [] : [{ wanted, valuesOf }];
	});
	if (criteria.length === 0) {
		throw badRequest(
			'At least one search criterion is required',
			SEARCH_PARAMETERS,
			`Give one of ${SEARCH_PARAMETERS.join(', ')}`,
		);
	}
	const people = [...call.store.people.values()].filter((person) =>
		criteria.every(({ wanted, valuesOf }) =>
			valuesOf(person).some((value) =>
				String(value ?? '')
					.toLowerCase()
					.startsWith(wanted),
			),
		),
	);
	const sections = expandedSections(call, PERSON_SECTIONS);
	return page(
		call,
		people.map((person) => personResponse(person, sections)),
	);
}

function applyCode(call: ApiCall): ApiResponse {
	const person = personOfSegment(call);
	const { codeId } = bodyOf(call, reference('codeId'));
	const code = call.store.codes.get(codeId);
	if (!code) throw badRequest("'codeId' is not a code of this tenant", ['codeId']);
	const isApplicable =
		code.codeType === 'SourceCode' ||
		code.supportedEntities.some((entity) => entity.name === 'Contacts' && entity.isApplicable);
	if (!isApplicable) {
		throw badRequest("'codeId' cannot be applied to contacts", ['codeId']);
	}
	if (!person.codeIds.includes(codeId)) person.codeIds.push(codeId);
	return NO_CONTENT;
}

const noteSchema = strictObject({
	text: z.string().min(1),
	isViewRestricted: z.boolean().default(false),
	category: reference('noteCategoryId').optional(),
});

function addNote(call: ApiCall): ApiResponse {
	const person = personOfSegment(call);
	const { text, isViewRestricted } = bodyOf(call, noteSchema);
	person.notes.push({ noteId: call.store.nextId('note'), text, isViewRestricted });
	return NO_CONTENT;
}

function remove(call: ApiCall): ApiResponse {
	call.store.people.delete(personOfSegment(call).nativeId);
	return NO_CONTENT;
}

export const peopleRoutes: readonly Route[] = [
	route('POST', '/people/find', find, { category: 'low' }),
	route('POST', '/people/findOrCreate', findOrCreate, { category: 'low', isFindOrCreate: true }),
	// Not in the list of Low endpoints (service.md 8.1), hence medium.
	route('POST', '/contacts/findOrCreate', findOrCreate, {
		isFindOrCreate: true,
		versions: ['v2'],
	}),
	route('POST', '/people/create', create),
	route('GET', '/people', search, {
		query: [...SEARCH_PARAMETERS, ...PAGING_PARAMETERS, '$expand'],
	}),
	route('GET', '/people/:person', get, { query: ['$expand'] }),
	route('POST', '/people/:person', update),
	route('PUT', '/people/:person', updateByConvention, { versions: ['v2'] }),
	route('PATCH', '/people/:person', updateByConvention, { versions: ['v2'] }),
	route('DELETE', '/people/:person', remove),
	route('GET', '/people/:person/activistCodes', listActivistCodes, { query: PAGING_PARAMETERS }),
	route('POST', '/people/:person/codes', applyCode),
	route('POST', '/people/:person/notes', addNote),
	route('GET', '/people/:person/notes', (call) => page(call, personOfSegment(call).notes), {
		query: PAGING_PARAMETERS,
	}),
];
