import { type BodyProblem, withValue } from './bodyProblem';
import {
	knownPersonProperties,
	type Person,
	personSchema,
	readOnlyPersonProperties,
} from './personSchema';
import { recordIdSchema } from './recordId';
import { isObject, readBody } from './requestBody';
import type { Vocabulary } from './vocabulary';

export type { Person };

/** Problems of the person as a whole; lists check their entries themselves. */
function rulesBroken(person: Person): BodyProblem[] {
	if (person.contactMode === 'Organization') return [];
	return (['organizationContactCommonName', 'organizationContactOfficialName'] as const)
		.filter((name) => person[name] !== undefined)
		.map((name) => ({
			path: [name],
			text: 'is stored for organizations only. Set the contact mode to Organization, or remove this name.',
		}));
}

export interface CheckedPerson {
	person: Person;
	/** The body to send: the person, with the service's own ID if it is given. */
	body: Record<string, unknown>;
	/** What was given and is not sent, because the service sets it itself. */
	dropped: string[];
}

const NOT_IN_AN_UPDATE =
	'cannot be changed. Remove it here: the ID above says which person is updated.';

/** Whether an ID in the body may be sent, may only repeat the ID of the person to update, or is refused. */
export type IdInBody = { mayBe: 'any' } | { mayBe: 'only'; id: number | undefined };

/** Takes the service's own ID out of a person, with what is wrong with it. */
function takeId(
	given: Record<string, unknown>,
	personId: string,
	allowed: IdInBody,
): { rest: Record<string, unknown>; id?: number; problems: BodyProblem[]; dropped: string[] } {
	const { [personId]: entered, ...rest } = given;
	const nothing = { rest, problems: [], dropped: [] };
	if (String(entered ?? '').trim() === '') return nothing;
	const parsed = recordIdSchema.safeParse(entered);
	const refuse = (text: string) => ({ rest, problems: [{ path: [personId], text }], dropped: [] });
	if (allowed.mayBe === 'only') {
		const isSame = parsed.success && parsed.data === allowed.id;
		return isSame ? { ...nothing, dropped: [personId] } : refuse(NOT_IN_AN_UPDATE);
	}
	return parsed.success
		? { ...nothing, id: parsed.data }
		: refuse(withValue(parsed.error.issues[0]?.message ?? 'is not an ID', entered));
}

/**
 * Checks a person completely.
 * @returns what to send, or all its problems
 */
export function checkPerson(
	input: unknown,
	{ personId }: Vocabulary,
	allowedId: IdInBody,
): CheckedPerson | { problems: BodyProblem[] } {
	if (!isObject(input)) {
		return { problems: [{ path: [], text: 'must be an object, in braces { }.' }] };
	}
	const { rest, id, ...ofId } = takeId(input, personId, allowedId);
	const read = readBody(rest, {
		schema: personSchema,
		known: knownPersonProperties.map(([place, names]) => [
			place,
			place.test('') ? [personId, ...names] : names,
		]),
		readOnly: readOnlyPersonProperties,
	});
	const problems = [
		...ofId.problems,
		...('problems' in read ? read.problems : rulesBroken(read.body)),
	];
	if (problems.length > 0 || 'problems' in read) return { problems };
	const person = read.body;
	if (id === undefined && Object.keys(person).length === 0) {
		return { problems: [{ path: [], text: 'is empty. Enter what is known of the person.' }] };
	}
	return {
		person,
		body: { ...(id !== undefined && { [personId]: id }), ...person },
		dropped: [...ofId.dropped, ...read.dropped],
	};
}

/** What the service recognises a person by. */
type MatchPart = 'email' | 'phone' | 'firstName' | 'lastName' | 'dateOfBirth' | 'zip' | 'street';

/**
 * The least that makes the service look for a person: service.md 4.3. Its combinations of a name with
 * an email or a phone are not listed, because either is enough alone.
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

function partsGiven(person: Person, address: Address): Set<MatchPart> {
	const given: Record<MatchPart, boolean> = {
		email: (person.emails ?? []).length > 0,
		phone: (person.phones ?? []).length > 0,
		firstName: person.firstName !== undefined,
		lastName: person.lastName !== undefined,
		dateOfBirth: person.dateOfBirth !== undefined,
		zip: /^\d{5}/.test(address.zipOrPostalCode ?? ''),
		street: /^\d+\S*\s+\S/.test(address.addressLine1 ?? ''),
	};
	return new Set((Object.keys(given) as MatchPart[]).filter((part) => given[part]));
}

/** For each combination, what the person lacks of it; street and ZIP code count within one address. */
function missingParts(person: Person): MatchPart[][] {
	const addresses = person.addresses?.length ? person.addresses : [{}];
	return matchCombinations.map((combination) =>
		addresses
			.map((address) => {
				const given = partsGiven(person, address);
				return combination.filter((part) => !given.has(part));
			})
			.reduce((least, missing) => (missing.length < least.length ? missing : least)),
	);
}

/**
 * Whether the service looks for this person at all. Below that, every findOrCreate stores a new person.
 * The service's own ID does not count: an unknown one is ignored (service.md 4.5).
 */
export function isMatchable(person: Person): boolean {
	return missingParts(person).some((missing) => missing.length === 0);
}

function enumeration(words: string[]): string {
	return words.length < 2
		? words.join('')
		: `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** What to add so that the service looks for the person, the three nearest ways: `an email; or …`. */
export function missingForMatch(person: Person): string {
	return missingParts(person)
		.sort((a, b) => a.length - b.length)
		.slice(0, 3)
		.map((missing) => enumeration(missing.map((part) => partNames[part])))
		.join('; or ');
}
