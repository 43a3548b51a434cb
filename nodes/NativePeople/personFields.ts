import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	addressTypes,
	contactMethodPreferences,
	contactModes,
	deviceTypes,
	electionTypes,
	emailTypes,
	phoneOptInStatuses,
	phoneTypes,
	sexes,
	subscriptionStatuses,
} from '../shared/service/personSchema';
import { choiceField, fieldsOrJson, textField } from '../shared/parameters/fieldKinds';

/** An empty choice, which is not sent. */
const notSet: INodePropertyOptions = { name: 'Not Set', value: '' };

/** Codes as options, sorted by the service's names. */
function codes(names: Readonly<Record<string, string>>): INodePropertyOptions[] {
	return [notSet, ...Object.entries(names).map(([value, name]) => ({ name, value }))].sort((a, b) =>
		a.name.localeCompare(b.name),
	);
}

function words(values: readonly string[]): INodePropertyOptions[] {
	return codes(Object.fromEntries(values.map((value) => [value, value])));
}

const countryCode: INodeProperties = textField(
	'Country Code',
	'countryCode',
	'The two letters of the country. Empty for the United States.',
	'US',
);

const isPreferred: INodeProperties = {
	displayName: 'Is Preferred',
	name: 'isPreferred',
	type: 'boolean',
	default: false,
	description: 'Whether this is the one to use first',
};

const emailValues: INodeProperties[] = [
	textField(
		'Email',
		'email',
		'The email address. An entry without one is left out.',
		'ann@example.org',
	),
	isPreferred,
	choiceField(
		'Subscription Status',
		'subscriptionStatus',
		codes(subscriptionStatuses),
		'If the person gets mailings there. Unsubscribed cannot be undone.',
	),
	choiceField(
		'Type',
		'type',
		codes(emailTypes),
		'What the address is used for. The service uses Personal if this is not set.',
	),
];

const phoneValues: INodeProperties[] = [
	countryCode,
	choiceField('Device Type', 'deviceType', codes(deviceTypes), 'What kind of device answers there'),
	textField(
		'Dialing Prefix',
		'dialingPrefix',
		'The international prefix of one to three digits. It must match the country code.',
		'44',
	),
	textField('Extension', 'ext', 'At most 6 characters', '12'),
	isPreferred,
	choiceField(
		'Opt-In Status',
		'phoneOptInStatus',
		codes(phoneOptInStatuses),
		'If the person agreed to be called or texted there',
	),
	textField(
		'Phone Number',
		'phoneNumber',
		'The number; only its digits are sent. For a country other than the US and Canada set the country code too. An entry without a number is left out.',
		'907-555-0100',
	),
	choiceField('Phone Type', 'phoneType', codes(phoneTypes), 'What the number is used for'),
];

const addressValues: INodeProperties[] = [
	textField('Address Line 1', 'addressLine1', 'Number and street', '1 Elm St'),
	textField('Address Line 2', 'addressLine2', 'Apartment, suite or unit'),
	textField('Address Line 3', 'addressLine3', 'Third line of the address'),
	textField('City', 'city', 'City or town', 'Nome'),
	countryCode,
	isPreferred,
	textField('State or Province', 'stateOrProvince', 'Its code of two or three letters', 'AK'),
	choiceField(
		'Type',
		'type',
		words(addressTypes),
		'What the address is used for. The service uses Home if this is not set.',
	),
	textField(
		'ZIP or Postal Code',
		'zipOrPostalCode',
		'Helps to find the person, together with the name. A US ZIP given as a number gets its leading zeros back.',
		'99762',
	),
];

const identifierValues: INodeProperties[] = [
	textField(
		'External ID',
		'externalId',
		'The ID of the person in the other system. An entry without one is left out.',
		'A-1',
	),
	textField('Type', 'type', 'Name of the identifier type, as it is set up in the service', 'CrmId'),
];

