import { z } from 'zod';

import type { KnownProperties } from './bodyProblem';
import {
	codeOf,
	coded,
	entryList,
	filledText,
	flag,
	list,
	matchingText,
	object,
	oneOf,
	shortText,
	text,
	valueText,
} from './bodySchema';
import { dayText, isBirthDay, isoDate } from './dateText';
import { sameName } from './nearestName';
import { dialingPrefixSchema, phoneNumberProblem, phoneNumberSchema } from './phoneNumber';
import { recordIdSchema } from './recordId';
import { isObject, type ReadOnlyProperties } from './requestBody';

/** Codes and their names: service.md 4.2. Records that are read have names in place of codes. */
export const emailTypes = { P: 'Personal', W: 'Work', O: 'Other' } as const;
export const subscriptionStatuses = {
	S: 'Subscribed',
	N: 'Not Subscribed',
	U: 'Unsubscribed',
} as const;
export const phoneTypes = {
	C: 'Cell',
	F: 'Fax',
	H: 'Home',
	M: 'Main',
	O: 'Other',
	P: 'Personal',
	W: 'Work',
} as const;
export const phoneOptInStatuses = { I: 'Opt-In', O: 'Opt-Out', U: 'Unknown' } as const;
export const deviceTypes = {
	C: 'Cell',
	L: 'Landline',
	U: 'Unknown',
	F: 'Fax',
	V: 'VoIP',
} as const;
const deviceTypeNumbers = [1, 2, 4, 5, 6] as const;
export const addressTypes = ['Home', 'Voting', 'Mailing', 'Work', 'Custom'] as const;
export const contactMethodPreferences = {
	E: 'Email',
	F: 'Code F',
	M: 'Mail',
	P: 'Phone',
	S: 'Code S',
} as const;
export const electionTypes = ['G', 'P', 'R', 'PP', 'SP', 'SG', 'MP', 'MG', 'C', 'O'] as const;
export const contactModes = ['Person', 'Organization'] as const;
export const sexes = { F: 'Female', M: 'Male' } as const;

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/;

/** Whether a text can be an email address. */
export function isEmail(value: string): boolean {
	return value.length <= 254 && EMAIL.test(value);
}

const emailShape = object({
	email: text.refine((value) => isEmail(value), {
		message: 'is not an email address, such as ann@example.org',
	}),
	type: coded(emailTypes).optional(),
	isPreferred: flag.optional(),
	isSubscribed: flag.optional(),
	subscriptionStatus: coded(subscriptionStatuses).optional(),
});

const emailSchema = emailShape
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

const countryCode = matchingText(
	/^[A-Za-z]{2}$/,
	'must be the two letters of a country, such as US',
).transform((code) => code.toUpperCase());

type DeviceType = keyof typeof deviceTypes | (typeof deviceTypeNumbers)[number];

const phoneShape = object({
	phoneNumber: phoneNumberSchema,
	phoneType: coded(phoneTypes).optional(),
	deviceType: z
		.preprocess(
			(value) => codeOf(deviceTypes, value),
			z.custom<DeviceType>(
				(value) =>
					String(value) in deviceTypes ||
					deviceTypeNumbers.some((known) => known === Number(value)),
				{
					message: `must be one of ${Object.keys(deviceTypes).join(', ')}, or of the numbers ${deviceTypeNumbers.join(', ')}`,
				},
			),
		)
		.optional(),
	ext: shortText(6, 'must have at most 6 characters').optional(),
	isPreferred: flag.optional(),
	phoneOptInStatus: coded(phoneOptInStatuses).optional(),
	isCellStatus: object({ statusId: recordIdSchema }).optional(),
	dialingPrefix: dialingPrefixSchema.optional(),
	countryCode: countryCode.optional(),
});

