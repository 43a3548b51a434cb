import { day, emailKey, indexPerson, nameKey, phoneKey, zip5 } from './matching';
import type { AddressInput, EmailInput, PersonInput, PhoneInput } from './personInput';
import type {
	StoredAddress,
	StoredEmail,
	StoredPerson,
	StoredPhone,
	TenantStore,
} from './tenantStore';

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
		dateCreated: new Date().toISOString(),
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
		dateCreated: new Date().toISOString(),
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
	const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
	Object.assign(entry, Object.fromEntries(given), { type, isPreferred: entry.isPreferred });
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
	const { nativeId: _, ...given } = input;
	for (const [name, value] of Object.entries(given)) {
		if (value !== undefined && typeof value !== 'object') person.fields[name] = value;
	}
	if (input.dateOfBirth) person.fields.dateOfBirth = day(input.dateOfBirth);
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
		emails: [],
		phones: [],
		addresses: [],
		identifiers: [],
		customFieldValues: [],
		suppressions: [],
		activistCodes: [],
		codeIds: [],
		notes: [],
		createdAt: now,
		modifiedAt: now,
	};
	store.people.set(person.nativeId, person);
	return mergePerson(store, person, input);
}
