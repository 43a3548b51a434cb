import { z } from 'zod';

import { flagField, jsonOnly, objectOf, screenFields, textField, withScreen } from './bodyField';
import type { BodyProblem } from './bodyProblem';
import {
	coded,
	encodableIdSchema,
	flag,
	flagOf,
	list,
	oneOf,
	recordIdSchema,
	text,
} from './bodySchema';
import { dateText, isoDate } from './dateText';
import { sameName } from './nearestName';
import { dialingPrefixSchema, phoneNumberProblem, phoneNumberSchema } from './phoneNumber';
import { isObject, readBody } from './requestBody';
import { recordField } from './serviceLists';

const responseActions = ['Apply', 'Remove'] as const;

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
		'How the person was contacted, e.g. by phone or at the door. It must be possible with the input type.',
	),
	inputTypeId: idField(
		'inputTypeId',
		'How the response got into the service. If left out, the service uses API.',
	),
	resultCodeId: idField(
		'resultCodeId',
		'How the attempt ended without contact, e.g. Not Home or Wrong Number',
	),
	activistCodeId: idField(
		'activistCodeId',
		'The activist code to apply or remove. Encoded IDs that begin with EID can be entered, too.',
	),
	surveyQuestionId: idField(
		'surveyQuestionId',
		'The question that was answered. Encoded IDs that begin with EID can be entered, too.',
	),
	surveyResponseId: idField(
		'surveyResponseId',
		'The response of the person: one of the responses of the survey question',
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
		schema: coded(
			{ I: 'Opt-In', O: 'Opt-Out', U: 'Unknown' },
			'must be I (opted in), O (opted out) or U (unknown)',
		),
		screen: {
			displayName: 'SMS Opt-In Status',
			type: 'options' as const,
			options: [
				{ name: 'Leave as It Is', value: '' },
				{ name: 'Opted In', value: 'I' },
				{ name: 'Opted Out', value: 'O' },
				{ name: 'Unknown', value: 'U' },
			],
			default: '',
			description: 'If the person wants text messages at this phone',
		},
	},
};

const phoneSchema = objectOf(phoneFields, 'phoneNumber').superRefine(
	({ phoneNumber, dialingPrefix = '1' }, context) => {
		const message = phoneNumberProblem(phoneNumber, dialingPrefix === '1', 'dialing prefix');
		if (message !== undefined) context.addIssue({ code: 'custom', path: ['phoneNumber'], message });
	},
);

/** The service has a switch for omitting, the screen one for adding. */
function negated(value: unknown): unknown {
	const isOn = flagOf(value);
	return typeof isOn === 'boolean' ? !isOn : isOn;
}

