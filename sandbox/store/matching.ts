import { phoneDigits, type PersonInput } from './personInput';
import type { StoredPerson, TenantStore } from './tenantStore';

const ACCENTS = /\p{Diacritic}/gu;
const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]/gu;

/** Accent-, case- and punctuation-insensitive form of a name (service.md 4.3). */
export function nameKey(name: unknown): string {
	return typeof name === 'string'
		? name.normalize('NFD').replace(ACCENTS, '').replace(NOT_ALPHANUMERIC, '').toLowerCase()
		: '';
}

export function emailKey(email: string): string {
	return email.trim().toLowerCase();
}

export function phoneKey(phoneNumber: string): string {
	const digits = phoneDigits(phoneNumber);
	return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** Street number and first word of the street name: `1 Elm St.` and `1 elm street` are the same. */
function streetKey(addressLine1: string | null | undefined): string {
	const match = /^\s*(\d+\S*)\s+(\S+)/.exec(addressLine1 ?? '');
	return match ? `${nameKey(match[1])} ${nameKey(match[2])}` : '';
}

export function zip5(zipOrPostalCode: string | null | undefined): string {
	return (zipOrPostalCode ?? '').trim().slice(0, 5).toLowerCase();
}

export function day(date: unknown): string {
	return typeof date === 'string' ? date.slice(0, 10) : '';
}

/** What people are matched by; a person may have several values of each, or none. */
type MatchKeys = ReturnType<typeof matchKeys>;

function matchKeys(
	{ firstName, lastName, dateOfBirth }: Record<string, unknown>,
	{ emails, phones, addresses }: Pick<PersonInput, 'emails' | 'phones' | 'addresses'>,
) {
	return {
		firstName: [nameKey(firstName)].filter(Boolean),
		lastName: [nameKey(lastName)].filter(Boolean),
		dateOfBirth: [day(dateOfBirth)].filter(Boolean),
		email: (emails ?? []).map((entry) => emailKey(entry.email)),
		phone: (phones ?? []).map((entry) => phoneKey(entry.phoneNumber)),
		zip: (addresses ?? []).map((entry) => zip5(entry.zipOrPostalCode)).filter(Boolean),
		street: (addresses ?? []).map((entry) => streetKey(entry.addressLine1)).filter(Boolean),
	};
}

/**
 * Whether a candidate reaches one of the minimum combinations of service.md 4.3 with a person. Further
 * criteria only narrow: one that the person holds with another value excludes the person.
 */
function matches(candidate: MatchKeys, person: MatchKeys): boolean {
	const same = (criterion: keyof MatchKeys) =>
		candidate[criterion].some((value) => person[criterion].includes(value));
	const criteria = Object.keys(candidate) as Array<keyof MatchKeys>;
	const isNamed = same('firstName') && same('lastName') && same('zip');
	return (
		(same('email') || same('phone') || (isNamed && (same('dateOfBirth') || same('street')))) &&
		criteria.every(
			(name) => candidate[name].length === 0 || person[name].length === 0 || same(name),
		)
	);
}

type MatchIndex = Map<string, Set<number>>;

/** Where people can be found without looking at all of them: bulk imports match every row. */
const indexes = new WeakMap<TenantStore, MatchIndex>();

function indexEntries({ email, phone, firstName, lastName }: MatchKeys): string[] {
	return [
		...email.map((key) => `email ${key}`),
		...phone.map((key) => `phone ${key}`),
		...firstName.flatMap((first) => lastName.map((last) => `name ${first} ${last}`)),
	];
}

/** Types and identifiers compare case-insensitively. */
function identifierEntry({ type, externalId }: StoredPerson['identifiers'][number]): string {
	return `identifier ${type}\n${externalId}`.toLowerCase();
}

/**
 * Makes a person findable by what it holds now. createPerson and mergePerson do so; call it after changing
 * names, emails, phones or addresses of a stored person in any other way.
 */
export function indexPerson(store: TenantStore, person: StoredPerson): void {
	const index: MatchIndex = indexes.get(store) ?? new Map<string, Set<number>>();
	indexes.set(store, index);
	const entries = indexEntries(matchKeys(person.fields, person));
	for (const entry of [...entries, ...person.identifiers.map(identifierEntry)]) {
		const ids = index.get(entry) ?? new Set<number>();
		ids.add(person.nativeId);
		index.set(entry, ids);
	}
}

/** Whoever was indexed so, including people who have changed since. */
function indexedPeople(store: TenantStore, entries: string[]): StoredPerson[] {
	const index = indexes.get(store);
	const ids = new Set(entries.flatMap((entry) => [...(index?.get(entry) ?? [])]));
	return [...ids].flatMap((id) => store.people.get(id) ?? []);
}

/**
 * The one person a match candidate identifies, by the minimum combinations of service.md 4.3; below
 * them nothing is searched. A known nativeId overrides everything, an unknown one is ignored. Of several
 * matches, the lowest id with a name in the candidate, else the highest.
 */
export function findMatchingPerson(
	store: TenantStore,
	candidate: PersonInput,
): StoredPerson | undefined {
	const named = candidate.nativeId ? store.people.get(candidate.nativeId) : undefined;
	if (named) return named;

	const keys = matchKeys(candidate, candidate);
	const found = indexedPeople(store, indexEntries(keys)).filter((person) =>
		matches(keys, matchKeys(person.fields, person)),
	);
	const hasName = keys.firstName.length > 0 || keys.lastName.length > 0;
	return found.sort((a, b) => (hasName ? a.nativeId - b.nativeId : b.nativeId - a.nativeId))[0];
}

export function findPersonByIdentifier(
	store: TenantStore,
	type: string,
	externalId: string,
): StoredPerson | undefined {
	const entry = identifierEntry({ type, externalId });
	return indexedPeople(store, [entry]).find(({ identifiers }) =>
		identifiers.some((held) => identifierEntry(held) === entry),
	);
}