const customFieldValues: INodeProperties[] = [
	textField(
		'Custom Field Group ID',
		'customFieldGroupId',
		'The number of the group the field belongs to',
		'31',
	),
	textField('Custom Field ID', 'customFieldId', 'The number of the field', '301'),
	textField(
		'Value',
		'assignedValue',
		'The value for the field. An entry without a value is left out.',
	),
];

const suppressionValues: INodeProperties[] = [
	textField(
		'Suppression Code',
		'suppressionCode',
		'How the person must not be contacted, e.g. NC no calls, NE no email, NM no mail',
		'NC',
	),
];

/** A list of the body whose entries are fields on the screen. */
interface EntryList {
	/** Name of the body's property and of the parameter. */
	name: string;
	/** Name of the entries in the fixed collection. */
	kind: string;
	displayName: string;
	entryName: string;
	description: string;
	values: INodeProperties[];
}

export const entryLists: EntryList[] = [
	{
		name: 'addresses',
		kind: 'address',
		displayName: 'Addresses',
		entryName: 'Address',
		description: 'Postal addresses of the person',
		values: addressValues,
	},
	{
		name: 'customFieldValues',
		kind: 'customFieldValue',
		displayName: 'Custom Fields',
		entryName: 'Custom Field',
		description: 'Values of fields your organization has added',
		values: customFieldValues,
	},
	{
		name: 'emails',
		kind: 'email',
		displayName: 'Emails',
		entryName: 'Email',
		description:
			'Email addresses with their type and subscription, in addition to the field Email above',
		values: emailValues,
	},
	{
		name: 'identifiers',
		kind: 'identifier',
		displayName: 'External IDs',
		entryName: 'External ID',
		description: 'IDs of the person in other systems',
		values: identifierValues,
	},
	{
		name: 'phones',
		kind: 'phone',
		displayName: 'Phones',
		entryName: 'Phone',
		description:
			'Phone numbers with their type, country and opt-in, in addition to the field Phone above',
		values: phoneValues,
	},
	{
		name: 'suppressions',
		kind: 'suppression',
		displayName: 'Suppressions',
		entryName: 'Suppression',
		description: 'Ways in which the person must not be contacted',
		values: suppressionValues,
	},
];

/** Properties with one ID or a list of IDs, entered in a text field. */
export const idLists: Record<string, string> = {
	selfReportedRaces: 'reportedRaceId',
	selfReportedEthnicities: 'reportedEthnicityId',
	selfReportedGenders: 'reportedGenderId',
	selfReportedSexualOrientations: 'reportedSexualOrientationId',
};
export const idObjects: Record<string, string> = {
	pronouns: 'pronounId',
	selfReportedLanguagePreference: 'reportedLanguagePreferenceId',
};

const ID_LIST = 'Their numbers, as set up by your organization, separated by commas';

