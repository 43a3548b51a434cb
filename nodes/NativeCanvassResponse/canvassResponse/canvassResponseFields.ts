import type { INodeProperties } from 'n8n-workflow';

import type { BodyPath } from '../../shared/service/bodyProblem';
import {
	activistCodeField,
	campaignField,
	contactTypeField,
	inputTypeField,
	resultCodeField,
	surveyQuestionField,
	surveyResponseField,
} from '../idFields';
import { fieldsOrJson } from '../../shared/parameters/fieldKinds';

const actionField: INodeProperties = {
	displayName: 'Action',
	name: 'action',
	type: 'options',
	options: [
		{ name: 'Apply', value: 'Apply' },
		{ name: 'Remove', value: 'Remove' },
	],
	default: 'Apply',
	description: 'Apply gives it to the person, Remove takes it away',
};

/** service.md 5.1. */
const contextFields: INodeProperties[] = [
	{
		displayName: 'Add Activist Codes to Contact History',
		name: 'addActivistCodesToContactHistory',
		type: 'boolean',
		default: false,
		description:
			'Whether to add an entry to the contact history if only activist codes are applied or removed',
	},
	campaignField,
	contactTypeField,
	{
		displayName: 'Content ID',
		name: 'contentId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 88',
		description: 'Number of the content that was used. Needs a campaign.',
	},
	{
		displayName: 'Date Canvassed',
		name: 'dateCanvassed',
		type: 'dateTime',
		default: '',
		description:
			'When the person was contacted: a date such as 2026-03-01, or a date with a time. If left out, the service uses today.',
	},
	inputTypeField,
	{
		displayName: 'Phone',
		name: 'phone',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set Phone',
		description: 'The phone that was called or texted, if you do not know its ID',
		options: [
			{
				displayName: 'Phone',
				name: 'number',
				values: [
					{
						displayName: 'Dialing Prefix',
						name: 'dialingPrefix',
						type: 'string',
						default: '',
						placeholder: 'e.g. 1',
						description: 'Country part of the number, 1 to 3 digits',
					},
					{
						displayName: 'Phone Number',
						name: 'phoneNumber',
						type: 'string',
						default: '',
						placeholder: 'e.g. 907-555-0100',
						description: 'The number that was called or texted',
					},
					{
						displayName: 'SMS Opt-In Status',
						name: 'smsOptInStatus',
						type: 'options',
						options: [
							{ name: 'Leave as It Is', value: '' },
							{ name: 'Opted In', value: 'I' },
							{ name: 'Opted Out', value: 'O' },
							{ name: 'Unknown', value: 'U' },
						],
						default: '',
						description: 'If the person wants text messages at this phone',
					},
				],
			},
		],
	},
	{
		displayName: 'Phone ID',
		name: 'phoneId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5544',
		description:
			'ID of the phone that was called or texted. Calling and texting tools must send it: wrong numbers and opt-ins are recorded for this phone.',
	},
	{
		displayName: 'Store Repeated Responses',
		name: 'skipMatching',
		type: 'boolean',
		default: true,
		description:
			'Whether to store the response even if it repeats one of the last hour. Otherwise the service merges the two.',
	},
];

const usingFields = { defineResponse: ['fields'] };

export const canvassResponseFields: INodeProperties[] = [
	...fieldsOrJson('Response', {
		displayName: 'Canvass Response (JSON)',
		name: 'canvassResponseJson',
		description:
			'The response with canvassContext and either resultCodeId or responses, each with its type: ActivistCode, SurveyResponse or VolunteerActivity',
	}),
	{
		displayName: 'Canvass Context',
		name: 'canvassContext',
		type: 'collection',
		placeholder: 'Add Context',
		default: {},
		displayOptions: { show: usingFields },
		description: 'How, when and by which phone the person was contacted',
		options: contextFields,
	},
	{
		displayName: 'Outcome',
		name: 'outcome',
		type: 'options',
		options: [
			{
				name: 'Responses',
				value: 'responses',
				description:
					'The person was reached: what they answered, and codes and activities to apply',
			},
			{
				name: 'Result Code',
				value: 'resultCode',
				description: 'The attempt ended without contact, e.g. not home or wrong number',
			},
		],
		default: 'resultCode',
		displayOptions: { show: usingFields },
		description: 'Result of the attempt: either responses or a result code, never both',
	},
	{
		...resultCodeField,
		required: true,
		displayOptions: { show: { ...usingFields, outcome: ['resultCode'] } },
	},
	{
		displayName: 'Responses',
		name: 'responses',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Response',
		default: {},
		displayOptions: { show: { ...usingFields, outcome: ['responses'] } },
		description: 'What the person said, and what to record for them. At least one is needed.',
		options: [
			{
				displayName: 'Activist Code',
				name: 'activistCodes',
				values: [activistCodeField, actionField],
			},
			{
				displayName: 'Survey Response',
				name: 'surveyResponses',
				values: [surveyQuestionField, surveyResponseField],
			},
			{
				displayName: 'Volunteer Activity',
				name: 'volunteerActivities',
				values: [
					{
						displayName: 'Volunteer Activity ID',
						name: 'volunteerActivityId',
						type: 'string',
						default: '',
						placeholder: 'e.g. 901',
						description: 'Number of the volunteer activity',
					},
					actionField,
				],
			},
		],
	},
];

export const CANVASS_RESPONSE_JSON_LABEL = 'Canvass Response (JSON)';

/** Labels on the screen by property of the body. */
const labels: Record<string, string> = {
	canvassContext: 'Canvass Context',
	contactTypeId: 'Contact Type',
	inputTypeId: 'Input Type',
	dateCanvassed: 'Date Canvassed',
	phoneId: 'Phone ID',
	phone: 'Phone',
	dialingPrefix: 'Dialing Prefix',
	phoneNumber: 'Phone Number',
	smsOptInStatus: 'SMS Opt-In Status',
	skipMatching: 'Store Repeated Responses',
	omitActivistCodeContactHistory: 'Add Activist Codes to Contact History',
	campaignId: 'Campaign',
	contentId: 'Content ID',
	resultCodeId: 'Result Code',
	responses: 'Responses',
	action: 'Action',
	activistCodeId: 'Activist Code',
	surveyQuestionId: 'Survey Question',
	surveyResponseId: 'Survey Response',
	volunteerActivityId: 'Volunteer Activity ID',
};

/**
 * A place in the body in the words on the screen: `Responses → Survey Response 2 → Survey Question`.
 * @param responsePlaces the place of each entry of `responses` on the screen
 */
export function fieldOnScreen(path: BodyPath, responsePlaces: string[]): string {
	return path
		.map((part) =>
			typeof part === 'number'
				? (responsePlaces[part] ?? String(part + 1))
				: (labels[part] ?? part),
		)
		.join(' → ');
}
