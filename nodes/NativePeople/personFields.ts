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

const countryCode: INodeProperties = {
	displayName: 'Country Code',
	name: 'countryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. US',
	description: 'The two letters of the country. Empty for the United States.',
};

const isPreferred: INodeProperties = {
	displayName: 'Is Preferred',
	name: 'isPreferred',
	type: 'boolean',
	default: false,
	description: 'Whether this is the one to use first',
};

const emailValues: INodeProperties[] = [
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		placeholder: 'e.g. ann@example.org',
		description: 'The email address. An entry without one is left out.',
	},
	isPreferred,
	{
		displayName: 'Subscription Status',
		name: 'subscriptionStatus',
		type: 'options',
		options: codes(subscriptionStatuses),
		default: '',
		description: 'If the person gets mailings there. Unsubscribed cannot be undone.',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: codes(emailTypes),
		default: '',
		description: 'What the address is used for. The service uses Personal if this is not set.',
	},
];

const phoneValues: INodeProperties[] = [
	countryCode,
	{
		displayName: 'Device Type',
		name: 'deviceType',
		type: 'options',
		options: codes(deviceTypes),
		default: '',
		description: 'What kind of device answers there',
	},
	{
		displayName: 'Dialing Prefix',
		name: 'dialingPrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. 44',
		description: 'The international prefix of one to three digits. It must match the country code.',
	},
	{
		displayName: 'Extension',
		name: 'ext',
		type: 'string',
		default: '',
		placeholder: 'e.g. 12',
		description: 'At most 6 characters',
	},
	isPreferred,
	{
		displayName: 'Opt-In Status',
		name: 'phoneOptInStatus',
		type: 'options',
		options: codes(phoneOptInStatuses),
		default: '',
		description: 'If the person agreed to be called or texted there',
	},
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. 907-555-0100',
		description:
			'The number; only its digits are sent. For a country other than the US and Canada set the country code too. An entry without a number is left out.',
	},
	{
		displayName: 'Phone Type',
		name: 'phoneType',
		type: 'options',
		options: codes(phoneTypes),
		default: '',
		description: 'What the number is used for',
	},
];

const addressValues: INodeProperties[] = [
	{
		displayName: 'Address Line 1',
		name: 'addressLine1',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1 Elm St',
		description: 'Number and street',
	},
	{
		displayName: 'Address Line 2',
		name: 'addressLine2',
		type: 'string',
		default: '',
		description: 'Apartment, suite or unit',
	},
	{
		displayName: 'Address Line 3',
		name: 'addressLine3',
		type: 'string',
		default: '',
		description: 'Third line of the address',
	},
	{
		displayName: 'City',
		name: 'city',
		type: 'string',
		default: '',
		placeholder: 'e.g. Nome',
		description: 'City or town',
	},
	countryCode,
	isPreferred,
	{
		displayName: 'State or Province',
		name: 'stateOrProvince',
		type: 'string',
		default: '',
		placeholder: 'e.g. AK',
		description: 'Its code of two or three letters',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: words(addressTypes),
		default: '',
		description: 'What the address is used for. The service uses Home if this is not set.',
	},
	{
		displayName: 'ZIP or Postal Code',
		name: 'zipOrPostalCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. 99762',
		description:
			'Helps to find the person, together with the name. A US ZIP given as a number gets its leading zeros back.',
	},
];

const identifierValues: INodeProperties[] = [
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		default: '',
		placeholder: 'e.g. A-1',
		description: 'The ID of the person in the other system. An entry without one is left out.',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'string',
		default: '',
		placeholder: 'e.g. CrmId',
		description: 'Name of the identifier type, as it is set up in the service',
	},
];

const customFieldValues: INodeProperties[] = [
	{
		displayName: 'Custom Field Group ID',
		name: 'customFieldGroupId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 31',
		description: 'The number of the group the field belongs to',
	},
	{
		displayName: 'Custom Field ID',
		name: 'customFieldId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 301',
		description: 'The number of the field',
	},
	{
		displayName: 'Value',
		name: 'assignedValue',
		type: 'string',
		default: '',
		description: 'The value for the field. An entry without a value is left out.',
	},
];

const suppressionValues: INodeProperties[] = [
	{
		displayName: 'Suppression Code',
		name: 'suppressionCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. NC',
		description: 'How the person must not be contacted, e.g. NC no calls, NE no email, NM no mail',
	},
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

function textField(
	displayName: string,
	name: string,
	description: string,
	placeholder = '',
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		description,
		...(placeholder && { placeholder: `e.g. ${placeholder}` }),
	};
}

const ID_LIST = 'Their numbers, as set up by your organization, separated by commas';

const simpleFields: INodeProperties[] = [
	textField('Additional Envelope Name', 'additionalEnvelopeName', 'A further name on envelopes'),
	textField('Additional Salutation', 'additionalSalutation', 'A further form of address'),
	textField(
		'Collected Location ID',
		'collectedLocationId',
		'The number of the location where the data was collected',
	),
	{
		displayName: 'Contact Mode',
		name: 'contactMode',
		type: 'options',
		options: words(contactModes),
		default: '',
		description: 'If this is a person or an organization',
	},
	textField('Cycle', 'cycle', 'The year of the election cycle', '2026'),
	textField(
		'Date of Birth',
		'dateOfBirth',
		'Year, month and day; a time of day is left out',
		'1975-09-18',
	),
	{
		displayName: 'Election Type',
		name: 'electionType',
		type: 'options',
		options: words(electionTypes),
		default: '',
		description: 'The code of the kind of election',
	},
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
	{
		displayName: 'Preferred Contact Method',
		name: 'contactMethodPreferenceCode',
		type: 'options',
		options: codes(contactMethodPreferences),
		default: '',
		description:
			'How the person wants to be contacted. Ask the service operator what F and S mean.',
	},
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
	{
		displayName: 'Sex',
		name: 'sex',
		type: 'options',
		options: codes(sexes),
		default: '',
		description: 'Female or male, as the service knows it',
	},
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
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		placeholder: 'e.g. ann@example.org',
		description: 'The email address of the person. Enough on its own to find them.',
	},
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
		{
			displayName: 'Define Person',
			name: 'definePerson',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'fields',
			description:
				'How you enter the person. Both are checked in the same way before anything is sent.',
		},
		{
			displayName: 'Person (JSON)',
			name: 'personJson',
			type: 'json',
			typeOptions: { rows: 10 },
			default: '',
			required: true,
			displayOptions: { show: { definePerson: ['json'] } },
			description:
				'The person with the property names of the service, e.g. {"firstName": "Ann", "emails": [{"email": "ann@example.org"}]}. Empty properties and null are not sent.',
		},
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
