import {
	type BodyFields,
	type BodyField,
	choiceField,
	flagField,
	idListField,
	idObjectField,
	jsonOnly,
	listField,
	objectOf,
	sameNames,
	textField,
	withScreen,
} from './bodyField';
import { z } from 'zod';

import {
	codeOf,
	entryList,
	filledText,
	flag,
	isEmail,
	matchingText,
	recordIdSchema,
	shortText,
	text,
	valueText,
} from './bodySchema';
import { dayText, isBirthDay, isoDate } from './dateText';
import { sameName } from './nearestName';
import { dialingPrefixSchema, phoneNumberProblem, phoneNumberSchema } from './phoneNumber';
import { isObject, type ReadOnlyProperties } from './requestBody';

/**
 * The properties of a person: service.md 4.2. Codes are given with their names, which records that are
 * read have in their place.
 */

const deviceTypes = { C: 'Cell', L: 'Landline', U: 'Unknown', F: 'Fax', V: 'VoIP' } as const;
const deviceTypeNumbers = [1, 2, 4, 5, 6] as const;

const isPreferred: BodyField<typeof flag> = {
	...flagField('Is Preferred', 'Whether this is the one to use first', false),
	// An unticked box is not sent: false would overwrite what is stored.
	toBody: (ticked) => (String(ticked).trim().toLowerCase() === 'false' ? undefined : ticked),
};

const countryCode = textField(
	'Country Code',
	'The two letters of the country. Empty for the United States.',
	'US',
	matchingText(/^[A-Za-z]{2}$/, 'must be the two letters of a country, such as US').transform(
		(code) => code.toUpperCase(),
	),
);

const emailFields = {
	email: textField(
		'Email',
		'The email address. An entry without one is left out.',
		'ann@example.org',
		text.refine((value) => isEmail(value), {
			message: 'is not an email address, such as ann@example.org',
		}),
	),
	isPreferred,
	subscriptionStatus: choiceField(
		'Subscription Status',
		{ S: 'Subscribed', N: 'Not Subscribed', U: 'Unsubscribed' },
		'If the person gets mailings there. Unsubscribed cannot be undone.',
	),
	type: choiceField(
		'Type',
		{ P: 'Personal', W: 'Work', O: 'Other' },
		'What the address is used for. The service uses Personal if this is not set.',
	),
	isSubscribed: jsonOnly(flag),
};

const emailSchema = objectOf(emailFields, 'email')
	.refine(
		({ isSubscribed, subscriptionStatus: status }) =>
			isSubscribed === undefined || status === undefined || isSubscribed === (status === 'S'),
		{
			path: ['isSubscribed'],
			message: 'contradicts the subscription status. Keep the status and remove this',
		},
	)
	// The service accepts only one of the two, but returns both.
	.transform(({ isSubscribed, ...email }) => ({
		...email,
		...(email.subscriptionStatus === undefined && isSubscribed !== undefined && { isSubscribed }),
	}));

type DeviceType = keyof typeof deviceTypes | (typeof deviceTypeNumbers)[number];

const statusIdFields = { statusId: jsonOnly(recordIdSchema) };

const phoneFields = {
	countryCode,
	deviceType: {
		...choiceField('Device Type', deviceTypes, 'What kind of device answers there'),
		schema: z.preprocess(
			(value) => codeOf(deviceTypes, value),
			z.custom<DeviceType>(
				(value) =>
					String(value) in deviceTypes ||
					deviceTypeNumbers.some((known) => known === Number(value)),
				{
					message: `must be one of ${Object.keys(deviceTypes).join(', ')}, or of the numbers ${deviceTypeNumbers.join(', ')}`,
				},
			),
		),
	},
	dialingPrefix: textField(
		'Dialing Prefix',
		'The international prefix of one to three digits. It must match the country code.',
		'44',
		dialingPrefixSchema,
	),
	ext: textField(
		'Extension',
		'At most 6 characters',
		'12',
		shortText(6, 'must have at most 6 characters'),
	),
	isPreferred,
	phoneOptInStatus: choiceField(
		'Opt-In Status',
		{ I: 'Opt-In', O: 'Opt-Out', U: 'Unknown' },
		'If the person agreed to be called or texted there',
	),
	phoneNumber: textField(
		'Phone Number',
		'The number; only its digits are sent. For a country other than the US and Canada set the country code too. An entry without a number is left out.',
		'907-555-0100',
		phoneNumberSchema,
	),
	phoneType: choiceField(
		'Phone Type',
		{ C: 'Cell', F: 'Fax', H: 'Home', M: 'Main', O: 'Other', P: 'Personal', W: 'Work' },
		'What the number is used for',
	),
	isCellStatus: jsonOnly(objectOf(statusIdFields, 'statusId'), statusIdFields),
};