const phoneSchema = phoneShape.superRefine((phone, context) => {
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

const addressSchema = object({
	addressLine1: text.optional(),
	addressLine2: text.optional(),
	addressLine3: text.optional(),
	city: text.optional(),
	stateOrProvince: matchingText(
		/^.{2,3}$/,
		'must be the code of two or three letters, such as AK',
	).optional(),
	zipOrPostalCode: text.optional(),
	countryCode: countryCode.optional(),
	type: oneOf(addressTypes).optional(),
	isPreferred: flag.optional(),
});

const identifierSchema = object({ type: filledText, externalId: filledText });

const customFieldValueSchema = object({
	customFieldId: recordIdSchema,
	customFieldGroupId: recordIdSchema,
	assignedValue: valueText,
});

const suppressionSchema = object({
	suppressionCode: matchingText(
		/^[A-Z]{2,4}$/,
		'must be a code of capital letters, such as NC or NE',
	),
});

const listEntries = {
	emails: emailShape,
	phones: phoneShape,
	addresses: addressSchema,
	identifiers: identifierSchema,
	customFieldValues: customFieldValueSchema,
	suppressions: suppressionSchema,
} as const;

const propertiesOf = (name: keyof typeof listEntries): string[] =>
	Object.keys(listEntries[name].shape);

export const personSchema = object({
	firstName: text.optional(),
	middleName: text.optional(),
	lastName: text.optional(),
	suffix: text.optional(),
	title: text.optional(),
	salutation: text.optional(),
	envelopeName: text.optional(),
	formalSalutation: text.optional(),
	additionalSalutation: text.optional(),
	formalEnvelopeName: text.optional(),
	additionalEnvelopeName: text.optional(),
	nickname: text.optional(),
	website: text.optional(),
	jobTitle: text.optional(),
	contactMethodPreferenceCode: coded(contactMethodPreferences).optional(),
	party: matchingText(/^.$/u, 'must be one character').optional(),
	sex: coded(sexes).optional(),
	// Checked here: the service silently drops a date it cannot read.
	dateOfBirth: z
		.preprocess(
			dayText,
			text.refine((value) => isBirthDay(isoDate(value)?.slice(0, 10) ?? ''), {
				message:
					'must be a date in the past, from 1900 on, written year-month-day: 1975-09-18. For dates such as 9/18/1975, set the option Date Format to M/d/yyyy',
			}),
		)
		.transform((date) => date.slice(0, 10))
		.optional(),
	employer: text.optional(),
	occupation: text.optional(),
	pronouns: object({ pronounId: recordIdSchema }).optional(),
	selfReportedRaces: list(object({ reportedRaceId: recordIdSchema })).optional(),
	selfReportedEthnicities: list(object({ reportedEthnicityId: recordIdSchema })).optional(),
	selfReportedGenders: list(object({ reportedGenderId: recordIdSchema })).optional(),
	selfReportedSexualOrientations: list(
		object({ reportedSexualOrientationId: recordIdSchema }),
	).optional(),
	selfReportedLanguagePreference: object({
		reportedLanguagePreferenceId: recordIdSchema,
	}).optional(),
	collectedLocationId: recordIdSchema.optional(),
	electionType: oneOf(electionTypes).optional(),
	cycle: z
		.custom<number | string>((value) => /^\d{4}$/.test(String(value)), {
			message: 'must be a year of four digits',
		})
		.transform(Number)
		.optional(),
	contactMode: oneOf(contactModes).optional(),
	organizationContactCommonName: text.optional(),
	organizationContactOfficialName: text.optional(),
	emails: entryList(emailSchema, propertiesOf('emails'), ['email']).optional(),
	phones: entryList(phoneSchema, propertiesOf('phones'), ['phoneNumber']).optional(),
	addresses: entryList(z.preprocess(withLeadingZeros, addressSchema), propertiesOf('addresses'), [
		'addressLine1',
		'addressLine2',
		'addressLine3',
		'city',
		'stateOrProvince',
		'zipOrPostalCode',
	]).optional(),
	identifiers: entryList(identifierSchema, propertiesOf('identifiers'), ['externalId']).optional(),
	customFieldValues: entryList(customFieldValueSchema, propertiesOf('customFieldValues'), [
		'assignedValue',
	]).optional(),
	suppressions: entryList(suppressionSchema, propertiesOf('suppressions'), [
		'suppressionCode',
	]).optional(),
});

/**
 * A person to find, store or update (service.md 4.2), without the service's own ID, whose property name
 * depends on the deployment.
 */
export type Person = z.output<typeof personSchema>;

export const knownPersonProperties: KnownProperties = [
	[/^$/, Object.keys(personSchema.shape)],
	...Object.entries(listEntries).map(([name, { shape }]): KnownProperties[number] => [
		new RegExp(`^${name}\\[\\d+\\]$`),
		Object.keys(shape),
	]),
];

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
