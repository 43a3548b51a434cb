import { z } from 'zod';

import { type BodyProblem, type KnownProperties, shapeProblems } from './bodyProblem';
import { flag, list, object, text } from './bodySchema';
import { dialingPrefixSchema, phoneNumberProblem, phoneNumberSchema } from './phoneNumber';
import { encodableIdSchema, recordIdSchema } from './recordId';

export const responseActions = ['Apply', 'Remove'] as const;
export const smsOptInStatuses = ['I', 'O', 'U'] as const;

const ISO_TIME = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Whether a text is a day of the calendar, alone or with a time, as ISO 8601 writes it. */
export function isIsoDate(value: string): boolean {
	const [, year, month, day] = ISO_TIME.exec(value) ?? [];
	if (year === undefined || Number.isNaN(Date.parse(value))) return false;
	const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

const phoneShape = object({
	dialingPrefix: dialingPrefixSchema.optional(),
	phoneNumber: phoneNumberSchema,
	smsOptInStatus: z
		.enum(smsOptInStatuses, {
			message: 'must be I (opted in), O (opted out) or U (unknown)',
		})
		.optional(),
});

const phoneSchema = phoneShape.superRefine(({ phoneNumber, dialingPrefix = '1' }, context) => {
	const message = phoneNumberProblem(phoneNumber, dialingPrefix === '1', 'dialing prefix');
	if (message !== undefined) context.addIssue({ code: 'custom', path: ['phoneNumber'], message });
});

/** service.md 5.1. */
const canvassContextSchema = object({
	contactTypeId: encodableIdSchema.optional(),
	inputTypeId: encodableIdSchema.optional(),
	dateCanvassed: text
		.refine(isIsoDate, {
			message: 'must be a date such as 2026-03-01, or a date with a time in ISO 8601',
		})
		.optional(),
	phoneId: recordIdSchema.optional(),
	phone: phoneSchema.optional(),
	skipMatching: flag.optional(),
	omitActivistCodeContactHistory: flag.optional(),
	campaignId: encodableIdSchema.optional(),
	contentId: encodableIdSchema.optional(),
});

const action = z.enum(responseActions, { message: 'must be Apply or Remove' }).optional();

const activistCodeSchema = object({
	type: z.literal('ActivistCode'),
	activistCodeId: encodableIdSchema,
	action,
});
const surveyResponseSchema = object({
	type: z.literal('SurveyResponse'),
	surveyQuestionId: encodableIdSchema,
	surveyResponseId: encodableIdSchema,
});
const volunteerActivitySchema = object({
	type: z.literal('VolunteerActivity'),
	volunteerActivityId: encodableIdSchema,
	action,
});

const responseSchemas = [
	activistCodeSchema,
	surveyResponseSchema,
	volunteerActivitySchema,
] as const;
const responseTypes = ['ActivistCode', 'SurveyResponse', 'VolunteerActivity'] as const;

/** The request body of POST /people/{id}/canvassResponses: service.md 5.1. */
export const canvassResponseSchema = object({
	canvassContext: canvassContextSchema.optional(),
	resultCodeId: encodableIdSchema.nullish(),
	responses: list(z.discriminatedUnion('type', [...responseSchemas])).nullish(),
});

/** A canvass response in the form that is sent: with a result code or with responses, never both. */
export type CanvassResponse = Pick<z.infer<typeof canvassResponseSchema>, 'canvassContext'> &
	(
		| { resultCodeId: number | string }
		| { responses: NonNullable<z.infer<typeof canvassResponseSchema>['responses']> }
	);

const knownProperties: KnownProperties = [
	[/^$/, Object.keys(canvassResponseSchema.shape)],
	[/^canvassContext$/, Object.keys(canvassContextSchema.shape)],
	[/^canvassContext\.phone$/, Object.keys(phoneShape.shape)],
	[/^responses\[\d+\]$/, [...new Set(responseSchemas.flatMap(({ shape }) => Object.keys(shape)))]],
];

/** The versions of zod word an unknown kind of response differently, and none says what to do. */
function inPlainWords(problem: BodyProblem): BodyProblem {
	const [list, , property, ...below] = problem.path;
	return list === 'responses' && property === 'type' && below.length === 0
		? { ...problem, text: `must be one of ${responseTypes.join(', ')}.` }
		: problem;
}

const EXACTLY_ONE =
	'A canvass response holds either the result of an attempt without contact, or what the person said: give one of the two.';

/**
 * Checks a canvass response. An empty list of responses beside a result code, and an empty result code
 * beside responses, are what some callers send for "none" and are taken out.
 * @returns the body to send, or all its problems
 */
export function checkCanvassResponse(
	input: unknown,
): { response: CanvassResponse } | { problems: BodyProblem[] } {
	const parsed = canvassResponseSchema.safeParse(input);
	if (!parsed.success) {
		return { problems: shapeProblems(parsed.error, input, knownProperties).map(inPlainWords) };
	}
	const { canvassContext, resultCodeId, responses } = parsed.data;
	const problems: BodyProblem[] = [];
	if (canvassContext?.contentId !== undefined && canvassContext.campaignId === undefined) {
		problems.push({
			path: ['canvassContext', 'campaignId'],
			text: 'is missing. A content ID needs the ID of its campaign.',
		});
	}
	const hasResultCode = resultCodeId !== undefined && resultCodeId !== null;
	const hasResponses = responses !== undefined && responses !== null && responses.length > 0;
	if (hasResultCode && hasResponses) {
		problems.push({
			path: ['resultCodeId'],
			text: `is given together with responses. ${EXACTLY_ONE}`,
		});
	}
	if (!hasResultCode && !hasResponses) {
		problems.push({
			path: ['responses'],
			text: `must not be empty without a result code. ${EXACTLY_ONE}`,
		});
	}
	if (problems.length > 0) return { problems };
	const context = canvassContext && Object.keys(canvassContext).length > 0 && { canvassContext };
	return {
		response: hasResultCode
			? { ...context, resultCodeId }
			: { ...context, responses: responses ?? [] },
	};
}

/** Contact types by phone or text message in the best-known deployment: service.md 5.1. */
const phoneContactTypeIds = [1, 19, 37, 67, 68, 72, 112, 132, 143, 147, 149];

/**
 * Whether a response to a call or text message does not say which phone it is about, so that the
 * service cannot sync dispositions with it (service.md 5.1).
 */
export function lacksPhone({ canvassContext: context }: CanvassResponse): boolean {
	return (
		context?.phoneId === undefined &&
		context?.phone === undefined &&
		phoneContactTypeIds.some((id) => id === context?.contactTypeId)
	);
}
