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

/** Where people can be found without comparing all of them: bulk imports match every row. */
interface MatchIndex {
	/** Who holds it now or held it before. */
	people: Map<string, Set<number>>;
	/** The current keys of each person. */
	keys: Map<number, MatchKeys>;
}

const indexes = new WeakMap<TenantStore, MatchIndex>();

function indexOf(store: TenantStore): MatchIndex {
	const index = indexes.get(store) ?? {
		people: new Map<string, Set<number>>(),
		keys: new Map<number, MatchKeys>(),
	};
	indexes.set(store, index);
	return index;
}

const NO_FIRST_NAME = '';

/** An entry for each minimum combination, so that rows that share a name or an office phone stay apart. */
function entriesOf(keys: MatchKeys, firstNames: readonly string[]): string[] {
	const contacts = [
		...keys.email.map((key) => `email ${key}`),
		...keys.phone.map((key) => `phone ${key}`),
	];
	const narrowing = [
		...keys.dateOfBirth.map((key) => `born ${key}`),
		...keys.street.map((key) => `street ${key}`),
	];
	const households = keys.lastName.flatMap((last) => keys.zip.map((zip) => `${last} ${zip}`));
	return firstNames.flatMap((first) => [
		...contacts.map((contact) => `${contact}\n${first}`),
		...households.flatMap((household) =>
			narrowing.map((entry) => `${household} ${entry}\n${first}`),
		),
	]);
}

const ANY_FIRST_NAME = '*';

/** Under what a person is found by candidates with the same first name, and by those without one. */
const indexEntries = (keys: MatchKeys) =>
	entriesOf(keys, [
		...keys.firstName,
		...(keys.firstName.length === 0 ? [NO_FIRST_NAME] : []),
		ANY_FIRST_NAME,
	]);

/** Under what the people are who may match a candidate: a first name excludes another first name. */
const candidateEntries = (keys: MatchKeys) =>
	entriesOf(
		keys,
		keys.firstName.length === 0 ? [ANY_FIRST_NAME] : [...keys.firstName, NO_FIRST_NAME],
	);

/** Types and identifiers compare case-insensitively. */
function identifierEntry({ type, externalId }: StoredPerson['identifiers'][number]): string {
	return `identifier ${type}\n${externalId}`.toLowerCase();
}

/**
 * Makes a person findable by what it holds now. createPerson and mergePerson do so; call it after changing
 * names, emails, phones or addresses of a stored person in any other way.
 */
export function indexPerson(store: TenantStore, person: StoredPerson): void {
	const index = indexOf(store);
	const keys = matchKeys(person.fields, person);
	index.keys.set(person.nativeId, keys);
	for (const entry of [...indexEntries(keys), ...person.identifiers.map(identifierEntry)]) {
		const ids = index.people.get(entry) ?? new Set<number>();
		ids.add(person.nativeId);
		index.people.set(entry, ids);
	}
}

/** Whoever was indexed so, including people who have changed since. */
function indexedIds({ people }: MatchIndex, entries: string[]): number[] {
	return [...new Set(entries.flatMap((entry) => [...(people.get(entry) ?? [])]))];
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

	const index = indexOf(store);
	const keys = matchKeys(candidate, candidate);
	const found = indexedIds(index, candidateEntries(keys)).filter((id) => {
		const held = index.keys.get(id);
		return store.people.has(id) && held !== undefined && matches(keys, held);
	});
	const hasName = keys.firstName.length > 0 || keys.lastName.length > 0;
	const [id = NaN] = found.sort((a, b) => (hasName ? a - b : b - a));
	return store.people.get(id);
}

export function findPersonByIdentifier(
	store: TenantStore,
	type: string,
	externalId: string,
): StoredPerson | undefined {
	const entry = identifierEntry({ type, externalId });
	return indexedIds(indexOf(store), [entry])
		.flatMap((id) => store.people.get(id) ?? [])
		.find(({ identifiers }) => identifiers.some((held) => identifierEntry(held) === entry));
}
