import { minBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Endpoint, PersonReference } from './endpoints';
import { parseJson } from './jsonText';
import type { Person } from './personSchema';
import { isObject } from './requestBody';
import { wholeId } from './bodySchema';
import type { Vocabulary } from './connection';

type MatchStatus = 'matched' | 'created' | 'notFound';

interface PersonMatch {
	matchStatus: MatchStatus;
	/** The service's own ID; null if no person was found, or the call named another ID only. */
	personId: number | null;
	/** The person in the response, as the deployment writes it (service.md 4.7); empty for a stub. */
	person: IDataObject;
}

/** What the service returns for a match instead of the person: service.md 4.4 to 4.6. */
const stubSchema = z
	.object({ status: z.string().regex(/matched|stored|created|not[ _]?found/i) })
	.passthrough();

const NOT_FOUND = /^(unmatched|not[ _]?found)$/i;

export function holdsMatchStub(text: string): boolean {
	return stubSchema.safeParse(parseJson(text)).success;
}

export function personOfAddress(address: string | undefined): number | undefined {
	return wholeId(/^[^?#]*\/people\/(\d+)\/?(?:[?#]|$)/i.exec(address ?? '')?.[1]);
}

/** Whether the service says that the person whom a write names does not exist. */
export function namesNobody({ retry, matchesPeople }: Endpoint, body: unknown): boolean {
	if (retry === 'read' || matchesPeople) return false;
	const { status = '', ...others } = stubSchema.safeParse(body).data ?? {};
	return NOT_FOUND.test(status) && Object.values(others).every((value) => value === null);
}

function statusOf(httpStatus: number, said: string | undefined): MatchStatus {
	// The words of service.md 4.4 to 4.6: Matched, Unmatched, UnmatchedStored, Stored.
	if (said !== undefined && /(stored|created)$/i.test(said)) return 'created';
	if (said !== undefined && NOT_FOUND.test(said)) return 'notFound';
	if (httpStatus === 404) return 'notFound';
	return httpStatus === 201 ? 'created' : 'matched';
}

/**
 * Reads a redirect with a stub or only a `Location`, a stub, a full person, or not found (service.md 4.4,
 * 4.5 and 10). Undefined if the response should name a person and does not.
 * @param named the person the call named, for responses that omit it
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

type Address = NonNullable<Person['addresses']>[number];

/** What the service looks for people by: its name, and whether a person has it. */
const matchParts = {
	email: ['an email', ({ emails = [] }) => emails.length > 0],
	phone: ['a phone number', ({ phones = [] }) => phones.length > 0],
	firstName: ['the first name', ({ firstName }) => firstName !== undefined],
	lastName: ['the last name', ({ lastName }) => lastName !== undefined],
	dateOfBirth: ['the date of birth', ({ dateOfBirth }) => dateOfBirth !== undefined],
	zip: [
		'a ZIP code of five digits',
		(_, { zipOrPostalCode = '' }) => /^\d{5}/.test(zipOrPostalCode),
	],
	street: [
		'the street and number at that ZIP code',
		(_, { addressLine1 = '' }) => /^\d\S*\s+\S/.test(addressLine1),
	],
} satisfies Record<string, [name: string, isGiven: (person: Person, address: Address) => boolean]>;

type MatchPart = keyof typeof matchParts;

/** The minimum of service.md 4.3, where an email or a phone is enough without a name. */
const matchCombinations: ReadonlyArray<readonly MatchPart[]> = [
	['email'],
	['phone'],
	['firstName', 'lastName', 'dateOfBirth', 'zip'],
	['firstName', 'lastName', 'zip', 'street'],
];

/** What the person lacks of each combination; street and ZIP code must be in one address. */
function missingParts(person: Person): MatchPart[][] {
	const addresses = person.addresses?.length ? person.addresses : [{}];
	return matchCombinations.map((combination) => {
		const missing = addresses.map((address) =>
			combination.filter((part) => !matchParts[part][1](person, address)),
		);
		return minBy(missing, 'length') ?? [];
	});
}

/**
 * Below the minimum every findOrCreate stores a new person. The service's own ID does not count: an
 * unknown one is ignored (service.md 4.5).
 */
export function isMatchable(person: Person): boolean {
	return missingParts(person).some((missing) => missing.length === 0);
}

/** The three nearest ways to make the person matchable: `an email; or …`. */
export function missingForMatch(person: Person): string {
	const enumeration = new Intl.ListFormat('en-GB');
	return missingParts(person)
		.sort((a, b) => a.length - b.length)
		.slice(0, 3)
		.map((missing) => enumeration.format(missing.map((part) => matchParts[part][0])))
		.join('; or ');
}
