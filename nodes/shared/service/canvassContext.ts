import { z } from 'zod';

import { choiceField, flagField, objectOf, screenFields, textField, withScreen } from './bodyField';
import { coded, encodableIdSchema, flagOf, recordIdSchema, text } from './bodySchema';
import { dateText, isoDate } from './dateText';
import { checkPhone, dialingPrefixSchema, digitsOf, phoneNumberSchema } from './phoneNumber';
import { recordField } from './serviceLists';

/** One of the service's lists to choose from; codes and questions may also have encoded IDs. */
const idField = (...named: Parameters<typeof recordField>) => ({
	schema: encodableIdSchema,
	screen: recordField(...named),
});

/** What a response and its context refer to, as the lists of the service can be filtered by, too. */
export const listedFields = {
	campaignId: idField('campaignId', 'The campaign the contact was part of'),
	contactTypeId: idField(
		'contactTypeId',
		'How the person was contacted, e.g. by phone or at the door. The input type must allow it.',
	),
	inputTypeId: idField('inputTypeId', 'How the response was entered. Default: API.'),
	resultCodeId: idField(
		'resultCodeId',
		'How the attempt ended without contact, e.g. Not Home or Wrong Number',
	),
	activistCodeId: idField(
		'activistCodeId',
		'The activist code to apply or remove. Encoded IDs that begin with EID are accepted, too.',
	),
	surveyQuestionId: idField(
		'surveyQuestionId',
		'The question that was answered. Encoded IDs that begin with EID are accepted, too.',
	),
	surveyResponseId: idField(
		'surveyResponseId',
		"The person's response: one of the responses of the survey question",
	),
};

const phoneFields = {
	dialingPrefix: textField(
		'Dialing Prefix',
		'Country part of the number, 1 to 3 digits',
		'1',
		dialingPrefixSchema,
	),
	phoneNumber: textField(
		'Phone Number',
		'The number that was called or texted',
		'907-555-0100',
		phoneNumberSchema,
	),
	smsOptInStatus: {
		...choiceField(
			'SMS Opt-In Status',
			{ I: 'Opted In', O: 'Opted Out', U: 'Unknown' },
			'Whether the person wants text messages on this phone',
			'Leave as It Is',
		),
		schema: coded(
			{ I: 'Opt-In', O: 'Opt-Out', U: 'Unknown' },
			'must be I (opted in), O (opted out) or U (unknown)',
		),
	},
};

const phoneSchema = objectOf(phoneFields, 'phoneNumber')
	.superRefine(checkPhone('dialing prefix'))
	.transform((phone) => ({ ...phone, phoneNumber: digitsOf(phone.phoneNumber) }));

/** The service has a switch for omitting, the screen one for adding. */
function negated(value: unknown): unknown {
	const isOn = flagOf(value);
	return typeof isOn === 'boolean' ? !isOn : isOn;
}

/** service.md 5.1. */
export const contextFields = {
	omitActivistCodeContactHistory: {
		...withScreen(
			flagField(
				'Add Codes to Contact History',
				'Whether to add an entry to the contact history if only activist codes are applied or removed',
				false,
			),
			{ name: 'addActivistCodesToContactHistory' },
		),
		toBody: negated,
	},
	campaignId: listedFields.campaignId,
	contactTypeId: listedFields.contactTypeId,
	contentId: textField(
		'Content ID',
		'Number of the content that was used. Needs a campaign.',
		'88',
		encodableIdSchema,
	),
	dateCanvassed: {
		schema: z
			.preprocess(
				dateText,
				text.refine((value) => isoDate(value) !== undefined, {
					message:
						'must be a date such as 2026-03-01, or a date with a time in ISO 8601. For dates such as 3/1/2026, set the option Date Format to M/d/yyyy',
				}),
			)
			.transform((value) => isoDate(value) ?? value),
		screen: {
			displayName: 'Date Canvassed',
			type: 'dateTime' as const,
			default: '',
			description:
				'When the person was contacted: a date such as 2026-03-01, or a date with a time. If left out, the service uses today.',
		},
	},
	inputTypeId: listedFields.inputTypeId,
	phone: {
		schema: phoneSchema,
		screen: {
			displayName: 'Phone',
			type: 'fixedCollection' as const,
			default: {},
			placeholder: 'Set Phone',
			description: 'The phone that was called or texted, if you do not know its ID',
			options: [{ displayName: 'Phone', name: 'number', values: screenFields(phoneFields) }],
		},
		fields: phoneFields,
	},
	phoneId: textField(
		'Phone ID',
		'ID of the phone that was called or texted. Calling and texting tools must send it: wrong numbers and opt-ins are recorded for this phone.',
		'5544',
		recordIdSchema,
	),
	skipMatching: flagField(
		'Store Repeated Responses',
		'Whether to store the response even if it repeats one of the last hour. Otherwise the service merges the two.',
		true,
	),
};
export const canvassContextSchema = objectOf(contextFields);
