import { phoneDigits, type PersonInput } from './personInput';
import type {
	StoredAddress,
	StoredEmail,
	StoredPerson,
	StoredPhone,
	TenantStore,
} from './tenantStore';

export { isValidEmail, isValidPhoneNumberOfFile, validatePersonInput } from './personInput';
export type { PersonInput } from './personInput';

const ACCENTS = /\p{Diacritic}/gu;
const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]/gu;

/** Accent-, case- and punctuation-insensitive form of a name (service.md 4.3). */
function nameKey(name: unknown): string {
	return typeof name === 'string'
		? name.normalize('NFD').replace(ACCENTS, '').replace(NOT_ALPHANUMERIC, '').toLowerCase()
		: '';
}

function emailKey(email: string): string {
	return email.trim().toLowerCase();
}

function phoneKey(phoneNumber: string): string {
	const digits = phoneDigits(phoneNumber);
	return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** Street number and first word of the street name: `1 Elm St.` and `1 elm street` are the same. */
function streetKey(addressLine1: string | null | undefined): string {
	const match = /^\s*(\d+\S*)\s+(\S+)/.exec(addressLine1 ?? '');
	return match ? `${nameKey(match[1])} ${nameKey(match[2])}` : '';
}

function zip5(zipOrPostalCode: string | null | undefined): string {
	return (zipOrPostalCode ?? '').trim().slice(0, 5).toLowerCase();
}

function day(date: unknown): string {
	return typeof date === 'string' ? date.slice(0, 10) : '';
}

interface MatchKeys {
	firstName: string;
	lastName: string;
	emails: string[];
	phones: string[];
	zips: string[];
	streets: string[];
	dateOfBirth: string;
}

function matchKeys(person: {
	firstName: unknown;
	lastName: unknown;
	dateOfBirth: unknown;
	emails: ReadonlyArray<{ email: string }>;
	phones: ReadonlyArray<{ phoneNumber: string }>;
	addresses: ReadonlyArray<{ addressLine1?: string | null; zipOrPostalCode?: string | null }>;
}): MatchKeys {
	return {
		firstName: nameKey(person.firstName),
		lastName: nameKey(person.lastName),
		dateOfBirth: day(person.dateOfBirth),
		emails: person.emails.map((entry) => emailKey(entry.email)),
		phones: person.phones.map((entry) => phoneKey(entry.phoneNumber)),
		zips: person.addresses.map((entry) => zip5(entry.zipOrPostalCode)).filter(Boolean),
		streets: person.addresses.map((entry) => streetKey(entry.addressLine1)).filter(Boolean),
	};
}

function keysOfInput(input: PersonInput): MatchKeys {
	return matchKeys({
		firstName: input.firstName,
		lastName: input.lastName,
		dateOfBirth: input.dateOfBirth,
		emails: input.emails ?? [],
		phones: input.phones ?? [],
		addresses: input.addresses ?? [],
	});
}

function keysOfPerson(person: StoredPerson): MatchKeys {
	return matchKeys({
		firstName: person.fields.firstName,
		lastName: person.fields.lastName,
		dateOfBirth: person.fields.dateOfBirth,
		emails: person.emails,
		phones: person.phones,
		addresses: person.addresses,
	});
}

const isIn = (values: string[]) => (value: string) => values.includes(value);

/** The five minimum combinations of service.md 4.3, each as "given" and "the same in both". */
function agreement(candidate: MatchKeys, person: MatchKeys) {
	const same = {
		firstName: candidate.firstName !== '' && candidate.firstName === person.firstName,
		lastName: candidate.lastName !== '' && candidate.lastName === person.lastName,
		dateOfBirth: candidate.dateOfBirth !== '' && candidate.dateOfBirth === person.dateOfBirth,
		email: candidate.emails.some(isIn(person.emails)),
		phone: candidate.phones.some(isIn(person.phones)),
		zip: candidate.zips.some(isIn(person.zips)),
		street: candidate.streets.some(isIn(person.streets)),
	};
	const name = same.firstName && same.lastName;
	return {
		same,
		reachesMinimum:
			same.email ||
			same.phone ||
			(name && same.zip && same.dateOfBirth) ||
			(name && same.zip && same.street),
	};
}

/** Extra criteria only narrow: one that the person holds with another value excludes the person. */
function contradicts(candidate: MatchKeys, person: MatchKeys): boolean {
	const { same } = agreement(candidate, person);
	const differs = (given: boolean, held: boolean, equal: boolean) => given && held && !equal;
	return (
		differs(candidate.firstName !== '', person.firstName !== '', same.firstName) ||
		differs(candidate.lastName !== '', person.lastName !== '', same.lastName) ||
		differs(candidate.dateOfBirth !== '', person.dateOfBirth !== '', same.dateOfBirth) ||
		differs(candidate.emails.length > 0, person.emails.length > 0, same.email) ||
		differs(candidate.phones.length > 0, person.phones.length > 0, same.phone) ||
		differs(candidate.zips.length > 0, person.zips.length > 0, same.zip) ||
		differs(candidate.streets.length > 0, person.streets.length > 0, same.street)
	);
}

type MatchIndex = Map<string, Set<number>>;

/** Where people can be found without looking at all of them: bulk imports match every row. */
const indexes = new WeakMap<TenantStore, MatchIndex>();

function indexEntries(keys: MatchKeys): string[] {
	return [
		...keys.emails.map((email) => `email ${email}`),
		...keys.phones.map((phone) => `phone ${phone}`),
		...(keys.firstName !== '' && keys.lastName !== ''
			? [`name ${keys.firstName} ${keys.lastName}`]
			: []),
	];
}

/**
 * Makes a person findable by what it holds now. createPerson and mergePerson do it themselves; call it
 * after changing names, emails, phones or addresses of a stored person in any other way.
 */
export function indexPerson(store: TenantStore, person: StoredPerson): void {
	const index: MatchIndex = indexes.get(store) ?? new Map<string, Set<number>>();
	indexes.set(store, index);
	for (const entry of indexEntries(keysOfPerson(person))) {
		const ids = index.get(entry) ?? new Set<number>();
		ids.add(person.nativeId);
		index.set(entry, ids);
	}
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

	const keys = keysOfInput(candidate);
	const ids = new Set(
		indexEntries(keys).flatMap((entry) => [...(indexes.get(store)?.get(entry) ?? [])]),
	);
	const matches = [...ids].flatMap((id) => {
		const person = store.people.get(id);
		if (!person) return [];
		const held = keysOfPerson(person);
		return agreement(keys, held).reachesMinimum && !contradicts(keys, held) ? [person] : [];
	});
	const hasName = keys.firstName !== '' || keys.lastName !== '';
	return matches.sort((a, b) => (hasName ? a.nativeId - b.nativeId : b.nativeId - a.nativeId))[0];
}

/** The person that carries an external identifier; type and identifier compare case-insensitively. */
export function findPersonByIdentifier(
	store: TenantStore,
	type: string,
	externalId: string,
): StoredPerson | undefined {
	const wantedType = type.toLowerCase();
	const wantedId = externalId.toLowerCase();
	for (const person of store.people.values()) {
		const isWanted = person.identifiers.some(
			(identifier) =>
				identifier.type.toLowerCase() === wantedType &&
				identifier.externalId.toLowerCase() === wantedId,
		);
		if (isWanted) return person;
	}
	return undefined;
}

const SCALAR_FIELDS = [
	'firstName',
	'middleName',
	'lastName',
	'suffix',
	'title',
	'salutation',
	'envelopeName',
	'formalSalutation',
	'additionalSalutation',
	'formalEnvelopeName',
	'additionalEnvelopeName',
	'nickname',
	'website',
	'jobTitle',
	'contactMethodPreferenceCode',
	'party',
	'sex',
	'employer',
	'occupation',
	'collectedLocationId',
	'electionType',
	'cycle',
	'contactMode',
	'organizationContactCommonName',
	'organizationContactOfficialName',
] as const satisfies ReadonlyArray<keyof PersonInput>;

const DEMOGRAPHIC_FIELDS = [
	'pronouns',
	'selfReportedRaces',
	'selfReportedEthnicities',
	'selfReportedGenders',
	'selfReportedSexualOrientations',
	'selfReportedLanguagePreference',
] as const satisfies ReadonlyArray<keyof PersonInput>;

type ItemOf<List> = List extends ReadonlyArray<infer Item> ? Item : never;
type EmailInput = ItemOf<NonNullable<PersonInput['emails']>>;
type PhoneInput = ItemOf<NonNullable<PersonInput['phones']>>;
type AddressInput = ItemOf<NonNullable<PersonInput['addresses']>>;

/** Exactly one entry is preferred: the one just declared so, else the first that ever came. */
function keepOnePreferred<Entry extends { isPreferred: boolean }>(
	entries: Entry[],
	declared: Entry | undefined,
): void {
	const preferred = declared ?? entries.find((entry) => entry.isPreferred) ?? entries[0];
	for (const entry of entries) entry.isPreferred = entry === preferred;
}

function subscriptionOf(input: EmailInput): StoredEmail['subscriptionStatus'] | undefined {
	if (input.subscriptionStatus) return input.subscriptionStatus;
	if (input.isSubscribed === undefined) return undefined;
	return input.isSubscribed ? 'S' : 'U';
}

function mergeEmail(person: StoredPerson, input: EmailInput): void {
	const known = person.emails.find((entry) => emailKey(entry.email) === emailKey(input.email));
	const entry: StoredEmail = known ?? {
		email: input.email.trim(),
		type: input.type ?? 'P',
		isPreferred: false,
		subscriptionStatus: 'N',
	};
	if (!known) person.emails.push(entry);
	if (input.type) entry.type = input.type;
	const subscription = subscriptionOf(input);
	// Unsubscribed is final (service.md 4.2).
	if (subscription && entry.subscriptionStatus !== 'U') entry.subscriptionStatus = subscription;
	keepOnePreferred(person.emails, input.isPreferred ? entry : undefined);
}

function mergePhone(store: TenantStore, person: StoredPerson, input: PhoneInput): void {
	const key = phoneKey(input.phoneNumber);
	const known = person.phones.find((entry) => phoneKey(entry.phoneNumber) === key);
	const entry: StoredPhone = known ?? {
		phoneId: store.nextId('phone'),
		phoneNumber: key,
		phoneType: 'H',
		ext: null,
		isPreferred: false,
		phoneOptInStatus: 'U',
		countryCode: input.countryCode ?? 'US',
		isSuppressed: false,
	};
	if (!known) person.phones.push(entry);
	if (input.phoneType) entry.phoneType = input.phoneType;
	if (input.ext !== undefined) entry.ext = input.ext;
	const optIn = input.phoneOptInStatus ?? input.smsOptInStatus;
	if (optIn) entry.phoneOptInStatus = optIn;
	keepOnePreferred(person.phones, input.isPreferred ? entry : undefined);
}

function mergeAddress(store: TenantStore, person: StoredPerson, input: AddressInput): void {
	const type = input.type ?? 'Home';
	const known = person.addresses.find(
		(entry) =>
			entry.type === type &&
			nameKey(entry.addressLine1) === nameKey(input.addressLine1) &&
			zip5(entry.zipOrPostalCode) === zip5(input.zipOrPostalCode),
	);
	const entry: StoredAddress = known ?? {
		addressId: store.nextId('address'),
		addressLine1: null,
		addressLine2: null,
		addressLine3: null,
		city: null,
		stateOrProvince: null,
		zipOrPostalCode: null,
		countryCode: 'US',
		type,
		isPreferred: false,
	};
	if (!known) person.addresses.push(entry);
	entry.addressLine1 = input.addressLine1 ?? entry.addressLine1;
	entry.addressLine2 = input.addressLine2 ?? entry.addressLine2;
	entry.addressLine3 = input.addressLine3 ?? entry.addressLine3;
	entry.city = input.city ?? entry.city;
	entry.stateOrProvince = input.stateOrProvince ?? entry.stateOrProvince;
	entry.zipOrPostalCode = input.zipOrPostalCode ?? entry.zipOrPostalCode;
	entry.countryCode = input.countryCode ?? entry.countryCode;
	keepOnePreferred(person.addresses, input.isPreferred ? entry : undefined);
}

/**
 * Writes what the input supplies and leaves the rest: contact methods are appended, identical ones
 * merged, none removed (service.md 4.6). References must have been checked (validatePersonInput).
 */
export function mergePerson(
	store: TenantStore,
	person: StoredPerson,
	input: PersonInput,
): StoredPerson {
	for (const name of SCALAR_FIELDS) {
		const value = input[name];
		if (value !== undefined && value !== null) person.fields[name] = value;
	}
	if (input.dateOfBirth) person.fields.dateOfBirth = day(input.dateOfBirth);
	for (const name of DEMOGRAPHIC_FIELDS) {
		const value = input[name];
		if (value !== undefined && value !== null) person.demographics[name] = value;
	}
	input.emails?.forEach((email) => mergeEmail(person, email));
	input.phones?.forEach((phone) => mergePhone(store, person, phone));
	input.addresses?.forEach((address) => mergeAddress(store, person, address));
	input.identifiers?.forEach(({ type, externalId }) => {
		const name =
			store.setup.externalIdTypes.find(
				(candidate) => candidate.name.toLowerCase() === type.toLowerCase(),
			)?.name ?? type;
		person.identifiers = [
			...person.identifiers.filter((identifier) => identifier.type !== name),
			{ type: name, externalId },
		];
	});
	input.customFieldValues?.forEach((value) => {
		person.customFieldValues = [
			...person.customFieldValues.filter((held) => held.customFieldId !== value.customFieldId),
			value,
		];
	});
	input.suppressions?.forEach(({ suppressionCode }) => {
		if (!person.suppressions.some((held) => held.suppressionCode === suppressionCode)) {
			person.suppressions.push({ suppressionCode });
		}
	});
	person.modifiedAt = new Date().toISOString();
	indexPerson(store, person);
	return person;
}

/** Stores a new person; never looks for a match. The nativeId of the input is ignored. */
export function createPerson(store: TenantStore, input: PersonInput): StoredPerson {
	const now = new Date().toISOString();
	const person: StoredPerson = {
		nativeId: store.nextId('person'),
		fields: {},
		demographics: {},
		emails: [],
		phones: [],
		addresses: [],
		identifiers: [],
		customFieldValues: [],
		suppressions: [],
		activistCodes: [],
		codeIds: [],
		originSourceCodeId: null,
		organizingTurf: null,
		relationships: [],
		jobs: [],
		notes: [],
		createdAt: now,
		modifiedAt: now,
	};
	store.people.set(person.nativeId, person);
	return mergePerson(store, person, input);
}
