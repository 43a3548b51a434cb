import { z } from 'zod';

import type { BodyProblem, KnownProperties } from './bodyProblem';
import { coded, flag, list, object, oneOf, text } from './bodySchema';
import { dateText, isoDate } from './dateText';
import { sameName } from './nearestName';
import { dialingPrefixSchema, phoneNumberProblem, phoneNumberSchema } from './phoneNumber';
import { encodableIdSchema, recordIdSchema } from './recordId';
import { isObject, readBody } from './requestBody';

const responseActions = ['Apply', 'Remove'] as const;
const smsOptInStatuses = { I: 'Opt-In', O: 'Opt-Out', U: 'Unknown' } as const;

const phoneShape = object({
	dialingPrefix: dialingPrefixSchema.optional(),
	phoneNumber: phoneNumberSchema,
	smsOptInStatus: coded(
		smsOptInStatuses,
		'must be I (opted in), O (opted out) or U (unknown)',
	).optional(),
});

const phoneSchema = phoneShape.superRefine(({ phoneNumber, dialingPrefix = '1' }, context) => {
	const message = phoneNumberProblem(phoneNumber, dialingPrefix === '1', 'dialing prefix');
	if (message !== undefined) context.addIssue({ code: 'custom', path: ['phoneNumber'], message });
});

/** service.md 5.1. */
const canvassContextSchema = object({
	contactTypeId: encodableIdSchema.optional(),
	inputTypeId: encodableIdSchema.optional(),
	dateCanvassed: z
		.preprocess(
			dateText,
			text.refine((value) => isoDate(value) !== undefined, {
				message:
					'must be a date such as 2026-03-01, or a date with a time in ISO 8601. For dates such as 3/1/2026, set the option Date Format to M/d/yyyy',
			}),
		)
		.transform((value) => isoDate(value) ?? value)
		.optional(),
	phoneId: recordIdSchema.optional(),
	phone: phoneSchema.optional(),
	skipMatching: flag.optional(),
	omitActivistCodeContactHistory: flag.optional(),
	campaignId: encodableIdSchema.optional(),
	contentId: encodableIdSchema.optional(),
});

const action = oneOf(responseActions, 'must be Apply or Remove').optional();
/** Some clients add it to each response; the service accepts it in the context. */
const omitActivistCodeContactHistory = flag.optional();

const activistCodeSchema = object({
	type: z.literal('ActivistCode'),
	activistCodeId: encodableIdSchema,
	action,
	omitActivistCodeContactHistory,
});
const surveyResponseSchema = object({
	type: z.literal('SurveyResponse'),
	surveyQuestionId: encodableIdSchema,
	surveyResponseId: encodableIdSchema,
	// The service has no action here, but some clients send one.
	action: oneOf(
		['Apply'],
		'can only be Apply, because the service cannot remove a survey response',
	).optional(),
	omitActivistCodeContactHistory,
});
const volunteerActivitySchema = object({
	type: z.literal('VolunteerActivity'),
	volunteerActivityId: encodableIdSchema,
	action,
	omitActivistCodeContactHistory,
});

const responseSchemas = [
	activistCodeSchema,
	surveyResponseSchema,
	volunteerActivitySchema,
] as const;
const responseTypes = ['ActivistCode', 'SurveyResponse', 'VolunteerActivity'] as const;

/** A response with its type in the service's spelling. */
function withKnownType(response: unknown): unknown {
	if (!isObject(response) || typeof response.type !== 'string') return response;
	const given = response.type.trim();
	return { ...response, type: responseTypes.find((known) => sameName(known, given)) ?? given };
}

const responseSchema = z.preprocess(
	withKnownType,
	z.discriminatedUnion('type', [...responseSchemas]),
);

/** The request body of POST /people/{id}/canvassResponses: service.md 5.1. */
const canvassResponseSchema = object({
	canvassContext: canvassContextSchema.optional(),
	resultCodeId: encodableIdSchema.optional(),
	responses: list(responseSchema).optional(),
});

type CanvassContext = z.output<typeof canvassContextSchema>;
type Response = z.output<typeof responseSchema>;
type SentResponse = Omit<Response, 'omitActivistCodeContactHistory'>;

/** A canvass response as it is sent: with a result code or responses, never both. */
export type CanvassResponse = { canvassContext?: CanvassContext } & (
	| { resultCodeId: number | string }
	| { responses: SentResponse[] }
);

const knownProperties: KnownProperties = [
	[/^$/, Object.keys(canvassResponseSchema.shape)],
	[/^canvassContext$/, Object.keys(canvassContextSchema.shape)],
	[/^canvassContext\.phone$/, Object.keys(phoneShape.shape)],
	[/^responses\[\d+\]$/, [...new Set(responseSchemas.flatMap(({ shape }) => Object.keys(shape)))]],
];

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
	const read = readBody(input, { schema: canvassResponseSchema, known: knownProperties });
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
		problems.push({
			path: ['responses'],
			text: `must not be empty without a result code. ${EXACTLY_ONE}`,
		});
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
