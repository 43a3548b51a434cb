import { z } from 'zod';

import {
	type BodyField,
	choiceField,
	flagField,
	objectOf,
	sameNames,
	textField,
} from './bodyField';
import {
	codeOf,
	filledText,
	flag,
	isEmail,
	lacksId,
	matchingText,
	recordIdSchema,
	shortText,
	text,
	valueText,
} from './bodySchema';
import { sameName } from './nearestName';
import { checkPhone, dialingPrefixSchema, digitsOf, phoneNumberSchema } from './phoneNumber';
import { isObject } from './requestBody';

const deviceTypes = { C: 'Cell', L: 'Landline', U: 'Unknown', F: 'Fax', V: 'VoIP' } as const;
const deviceTypeNumbers = [1, 2, 4, 5, 6] as const;

const isPreferred: BodyField<typeof flag> = {
	...flagField('Is Preferred', 'Whether to use this one first', false),
	// An unticked box is not sent: false would overwrite what is stored.
	toBody: (ticked) => (String(ticked).trim().toLowerCase() === 'false' ? undefined : ticked),
};

const countryCode = textField(
	'Country Code',
	'The two-letter country code. Empty for the United States.',
	'US',
	matchingText(/^[A-Za-z]{2}$/, 'must be a two-letter country code, such as US').transform((code) =>
		code.toUpperCase(),
	),
);

export const emailFields = {
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
		'Whether the person gets mailings there. Unsubscribed cannot be undone.',
	),
	type: choiceField(
		'Type',
		{ P: 'Personal', W: 'Work', O: 'Other' },
		'What the address is used for. The service uses Personal if this is not set.',
	),
	isSubscribed: { schema: flag },
};

export const emailSchema = objectOf(emailFields, 'email')
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

const statusIdFields = { statusId: { schema: recordIdSchema } };

export const phoneFields = {
	countryCode,
	deviceType: {
		...choiceField('Device Type', deviceTypes, 'Type of phone line'),
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
		'Whether the person agreed to be called or texted on this number',
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
	isCellStatus: { schema: objectOf(statusIdFields, 'statusId'), fields: statusIdFields },
};

export const phoneSchema = objectOf(phoneFields, 'phoneNumber')
	.superRefine(checkPhone('Country Code under Additional Fields, Phones,'))
	.transform((phone) => ({ ...phone, phoneNumber: digitsOf(phone.phoneNumber) }));

/** A ZIP of the United States, with or without its extension, that was a number has lost its leading zeros. */
export function withLeadingZeros(address: unknown): unknown {
	if (!isObject(address)) return address;
	const { zipOrPostalCode: zip, countryCode: country = 'US' } = address;
	return typeof zip === 'number' && zip > 0 && sameName(String(country), 'US')
		? { ...address, zipOrPostalCode: String(zip).padStart(zip > 99_999 ? 9 : 5, '0') }
		: address;
}

export const addressFields = {
	addressLine1: textField('Address Line 1', 'Number and street', '1 Elm St'),
	addressLine2: textField('Address Line 2', 'Apartment, suite or unit'),
	addressLine3: textField('Address Line 3', 'Third line of the address'),
	city: textField('City', 'City or town', 'Nome'),
	countryCode,
	isPreferred,
	stateOrProvince: textField(
		'State or Province',
		'The two- or three-letter code',
		'AK',
		matchingText(/^.{2,3}$/, 'must be a two- or three-letter code, such as AK'),
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

const filledIdentifier = filledText.superRefine((value, context) => {
	const message = lacksId(value);
	if (message !== undefined) context.addIssue({ code: 'custom', message });
});

export const identifierFields = {
	externalId: textField(
		'External ID',
		'The ID of the person in the other system. An entry without one is left out.',
		'A-1',
		filledIdentifier,
	),
	type: textField(
		'Type',
		'Name of the identifier type, as it is set up in the service',
		'CrmId',
		filledIdentifier,
	),
};

export const customFieldFields = {
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

export const suppressionFields = {
	suppressionCode: textField(
		'Suppression Code',
		'How the person must not be contacted, e.g. NC no calls, NE no email, NM no mail',
		'NC',
		matchingText(/^[A-Z]{2,4}$/, 'must be a code of capital letters, such as NC or NE'),
	),
};
