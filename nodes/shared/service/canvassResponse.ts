import { omit } from 'lodash';
import { z } from 'zod';

import { objectOf, screenFields, textField } from './bodyField';
import { type BodyProblem, jsonPath } from './bodyProblem';
import { encodableIdSchema, flag, list, oneOf } from './bodySchema';
import { canvassContextSchema, contextFields, listedFields } from './canvassContext';
import { sameName } from './nearestName';
import { type BodyKind, isObject } from './requestBody';

const responseActions = ['Apply', 'Remove'] as const;

const action = {
	schema: oneOf(responseActions, 'must be Apply or Remove'),
	screen: {
		displayName: 'Action',
		type: 'options' as const,
		options: responseActions.map((name) => ({ name, value: name })),
		default: 'Apply',
		description: 'Whether to add it to the person or remove it',
	},
};

/** Some clients add it to each response; the service accepts it in the context. */
const ofEach = { omitActivistCodeContactHistory: { schema: flag } };

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
			// The service has no action here, but some clients send one: it is checked and left out.
			action: {
				schema: oneOf(
					['Apply'],
					'can only be Apply, because the service cannot remove a survey response',
				).transform(() => undefined),
			},
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
const canvassResponseFields = {
	canvassContext: {
		schema: canvassContextSchema,
		screen: {
			displayName: 'Canvass Context',
			type: 'collection' as const,
			placeholder: 'Add Context',
			default: {},
			description: 'How, when and on which phone the person was contacted',
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

export type CanvassResponse = z.output<typeof canvassResponseSchema>;

/** Zod's message for an unknown type of response varies by version and gives no advice. */
function inPlainWords(problem: BodyProblem): BodyProblem {
	return /^responses\[\d+\]\.type$/.test(jsonPath(problem.path))
		? { ...problem, text: `must be one of ${responseTypes.join(', ')}.` }
		: problem;
}

const OMITS = 'omitActivistCodeContactHistory';

function rulesBroken(
	{ canvassContext, resultCodeId, responses }: CanvassResponse,
	input: unknown,
): BodyProblem[] {
	const problems: BodyProblem[] = [];
	let omits = canvassContext?.[OMITS];
	responses?.forEach(({ [OMITS]: given }, index) => {
		if (given !== undefined && omits !== undefined && given !== omits) {
			const text = `is ${given} here and ${omits} before. It applies to all responses: set it once, in canvassContext.`;
			problems.push({ path: ['responses', index, OMITS], text });
		}
		omits ??= given;
	});
	if (canvassContext?.contentId !== undefined && canvassContext.campaignId === undefined) {
		const text = 'is missing. A content ID needs the ID of its campaign.';
		problems.push({ path: ['canvassContext', 'campaignId'], text });
	}
	if (resultCodeId !== undefined && responses !== undefined) {
		const text = 'is set together with responses. Set only one of the two.';
		problems.push({ path: ['resultCodeId'], text });
	}
	if (resultCodeId === undefined && responses === undefined) {
		const text = 'is empty. Add what the person said, or set a result code instead.';
		problems.push(
			isObject(input) && 'resultCodeId' in input && !('responses' in input)
				? { path: ['resultCodeId'], text: 'is empty. Choose the result of the attempt.' }
				: { path: ['responses'], text },
		);
	}
	return problems;
}

export const canvassResponseBody = {
	label: 'Canvass Response',
	fields: canvassResponseFields,
	schema: canvassResponseSchema,
	reword: inPlainWords,
	rules: rulesBroken,
} satisfies BodyKind<typeof canvassResponseSchema>;

/** The response as it is sent: properties that the service accepts only in the context are there. */
export function sentResponse(checked: CanvassResponse): CanvassResponse {
	const { canvassContext, responses } = checked;
	const omits = responses?.find(({ [OMITS]: given }) => given !== undefined)?.[OMITS];
	return {
		...checked,
		...(omits !== undefined && { canvassContext: { ...canvassContext, [OMITS]: omits } }),
		...(responses && {
			responses: responses.map((response) => omit(response, OMITS) as typeof response),
		}),
	};
}

/** Contact types by phone or text message in the best-known deployment: service.md 5.1. */
const phoneContactTypeIds = [1, 19, 37, 67, 68, 72, 112, 132, 143, 147, 149];

/** Without a phone, the service cannot sync the disposition of a call or text message (service.md 5.1). */
export function lacksPhone({ canvassContext: context }: CanvassResponse): boolean {
	return (
		context?.phoneId === undefined &&
		context?.phone === undefined &&
		phoneContactTypeIds.some((id) => id === context?.contactTypeId)
	);
}