const phoneSchema = objectOf(phoneFields, 'phoneNumber').superRefine((phone, context) => {
	const { phoneNumber, countryCode: country, dialingPrefix: prefix } = phone;
	const addProblem = (name: string, message: string): void =>
		context.addIssue({ code: 'custom', path: [name], message });
	const isOfNorthAmerica = country === 'US' || country === 'CA';
	if (isOfNorthAmerica && prefix !== undefined && prefix !== '1') {
		addProblem(
			'dialingPrefix',
			`is ${prefix}, but the prefix of ${country} is 1. Correct one of the two`,
		);
	}
	const isAssumed = country === undefined && (prefix === undefined || prefix === '1');
	const problem = phoneNumberProblem(phoneNumber, isOfNorthAmerica || isAssumed, 'country code');
	if (problem !== undefined) addProblem('phoneNumber', problem);
});

/** A ZIP of the United States that was stored as a number has lost its leading zeros. */
function withLeadingZeros(address: unknown): unknown {
	if (!isObject(address)) return address;
	const { zipOrPostalCode: zip, countryCode: country = 'US' } = address;
	return typeof zip === 'number' && zip > 0 && sameName(String(country), 'US')
		? { ...address, zipOrPostalCode: String(zip).padStart(5, '0') }
		: address;
}

const addressFields = {
	addressLine1: textField('Address Line 1', 'Number and street', '1 Elm St'),
	addressLine2: textField('Address Line 2', 'Apartment, suite or unit'),
	addressLine3: textField('Address Line 3', 'Third line of the address'),
	city: textField('City', 'City or town', 'Nome'),
	countryCode,
	isPreferred,
	stateOrProvince: textField(
		'State or Province',
		'Its code of two or three letters',
		'AK',
		matchingText(/^.{2,3}$/, 'must be the code of two or three letters, such as AK'),
	),
	type: choiceField(
		'Type',
		sameNames(['Home', 'Voting', 'Mailing', 'Work', 'Custom']),
		'What the address is used for. The service uses Home if this is not set.',
	),
	zipOrPostalCode: textField(
		'ZIP or Postal Code',
		'Helps to find the person, together with the name. A US ZIP given as a number gets its leading zeros back.',
		'99762',
	),
};

const identifierFields = {
	externalId: textField(
		'External ID',
		'The ID of the person in the other system. An entry without one is left out.',
		'A-1',
		filledText,
	),
	type: textField(
		'Type',
		'Name of the identifier type, as it is set up in the service',
		'CrmId',
		filledText,
	),
};

const customFieldFields = {
	customFieldGroupId: textField(
		'Custom Field Group ID',
		'The number of the group the field belongs to',
		'31',
		recordIdSchema,
	),
	customFieldId: textField('Custom Field ID', 'The number of the field', '301', recordIdSchema),
	assignedValue: textField(
		'Value',
		'The value for the field. An entry without a value is left out.',
		'',
		valueText,
	),
};

const suppressionFields = {
	suppressionCode: textField(
		'Suppression Code',
		'How the person must not be contacted, e.g. NC no calls, NE no email, NM no mail',
		'NC',
		matchingText(/^[A-Z]{2,4}$/, 'must be a code of capital letters, such as NC or NE'),
	),
};

/**
 * A list of the person, without the entries that lack what they are for: forms give one for every empty
 * line.
 */
