import type { StoredPerson, StoredPhone } from '../store/tenantStore';

/** Sections of `$expand` as the service's own hint lists them (service.md 4.7). */
export const PERSON_SECTIONS = [
	'addresses',
	'biography',
	'cases',
	'codes',
	'contributionHistory',
	'customFields',
	'customProperties',
	'disclosureFieldValues',
	'districts',
	'electionRecords',
	'emails',
	'externalIds',
	'membershipStatuses',
	'notes',
	'organizationRoles',
	'phones',
	'pollingLocation',
	'preferences',
	'primaryContact',
	'recordedAddresses',
	'reportedDemographics',
	'scores',
	'suppressions',
] as const;

const EMAIL_TYPES = { P: 'Personal', W: 'Work', O: 'Other' } as const;
const PHONE_TYPES = {
	H: 'Home',
	W: 'Work',
	O: 'Other',
	C: 'Cell',
	M: 'Main',
	F: 'Fax',
	P: 'Personal',
} as const;
const OPT_IN = { I: 'Opt-In', U: 'Unknown', O: 'Opt-Out' } as const;
const SUBSCRIPTIONS = { S: 'Subscribed', N: 'Not Subscribed', U: 'Unsubscribed' } as const;

/** Scalars that are read back without `$expand`; the rest of the input comes with `preferences`. */
const PLAIN_FIELDS = [
	'firstName',
	'middleName',
	'lastName',
	'suffix',
	'title',
	'salutation',
	'envelopeName',
	'party',
	'sex',
	'employer',
	'occupation',
	'contactMode',
	'organizationContactCommonName',
	'organizationContactOfficialName',
];
const PREFERENCE_FIELDS = [
	'formalSalutation',
	'additionalSalutation',
	'formalEnvelopeName',
	'additionalEnvelopeName',
	'nickname',
	'website',
	'jobTitle',
	'contactMethodPreferenceCode',
];

function phoneResponse({ isSuppressed, ...phone }: StoredPhone) {
	return {
		...phone,
		phoneType: PHONE_TYPES[phone.phoneType],
		deviceType: 'Unknown',
		isBest: phone.isPreferred && !isSuppressed,
		smsOptInStatus: OPT_IN[phone.phoneOptInStatus],
		phoneOptInStatus: OPT_IN[phone.phoneOptInStatus],
		isCellStatus: null,
		isCellPhoneExchange: false,
		dialingPrefix: phone.countryCode === 'US' || phone.countryCode === 'CA' ? '1' : null,
	};
}

function fieldsOf(person: StoredPerson, names: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(names.map((name) => [name, person.fields[name] ?? null]));
}

const UNUSED_SECTIONS = ['cases', 'membershipStatuses', 'organizationRoles'];

/** A person as GET returns it: every collection is null unless its section is expanded. */
export function personResponse(
	person: StoredPerson,
	expand: ReadonlySet<string> = new Set(),
	contributions: ReadonlyArray<Record<string, unknown>> = [],
): Record<string, unknown> {
	const section = <Value>(name: string, value: () => Value) => (expand.has(name) ? value() : null);
	const { dateOfBirth } = person.fields;
	return {
		nativeId: person.nativeId,
		...fieldsOf(person, PLAIN_FIELDS),
		dateOfBirth: dateOfBirth ? `${String(dateOfBirth)}T00:00:00Z` : null,
		...(expand.has('preferences') && fieldsOf(person, PREFERENCE_FIELDS)),
		emails: section('emails', () =>
			person.emails.map((email) => ({
				...email,
				type: EMAIL_TYPES[email.type],
				isSubscribed: email.subscriptionStatus === 'S',
				subscriptionStatus: SUBSCRIPTIONS[email.subscriptionStatus],
			})),
		),
		phones: section('phones', () => person.phones.map(phoneResponse)),
		addresses: section('addresses', () =>
			person.addresses.map((address) => ({
				...address,
				geoLocation: null,
				preview: [address.addressLine1, address.city, address.stateOrProvince]
					.filter(Boolean)
					.join(', '),
				streetAddress: address.addressLine1,
				displayMode: 'Standardized',
			})),
		),
		identifiers: section('externalIds', () => person.identifiers),
		codes: section('codes', () => person.codeIds.map((codeId) => ({ codeId }))),
		customFields: section('customFields', () => person.customFieldValues),
		suppressions: section('suppressions', () => person.suppressions),
		notes: section('notes', () => person.notes),
		contributionHistory: section('contributionHistory', () => contributions),
		// The sandbox keeps none of these on people.
		...Object.fromEntries(UNUSED_SECTIONS.map((name) => [name, section(name, () => [])])),
	};
}
