import { z } from 'zod';
import {
	findPersonOfSegment,
	notFound,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { parseBody } from '../wire/requestBody';
import { RequestRejected } from '../wire/requestRejected';
import type { StoredPerson, StoredPhone } from '../store/tenantStore';
import { isValidPhoneNumber } from '../store/personInput';
import { strictObject } from '../wire/strictObject';

const DEFAULT_INPUT_TYPE_ID = 11;
const NORTH_AMERICAN_PREFIX = '1';
/** Equal attempts within this time are one, unless skipMatching (service.md 5.1). */
const MATCHING_MS = 60 * 60 * 1000;

const action = z.enum(['Apply', 'Remove']).optional();
const id = z.number().int();

const contextSchema = strictObject({
	contactTypeId: id.optional(),
	inputTypeId: id.optional(),
	dateCanvassed: z
		.string()
		.refine(
			(text) => /^\d{4}-\d\d-\d\d(T|$)/.test(text) && !Number.isNaN(Date.parse(text)),
			'{name} is not an ISO 8601 date',
		)
		.nullable()
		.optional(),
	phoneId: id.optional(),
	phone: strictObject({
		dialingPrefix: z
			.string()
			.regex(/^\d{1,3}$/, '{name} must be one to three digits')
			.optional(),
		phoneNumber: z.string(),
		smsOptInStatus: z.enum(['I', 'O', 'U']).optional(),
	})
		.superRefine(({ phoneNumber, dialingPrefix = NORTH_AMERICAN_PREFIX }, context) => {
			const country = dialingPrefix === NORTH_AMERICAN_PREFIX ? 'US' : 'other';
			if (isValidPhoneNumber(phoneNumber, country)) return;
			context.addIssue({
				code: 'custom',
				path: ['phoneNumber'],
				message: '{name} is not a valid phone number',
			});
		})
		.optional(),
	skipMatching: z.boolean().optional(),
	omitActivistCodeContactHistory: z.boolean().optional(),
	campaignId: id.optional(),
	contentId: id.optional(),
});

const responseSchema = z.discriminatedUnion('type', [
	strictObject({ type: z.literal('ActivistCode'), activistCodeId: id, action }),
	strictObject({ type: z.literal('SurveyResponse'), surveyQuestionId: id, surveyResponseId: id }),
	strictObject({ type: z.literal('VolunteerActivity'), volunteerActivityId: id, action }),
]);

const canvassSchema = strictObject({
	canvassContext: contextSchema.nullable().optional(),
	resultCodeId: id.nullable().optional(),
	responses: z.array(responseSchema).nullable().optional(),
});

type Canvass = z.output<typeof canvassSchema>;
type Context = z.output<typeof contextSchema>;
type CanvassEntry = z.output<typeof responseSchema>;

const refuse = (text: string, ...properties: string[]) => {
	throw RequestRejected.badRequest(text, properties);
};

/** service.md 5.1: exactly one of the two. */
function checkExclusivity(canvass: Canvass): void {
	const hasResultCode = typeof canvass.resultCodeId === 'number';
	const hasResponses = (canvass.responses ?? []).length > 0;
	if (hasResultCode && hasResponses) {
		refuse("'resultCodeId' must be null when 'responses' are given", 'resultCodeId', 'responses');
	}
	if (!hasResultCode && !hasResponses) {
		refuse("Either 'resultCodeId' or 'responses' is required", 'resultCodeId', 'responses');
	}
}

function checkContext(call: ApiCall, context: Context): void {
	const { inputTypes, contactTypes } = call.store.setup;
	const inputTypeId = context.inputTypeId ?? DEFAULT_INPUT_TYPE_ID;
	if (!inputTypes.some((type) => type.inputTypeId === inputTypeId)) {
		refuse("'inputTypeId' is unknown", 'canvassContext.inputTypeId');
	}
	if (context.contactTypeId !== undefined) {
		const contactType = contactTypes.find((type) => type.contactTypeId === context.contactTypeId);
		if (!contactType?.inputTypeIds.includes(inputTypeId)) {
			refuse(
				"'contactTypeId' is not valid for the input type",
				'canvassContext.contactTypeId',
				'canvassContext.inputTypeId',
			);
		}
	}
	if (context.contentId !== undefined && context.campaignId === undefined) {
		refuse("'contentId' requires 'campaignId'", 'canvassContext.campaignId');
	}
}

function phoneOf(person: StoredPerson, context: Context): StoredPhone | undefined {
	if (context.phoneId !== undefined) {
		const phone = person.phones.find((held) => held.phoneId === context.phoneId);
		if (!phone) refuse("'phoneId' is not a phone of this person", 'canvassContext.phoneId');
		return phone;
	}
	return person.phones.find((held) => held.phoneNumber === context.phone?.phoneNumber);
}

function checkResultCode(call: ApiCall, resultCodeId: number, context: Context): void {
	const code = call.store.setup.resultCodes.find((held) => held.resultCodeId === resultCodeId);
	if (
		!code ||
		(context.contactTypeId !== undefined && !code.contactTypeIds.includes(context.contactTypeId))
	) {
		refuse("'resultCodeId' is not valid here", 'resultCodeId');
	}
	if (code?.suppressesPhone) checkPhoneIsNamed(call, context);
}

/**
 * A disposition of a phone (wrong number, disconnected, opt-in status) must carry the phoneId it is about
 * (service.md 5.1). The best-known deployment also takes the number in its place.
 */
function checkPhoneIsNamed(call: ApiCall, context: Context): void {
	const mayGiveNumber = call.version === 'v4' && context.phone !== undefined;
	if (context.phoneId === undefined && !mayGiveNumber) {
		refuse("'phoneId' is required for a disposition of a phone", 'canvassContext.phoneId');
	}
}

function checkResponse(call: ApiCall, response: CanvassEntry, index: number): void {
	const { setup } = call.store;
	const path = (name: string) => `responses[${index}].${name}`;
	switch (response.type) {
		case 'ActivistCode': {
			const code = setup.activistCodes.find(
				(held) => held.activistCodeId === response.activistCodeId,
			);
			if (code?.status !== 'Active') {
				refuse("'activistCodeId' is not an active activist code", path('activistCodeId'));
			}
			return;
		}
		case 'SurveyResponse': {
			const question = setup.surveyQuestions.find(
				(held) => held.surveyQuestionId === response.surveyQuestionId,
			);
			if (question?.status !== 'Active') {
				refuse("'surveyQuestionId' is not an active survey question", path('surveyQuestionId'));
			}
			if (
				!question?.responses.some((held) => held.surveyResponseId === response.surveyResponseId)
			) {
				refuse("'surveyResponseId' is not a response of the question", path('surveyResponseId'));
			}
			return;
		}
		case 'VolunteerActivity':
			if (
				!setup.volunteerActivities.some(
					(held) => held.volunteerActivityId === response.volunteerActivityId,
				)
			) {
				refuse("'volunteerActivityId' is unknown", path('volunteerActivityId'));
			}
	}
}

function applyResponse(person: StoredPerson, response: CanvassEntry, dateCanvassed: string): void {
	if (response.type !== 'ActivistCode') return;
	person.activistCodes = person.activistCodes.filter(
		(held) => held.activistCodeId !== response.activistCodeId,
	);
	if (response.action !== 'Remove') {
		person.activistCodes.push({
			activistCodeId: response.activistCodeId,
			dateCanvassed,
			canvassedBy: null,
		});
	}
}

function isRepeated(call: ApiCall, person: StoredPerson, canvass: Canvass, now: number): boolean {
	if (canvass.canvassContext?.skipMatching === true) return false;
	const body = JSON.stringify(canvass);
	return call.store.canvassResponses.some(
		(held) =>
			held.nativeId === person.nativeId &&
			now - Date.parse(held.receivedAt) < MATCHING_MS &&
			JSON.stringify(held.body) === body,
	);
}

function post(call: ApiCall): ApiResponse {
	const person = findPersonOfSegment(call);
	if (!person) {
		// Recorded for a plain id that does not exist (service.md 5.1).
		if (!(call.params.person ?? '').includes(':')) {
			throw new RequestRejected(400, [
				{ code: 'INTERNAL_SERVER_ERROR', text: 'The person cannot be found.' },
			]);
		}
		throw notFound();
	}
	const canvass = parseBody(canvassSchema, call.body, call.vocabulary);
	const context = canvass.canvassContext ?? {};
	const responses = canvass.responses ?? [];
	checkExclusivity(canvass);
	checkContext(call, context);
	if (context.phone?.smsOptInStatus !== undefined) checkPhoneIsNamed(call, context);
	const phone = phoneOf(person, context);
	if (typeof canvass.resultCodeId === 'number')
		checkResultCode(call, canvass.resultCodeId, context);
	responses.forEach((response, index) => checkResponse(call, response, index));

	const now = call.tenant.clock();
	const receivedAt = new Date(now).toISOString();
	const resultCode = call.store.setup.resultCodes.find(
		(held) => held.resultCodeId === canvass.resultCodeId,
	);
	if (phone && resultCode?.suppressesPhone) phone.isSuppressed = true;
	if (phone && context.phone?.smsOptInStatus) phone.phoneOptInStatus = context.phone.smsOptInStatus;
	for (const response of responses) {
		applyResponse(person, response, context.dateCanvassed ?? receivedAt);
	}
	const leavesNoHistory =
		context.omitActivistCodeContactHistory === true &&
		responses.every((response) => response.type === 'ActivistCode');
	if (!leavesNoHistory && !isRepeated(call, person, canvass, now)) {
		call.store.canvassResponses.push({
			nativeId: person.nativeId,
			body: canvass,
			receivedAt,
			requestNumber: call.number,
		});
	}
	return { status: 204 };
}

function numericQuery(call: ApiCall, name: string): number | undefined {
	const text = call.query[name];
	if (text === undefined) return undefined;
	if (!/^\d+$/.test(text)) throw RequestRejected.badRequest(`'${name}' must be an integer`, [name]);
	return Number(text);
}

function contactTypes(call: ApiCall): ApiResponse {
	const inputTypeId = numericQuery(call, 'inputTypeId');
	return {
		status: 200,
		body: call.store.setup.contactTypes
			.filter((type) => inputTypeId === undefined || type.inputTypeIds.includes(inputTypeId))
			.map(({ contactTypeId, name, channelTypeName }) => ({
				contactTypeId,
				name,
				channelTypeName,
			})),
	};
}

function resultCodes(call: ApiCall): ApiResponse {
	const contactTypeId = numericQuery(call, 'contactTypeId');
	const inputTypeId = numericQuery(call, 'inputTypeId');
	const { setup } = call.store;
	const possibleTypes = setup.contactTypes
		.filter((type) => contactTypeId === undefined || type.contactTypeId === contactTypeId)
		.filter((type) => inputTypeId === undefined || type.inputTypeIds.includes(inputTypeId))
		.map((type) => type.contactTypeId);
	return {
		status: 200,
		body: setup.resultCodes
			.filter((code) => code.contactTypeIds.some((type) => possibleTypes.includes(type)))
			.map(({ resultCodeId, name, mediumName, shortName }) => ({
				resultCodeId,
				name,
				mediumName,
				shortName,
			})),
	};
}

export const canvassResponseRoutes: readonly Route[] = [
	{ method: 'POST', path: '/people/:person/canvassResponses', category: 'high', handle: post },
	{
		method: 'GET',
		path: '/canvassResponses/contactTypes',
		query: ['inputTypeId'],
		handle: contactTypes,
	},
	{
		method: 'GET',
		path: '/canvassResponses/inputTypes',
		handle: (call) => ({ status: 200, body: call.store.setup.inputTypes }),
	},
	{
		method: 'GET',
		path: '/canvassResponses/resultCodes',
		query: ['inputTypeId', 'contactTypeId'],
		handle: resultCodes,
	},
];