function entriesField<Schema extends z.ZodTypeAny>(
	displayName: string,
	entry: { displayName: string; name: string },
	description: string,
	fields: BodyFields,
	schema: Schema,
	needsOneOf: readonly string[],
) {
	return listField(
		{ displayName, description, entry },
		fields,
		entryList(schema, Object.keys(fields), needsOneOf),
	);
}

const ID_LIST = 'Their numbers, as set up by your organization, separated by commas';

const idList = <Name extends string>(displayName: string, idName: Name) =>
	idListField(idName, textField(displayName, ID_LIST, '3, 7').screen);

const idObject = <Name extends string>(displayName: string, idName: Name, description: string) =>
	idObjectField(idName, textField(displayName, description).screen);

export const personFields = {
	firstName: textField(
		'First Name',
		'Given name. Helps to find the person, together with the last name.',
		'Ann',
	),
	lastName: textField(
		'Last Name',
		'Family name. Helps to find the person, together with the first name.',
		'Lee',
	),
	middleName: textField('Middle Name', 'The middle name or its initial'),
	suffix: textField('Suffix', 'A suffix the service knows; others are ignored', 'Jr'),
	title: textField('Title', 'The title before the name', 'Dr'),
	salutation: textField('Salutation', 'The form of address. If left out, the service forms one.'),
	envelopeName: textField(
		'Envelope Name',
		'The name on envelopes. If left out, the service forms one.',
	),
	formalSalutation: textField('Formal Salutation', 'The formal form of address'),
	additionalSalutation: textField('Additional Salutation', 'A further form of address'),
	formalEnvelopeName: textField('Formal Envelope Name', 'The formal name on envelopes'),
	additionalEnvelopeName: textField('Additional Envelope Name', 'A further name on envelopes'),
	nickname: textField('Nickname', 'What friends call the person'),
	website: textField('Website', 'Address of a website', 'https://example.org'),
	jobTitle: textField('Job Title', 'The position of the person'),
	contactMethodPreferenceCode: choiceField(
		'Preferred Contact Method',
		{ E: 'Email', F: 'Code F', M: 'Mail', P: 'Phone', S: 'Code S' },
		'How the person wants to be contacted. Ask the service operator what F and S mean.',
	),
	party: textField(
		'Party',
		'The one character that stands for the party',
		'D',
		matchingText(/^.$/u, 'must be one character'),
	),
	sex: choiceField('Sex', { F: 'Female', M: 'Male' }, 'Female or male, as the service knows it'),
	// Checked here: the service silently drops a date it cannot read.
	dateOfBirth: textField(
		'Date of Birth',
		'Year, month and day; a time of day is left out',
		'1975-09-18',
		z
			.preprocess(
				dayText,
				text.refine((value) => isBirthDay(isoDate(value)?.slice(0, 10) ?? ''), {
					message:
						'must be a date in the past, from 1900 on, written year-month-day: 1975-09-18. For dates such as 9/18/1975, set the option Date Format to M/d/yyyy',
				}),
			)
			.transform((date) => date.slice(0, 10)),
	),
	employer: textField('Employer', 'Where the person works'),
	occupation: textField('Occupation', 'What the person does for a living'),
	pronouns: idObject('Pronoun ID', 'pronounId', 'The number of the pronouns in the service'),
	selfReportedRaces: idList('Self-Reported Race IDs', 'reportedRaceId'),
	selfReportedEthnicities: idList('Self-Reported Ethnicity IDs', 'reportedEthnicityId'),
	selfReportedGenders: idList('Self-Reported Gender IDs', 'reportedGenderId'),
	selfReportedSexualOrientations: idList(
		'Self-Reported Sexual Orientation IDs',
		'reportedSexualOrientationId',
	),
	selfReportedLanguagePreference: idObject(
		'Self-Reported Language Preference ID',
		'reportedLanguagePreferenceId',
		'The number of the language in the service',
	),
	collectedLocationId: textField(
		'Collected Location ID',
		'The number of the location where the data was collected',
		'',
		recordIdSchema,
	),
	electionType: choiceField(
		'Election Type',
		sameNames(['G', 'P', 'R', 'PP', 'SP', 'SG', 'MP', 'MG', 'C', 'O']),
		'The code of the kind of election',
	),
	cycle: textField(
		'Cycle',
		'The year of the election cycle',
		'2026',
		z
			.custom<number | string>((value) => /^\d{4}$/.test(String(value)), {
				message: 'must be a year of four digits',
			})
			.transform(Number),
	),
	contactMode: choiceField(
		'Contact Mode',
		sameNames(['Person', 'Organization']),
		'If this is a person or an organization',
	),
	organizationContactCommonName: textField(
		'Organization Common Name',
		'The name in use, of an organization only',
	),
	organizationContactOfficialName: textField(
		'Organization Official Name',
		'The registered name, of an organization only',
	),
	emails: entriesField(
		'Emails',
		{ displayName: 'Email', name: 'email' },
		'Email addresses with their type and subscription, in addition to the field Email above',
		emailFields,
		emailSchema,
		['email'],
	),
	phones: entriesField(
		'Phones',
		{ displayName: 'Phone', name: 'phone' },
		'Phone numbers with their type, country and opt-in, in addition to the field Phone above',
		phoneFields,
		phoneSchema,
		['phoneNumber'],
	),
	addresses: entriesField(
		'Addresses',
		{ displayName: 'Address', name: 'address' },
		'Postal addresses of the person',
		addressFields,
		z.preprocess(withLeadingZeros, objectOf(addressFields)),
		['addressLine1', 'addressLine2', 'addressLine3', 'city', 'stateOrProvince', 'zipOrPostalCode'],
	),
	identifiers: entriesField(
		'External IDs',
		{ displayName: 'External ID', name: 'identifier' },
		'IDs of the person in other systems',
		identifierFields,
		objectOf(identifierFields, 'externalId', 'type'),
		['externalId'],
	),
	customFieldValues: entriesField(
		'Custom Fields',
		{ displayName: 'Custom Field', name: 'customFieldValue' },
		'Values of fields your organization has added',
		customFieldFields,
		objectOf(customFieldFields, 'customFieldId', 'customFieldGroupId', 'assignedValue'),
		['assignedValue'],
	),
	suppressions: entriesField(
		'Suppressions',
		{ displayName: 'Suppression', name: 'suppression' },
		'Ways in which the person must not be contacted',
		suppressionFields,
		objectOf(suppressionFields, 'suppressionCode'),
		['suppressionCode'],
	),
};

