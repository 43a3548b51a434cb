import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { HttpResponse } from '../transport/httpRequest';
import type { Endpoint, PersonReference } from './endpoints';
import { saysNotFound } from './errorEnvelope';
import type { Person } from './personSchema';
import { isObject } from './requestBody';
import { wholeId } from './bodySchema';
import type { Vocabulary } from './vocabulary';

/** Result of a call that looks for a person. */
type MatchStatus = 'matched' | 'created' | 'notFound';

interface PersonMatch {
	matchStatus: MatchStatus;
	/**
	 * The service's own ID; null if no person was found, or the call named the person by another ID
	 * only.
	 */
	personId: number | null;
	/**
	 * Other properties of the person in the response, which depend on the deployment (service.md 4.7): none
	 * in a stub.
	 */
	person: IDataObject;
}

/** What the service returns for a match instead of the person: service.md 4.4 to 4.6. */
const stubSchema = z
	.object({ status: z.string().regex(/matched|stored|created|not[ _]?found/i) })
	.passthrough();

const NOT_FOUND = /^(unmatched|not[ _]?found)$/i;

/** Whether a response body is a match stub, not an error or a web page. */
function holdsMatchStub(text: string): boolean {
	try {
		return stubSchema.safeParse(JSON.parse(text)).success;
	} catch {
		return false;
	}
}

/** Whether a body is a stub that says there is no such person, and nothing else. */
function isUnmatchedStub(body: unknown): boolean {
	const stub = stubSchema.safeParse(body).data;
	if (!stub || !NOT_FOUND.test(stub.status)) return false;
	return Object.entries(stub).every(([name, value]) => name === 'status' || value === null);
}

/** The person in a URL, such as the `Location` of a redirect. */
export function personOfAddress(address: string | undefined): number | undefined {
	return wholeId(/^[^?#]*\/people\/(\d+)\/?(?:[?#]|$)/i.exec(address ?? '')?.[1]);
}

/** Whether the service says that the person whom a write names does not exist. */
export function namesNobody({ retry, matchesPeople }: Endpoint, body: unknown): boolean {
	return retry !== 'read' && !matchesPeople && isUnmatchedStub(body);
}

/** Whether the service itself responded to the call, without a rejection or an unexpected redirect. */
export function isExpectedResponse(endpoint: Endpoint, response: HttpResponse): boolean {
	const { status, headers, text } = response;
	if (status < 300) return true;
	if (status < 400) {
		const isMatch = personOfAddress(headers.location) !== undefined || holdsMatchStub(text);
		return endpoint.redirects === true && isMatch;
	}
	return (
		status === 404 && endpoint.expects404 === true && (holdsMatchStub(text) || saysNotFound(text))
	);
}

function statusOf(httpStatus: number, said: string | undefined): MatchStatus {
	// The words of service.md 4.4 to 4.6: Matched, Unmatched, UnmatchedStored, Stored.
	if (said !== undefined && /(stored|created)$/i.test(said)) return 'created';
	if (said !== undefined && NOT_FOUND.test(said)) return 'notFound';
	if (httpStatus === 404) return 'notFound';
	return httpStatus === 201 ? 'created' : 'matched';
}

/**
 * Reads the known responses to a match: a redirect with a stub or only a `Location`, a stub, a full
 * person, or not found (service.md 4.4, 4.5 and 10).
 * @param named the person the call named, for responses that omit it
 * @returns undefined if the response should name a person and does not
 */
export function readPersonMatch(
	response: { status: number; headers: Record<string, string>; body: unknown },
	vocabulary: Vocabulary,
	named?: PersonReference,
): PersonMatch | undefined {
	const body = isObject(response.body) ? response.body : {};
	const stub = stubSchema.safeParse(body).data;
	const matchStatus = statusOf(response.status, stub?.status);
	if (matchStatus === 'notFound') return { matchStatus, personId: null, person: {} };
	const personId =
		wholeId(body[vocabulary.personId]) ??
		personOfAddress(response.headers.location) ??
		(typeof named === 'number' ? named : null);
	if (personId === null && named === undefined) return undefined;
	return { matchStatus, personId, person: stub ? {} : body };
}

type MatchPart = 'email' | 'phone' | 'firstName' | 'lastName' | 'dateOfBirth' | 'zip' | 'street';

/**
 * The minimum for which the service looks for a person: service.md 4.3. Its combinations of a name with
 * an email or a phone are omitted, because either is enough alone.
 */
const matchCombinations: ReadonlyArray<readonly MatchPart[]> = [
	['email'],
	['phone'],
	['firstName', 'lastName', 'dateOfBirth', 'zip'],
	['firstName', 'lastName', 'zip', 'street'],
];

const partNames: Record<MatchPart, string> = {
	email: 'an email',
	phone: 'a phone number',
	firstName: 'the first name',
	lastName: 'the last name',
	dateOfBirth: 'the date of birth',
	zip: 'a ZIP code of five digits',
	street: 'the street and number at that ZIP code',
};

type Address = NonNullable<Person['addresses']>[number];

function partsGiven(person: Person, address: Address): Record<MatchPart, boolean> {
	return {
		email: (person.emails ?? []).length > 0,
		phone: (person.phones ?? []).length > 0,
		firstName: person.firstName !== undefined,
		lastName: person.lastName !== undefined,
		dateOfBirth: person.dateOfBirth !== undefined,
		zip: /^\d{5}/.test(address.zipOrPostalCode ?? ''),
		street: /^\d\S*\s+\S/.test(address.addressLine1 ?? ''),
	};
}

/** What the person lacks of each combination; street and ZIP code must be in one address. */
function missingParts(person: Person): MatchPart[][] {
	const addresses = person.addresses?.length ? person.addresses : [{}];
	return matchCombinations.map((combination) =>
		addresses
			.map((address) => {
				const given = partsGiven(person, address);
				return combination.filter((part) => !given[part]);
			})
			.reduce((least, missing) => (missing.length < least.length ? missing : least)),
	);
}

/**
 * Whether the service looks for this person. Below the minimum every findOrCreate stores a new one. The
 * service's own ID does not count: an unknown one is ignored (service.md 4.5).
 */
export function isMatchable(person: Person): boolean {
	return missingParts(person).some((missing) => missing.length === 0);
}

function enumeration(words: string[]): string {
	return words.length < 2
		? words.join('')
		: `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** The three nearest ways to make the person matchable: `an email; or …`. */
export function missingForMatch(person: Person): string {
	return missingParts(person)
		.sort((a, b) => a.length - b.length)
		.slice(0, 3)
		.map((missing) => enumeration(missing.map((part) => partNames[part])))
		.join('; or ');
}