/** service.md 5.1. */
const contextFields = {
	omitActivistCodeContactHistory: {
		...withScreen(
			flagField(
				'Add Activist Codes to Contact History',
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
const canvassContextSchema = objectOf(contextFields);

const action = {
	schema: oneOf(responseActions, 'must be Apply or Remove'),
	screen: {
		displayName: 'Action',
		type: 'options' as const,
		options: responseActions.map((name) => ({ name, value: name })),
		default: 'Apply',
		description: 'Apply gives it to the person, Remove takes it away',
	},
};

/** Some clients add it to each response; the service accepts it in the context. */
const ofEach = { omitActivistCodeContactHistory: jsonOnly(flag) };

/** The kinds of responses, which the screen lists one after the other. */
export const responseKinds = {
	activistCodes: {
		label: 'Activist Code',
		fields: {
			type: { schema: z.literal('ActivistCode'), constant: 'ActivistCode' },
			activistCodeId: listedFields.activistCodeId,
			action,
			...ofEach,
		},
	},
	surveyResponses: {
		label: 'Survey Response',
		fields: {
			type: { schema: z.literal('SurveyResponse'), constant: 'SurveyResponse' },
			surveyQuestionId: listedFields.surveyQuestionId,
			surveyResponseId: listedFields.surveyResponseId,
			// The service has no action here, but some clients send one.
			action: jsonOnly(
				oneOf(['Apply'], 'can only be Apply, because the service cannot remove a survey response'),
			),
			...ofEach,
		},
	},
	volunteerActivities: {
		label: 'Volunteer Activity',
		fields: {
			type: { schema: z.literal('VolunteerActivity'), constant: 'VolunteerActivity' },
			volunteerActivityId: textField(
				'Volunteer Activity ID',
				'Number of the volunteer activity',
				'901',
				encodableIdSchema,
			),
			action,
			...ofEach,
		},
	},
};

const { activistCodes, surveyResponses, volunteerActivities } = responseKinds;
const responseTypes = Object.values(responseKinds).map(({ fields }) => fields.type.constant);

/** A response with its type in the service's spelling. */
function withKnownType(response: unknown): unknown {
	if (!isObject(response) || typeof response.type !== 'string') return response;
	const given = response.type.trim();
	return { ...response, type: responseTypes.find((known) => sameName(known, given)) ?? given };
}

const responseSchema = z.preprocess(
	withKnownType,
	z.discriminatedUnion('type', [
		objectOf(activistCodes.fields, 'type', 'activistCodeId'),
		objectOf(surveyResponses.fields, 'type', 'surveyQuestionId', 'surveyResponseId'),
		objectOf(volunteerActivities.fields, 'type', 'volunteerActivityId'),
	]),
);

/** The request body of POST /people/{id}/canvassResponses: service.md 5.1. */
export const canvassResponseFields = {
	canvassContext: {
		schema: canvassContextSchema,
		screen: {
			displayName: 'Canvass Context',
			type: 'collection' as const,
			placeholder: 'Add Context',
			default: {},
			description: 'How, when and by which phone the person was contacted',
			options: screenFields(contextFields),
		},
		fields: contextFields,
	},
	resultCodeId: listedFields.resultCodeId,
	responses: {
		schema: list(responseSchema),
		screen: {
			displayName: 'Responses',
			type: 'fixedCollection' as const,
			typeOptions: { multipleValues: true },
			placeholder: 'Add Response',
			default: {},
			description: 'What the person said, and what to record for them. At least one is needed.',
			options: Object.entries(responseKinds).map(([name, { label, fields }]) => ({
				displayName: label,
				name,
				values: screenFields(fields),
			})),
		},
		fields: { ...activistCodes.fields, ...surveyResponses.fields, ...volunteerActivities.fields },
	},
};
const canvassResponseSchema = objectOf(canvassResponseFields);

type CanvassContext = z.output<typeof canvassContextSchema>;
type Response = z.output<typeof responseSchema>;
type SentResponse = Omit<Response, 'omitActivistCodeContactHistory'>;

/** A canvass response as it is sent: with a result code or responses, never both. */
export type CanvassResponse = { canvassContext?: CanvassContext } & (
	| { resultCodeId: number | string }
	| { responses: SentResponse[] }
);

/** Replaces zod's message for an unknown type of response: it varies by version and gives no advice. */
function inPlainWords(problem: BodyProblem): BodyProblem {
	const [list, , property, ...below] = problem.path;
	return list === 'responses' && property === 'type' && below.length === 0
		? { ...problem, text: `must be one of ${responseTypes.join(', ')}.` }
		: problem;
}

const EXACTLY_ONE =
	'A canvass response holds either the result of an attempt without contact, or what the person said: give one of the two.';

/** Removes properties the service accepts only in the context, or not at all. */
function sentResponse(response: Response): SentResponse {
	const dropped = ['omitActivistCodeContactHistory'];
	if (response.type === 'SurveyResponse') dropped.push('action');
	return Object.fromEntries(
		Object.entries(response).filter(([name]) => !dropped.includes(name)),
	) as SentResponse;
}

/** The context with the values that clients give beside the responses. */
function contextWith(
	context: CanvassContext | undefined,
	responses: readonly Response[],
	problems: BodyProblem[],
): CanvassContext | undefined {
	const name = 'omitActivistCodeContactHistory';
	let omits = context?.[name];
	responses.forEach(({ omitActivistCodeContactHistory: given }, index) => {
		if (given === undefined || given === omits) return;
		if (omits === undefined) omits = given;
		else {
			problems.push({
				path: ['responses', index, name],
				text: `is ${given} here and ${omits} before. It applies to all responses: give it once, in canvassContext.`,
			});
		}
	});
	return omits === undefined ? context : { ...context, [name]: omits };
}

/**
 * Checks a canvass response.
 * @returns the body to send, or all its problems
 */
export function checkCanvassResponse(
	input: unknown,
): { response: CanvassResponse } | { problems: BodyProblem[] } {
	const kind = { schema: canvassResponseSchema, fields: canvassResponseFields };
	const read = readBody(input, kind);
	if ('problems' in read) return { problems: read.problems.map(inPlainWords) };
	const { canvassContext: given, resultCodeId, responses } = read.body;
	const problems: BodyProblem[] = [];
	const canvassContext = contextWith(given, responses ?? [], problems);
	if (canvassContext?.contentId !== undefined && canvassContext.campaignId === undefined) {
		problems.push({
			path: ['canvassContext', 'campaignId'],
			text: 'is missing. A content ID needs the ID of its campaign.',
		});
	}
	if (resultCodeId !== undefined && responses !== undefined) {
		problems.push({
			path: ['resultCodeId'],
			text: `is given together with responses. ${EXACTLY_ONE}`,
		});
	}
	if (resultCodeId === undefined && responses === undefined) {
		problems.push(
			isObject(input) && 'resultCodeId' in input && !('responses' in input)
				? { path: ['resultCodeId'], text: 'is empty. Choose the result of the attempt.' }
				: {
						path: ['responses'],
						text: `must not be empty without a result code. ${EXACTLY_ONE}`,
					},
		);
	}
	if (problems.length > 0) return { problems };
	const context = canvassContext && { canvassContext };
	return {
		response:
			resultCodeId === undefined
				? { ...context, responses: (responses ?? []).map(sentResponse) }
				: { ...context, resultCodeId },
	};
}

/** Contact types by phone or text message in the best-known deployment: service.md 5.1. */
const phoneContactTypeIds = [1, 19, 37, 67, 68, 72, 112, 132, 143, 147, 149];

/**
 * Whether a response to a call or text message names no phone: without one the service cannot sync
 * dispositions (service.md 5.1).
 */
export function lacksPhone({ canvassContext: context }: CanvassResponse): boolean {
	return (
		context?.phoneId === undefined &&
		context?.phone === undefined &&
		phoneContactTypeIds.some((id) => id === context?.contactTypeId)
	);
}