export const personSchema = objectOf(personFields);

/** The service's own ID of a person. The name of the property depends on the deployment. */
export const personIdField = withScreen(
	textField(
		'Person ID',
		'The number of the person in the service, if you know it. It decides who is matched, whatever else is entered; an unknown one is ignored.',
		'100123',
		recordIdSchema,
	),
	{ name: 'personId' },
);

/**
 * A person to find, store or update (service.md 4.2), without the service's own ID, whose property name
 * depends on the deployment.
 */
export type Person = z.output<typeof personSchema>;

const named =
	(...names: string[]) =>
	(name: string): boolean =>
		names.includes(name);

/** Sections of a person that are only read: service.md 4.7. */
export const readOnlyPersonSections = [
	'biography',
	'cases',
	'codes',
	'contributionHistory',
	'customFields',
	'customProperties',
	'disclosureFieldValues',
	'districts',
	'electionRecords',
	'membershipStatuses',
	'notes',
	'organizationRoles',
	'pollingLocation',
	'preferences',
	'primaryContact',
	'recordedAddresses',
	'reportedDemographics',
	'scores',
];

/** Read-only properties of a person: service.md 4.7. */
export const readOnlyPersonProperties: ReadOnlyProperties = [
	[/^$/, named('matchStatus', ...readOnlyPersonSections)],
	[/^emails\[\d+\]$/, named('dateCreated')],
	[
		/^phones\[\d+\]$/,
		named('phoneId', 'dateCreated', 'isBest', 'smsOptInStatus', 'isCellPhoneExchange'),
	],
	[/^phones\[\d+\]\.isCellStatus$/, named('statusName')],
	[
		/^addresses\[\d+\]$/,
		named('addressId', 'geoLocation', 'preview', 'streetAddress', 'displayMode'),
	],
];