const simpleFields: INodeProperties[] = [
	textField('Additional Envelope Name', 'additionalEnvelopeName', 'A further name on envelopes'),
	textField('Additional Salutation', 'additionalSalutation', 'A further form of address'),
	textField(
		'Collected Location ID',
		'collectedLocationId',
		'The number of the location where the data was collected',
	),
	choiceField(
		'Contact Mode',
		'contactMode',
		words(contactModes),
		'If this is a person or an organization',
	),
	textField('Cycle', 'cycle', 'The year of the election cycle', '2026'),
	textField(
		'Date of Birth',
		'dateOfBirth',
		'Year, month and day; a time of day is left out',
		'1975-09-18',
	),
	choiceField(
		'Election Type',
		'electionType',
		words(electionTypes),
		'The code of the kind of election',
	),
	textField('Employer', 'employer', 'Where the person works'),
	textField(
		'Envelope Name',
		'envelopeName',
		'The name on envelopes. If left out, the service forms one.',
	),
	textField('Formal Envelope Name', 'formalEnvelopeName', 'The formal name on envelopes'),
	textField('Formal Salutation', 'formalSalutation', 'The formal form of address'),
	textField('Job Title', 'jobTitle', 'The position of the person'),
	textField('Middle Name', 'middleName', 'The middle name or its initial'),
	textField('Nickname', 'nickname', 'What friends call the person'),
	textField('Occupation', 'occupation', 'What the person does for a living'),
	textField(
		'Organization Common Name',
		'organizationContactCommonName',
		'The name in use, of an organization only',
	),
	textField(
		'Organization Official Name',
		'organizationContactOfficialName',
		'The registered name, of an organization only',
	),
	textField('Party', 'party', 'The one character that stands for the party', 'D'),
	choiceField(
		'Preferred Contact Method',
		'contactMethodPreferenceCode',
		codes(contactMethodPreferences),
		'How the person wants to be contacted. Ask the service operator what F and S mean.',
	),
	textField('Pronoun ID', 'pronouns', 'The number of the pronouns in the service'),
	textField('Salutation', 'salutation', 'The form of address. If left out, the service forms one.'),
	textField('Self-Reported Ethnicity IDs', 'selfReportedEthnicities', ID_LIST, '3, 7'),
	textField('Self-Reported Gender IDs', 'selfReportedGenders', ID_LIST, '3, 7'),
	textField(
		'Self-Reported Language Preference ID',
		'selfReportedLanguagePreference',
		'The number of the language in the service',
	),
	textField('Self-Reported Race IDs', 'selfReportedRaces', ID_LIST, '3, 7'),
	textField(
		'Self-Reported Sexual Orientation IDs',
		'selfReportedSexualOrientations',
		ID_LIST,
		'3, 7',
	),
	choiceField('Sex', 'sex', codes(sexes), 'Female or male, as the service knows it'),
	textField('Suffix', 'suffix', 'A suffix the service knows; others are ignored', 'Jr'),
	textField('Title', 'title', 'The title before the name', 'Dr'),
	textField('Website', 'website', 'Address of a website', 'https://example.org'),
];

const personIdField = textField(
	'Person ID',
	'personId',
	'The number of the person in the service, if you know it. It decides who is matched, whatever else is entered; an unknown one is ignored.',
	'100123',
);

const entryFields = entryLists.map(
	({ name, kind, displayName, entryName, description, values }): INodeProperties => ({
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entryName}`,
		default: {},
		description,
		options: [{ displayName: entryName, name: kind, values }],
	}),
);

const mainFields: INodeProperties[] = [
	textField(
		'First Name',
		'firstName',
		'Given name. Helps to find the person, together with the last name.',
		'Ann',
	),
	textField(
		'Last Name',
		'lastName',
		'Family name. Helps to find the person, together with the first name.',
		'Lee',
	),
	textField(
		'Email',
		'email',
		'The email address of the person. Enough on its own to find them.',
		'ann@example.org',
	),
	textField(
		'Phone',
		'phone',
		'The phone number of the person in the US or Canada; only its digits are sent. Enter numbers of other countries under Additional Fields, Phones.',
		'907-555-0100',
	),
];

/** Labels on the screen by property of the body; entries of lists have their own. */
export const fieldNames: Record<string, string> = Object.fromEntries(
	[...simpleFields, personIdField, ...entryFields, ...mainFields].map(({ name, displayName }) => [
		name,
		displayName,
	]),
);

/**
 * The fields of a person (service.md 4.2); all but the main ones are in a collection.
 * @param mayNameId false for an update, which has its own fields for the person's ID
 */
export function personFields(mayNameId: boolean): INodeProperties[] {
	const additionalFields = [
		...simpleFields,
		...(mayNameId ? [personIdField] : []),
		...entryFields,
	].sort((a, b) => a.displayName.localeCompare(b.displayName));
	const shown = { show: { definePerson: ['fields'] } };
	return [
		...fieldsOrJson('Person', {
			displayName: 'Person (JSON)',
			name: 'personJson',
			description:
				'The person with the property names of the service, e.g. {"firstName": "Ann", "emails": [{"email": "ann@example.org"}]}. Empty properties and null are not sent.',
		}),
		...mainFields.map((field) => ({ ...field, displayOptions: shown })),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			displayOptions: shown,
			description: 'Everything else you know about the person. Fields left empty are not sent.',
			options: additionalFields,
		},
	];
}
