import { z } from 'zod';
import {
	bodyOf,
	findPersonOfSegment,
	found,
	integerParameter,
	NO_CONTENT,
	ok,
	page,
	PAGING_PARAMETERS,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { badRequest, notFound, RequestRejected } from '../wire/requestRejected';
import type { StoredPerson, StoredPhone } from '../store/tenantStore';
import { isValidPhoneNumber } from '../store/personInput';
import { strictObject } from '../wire/schemas';

const DEFAULT_INPUT_TYPE_ID = 11;
const NORTH_AMERICAN_PREFIX = '1';
/** Equal attempts within this time are one, unless skipMatching (service.md 5.1). */
const MATCHING_MS = 60 * 60 * 1000;

const action = z.enum(['Apply', 'Remove']).optional();
const id = z.number().int();

const phoneSchema = strictObject({
	dialingPrefix: z
		.string()
		.regex(/^\d{1,3}$/, '{name} must be one to three digits')
		.optional(),
	phoneNumber: z.string(),
	smsOptInStatus: z.enum(['I', 'O', 'U']).optional(),
}).refine(
	({ phoneNumber, dialingPrefix = NORTH_AMERICAN_PREFIX }) =>
		isValidPhoneNumber(phoneNumber, dialingPrefix === NORTH_AMERICAN_PREFIX ? 'US' : 'other'),
	{ path: ['phoneNumber'], message: '{name} is not a valid phone number' },
);

const contextSchema = strictObject({
	contactTypeId: id.optional(),
	inputTypeId: id.optional(),
	dateCanvassed: z
		.string()
		.refine(
			(text) => /^\d{4}-\d\d-\d\d(T|$)/.test(text) && !Number.isNaN(Date.parse(text)),
			'{name} is not an ISO 8601 date',
		)
		.nullish(),
	phoneId: id.optional(),
	phone: phoneSchema.optional(),
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
	canvassContext: contextSchema.nullish(),
	resultCodeId: id.nullish(),
	responses: z.array(responseSchema).nullish(),
});

type Canvass = z.output<typeof canvassSchema>;
type Context = z.output<typeof contextSchema>;
type CanvassEntry = z.output<typeof responseSchema>;

/** service.md 5.1: exactly one of the two. */
function checkExclusivity(canvass: Canvass): void {
	const hasResultCode = typeof canvass.resultCodeId === 'number';
	const hasResponses = (canvass.responses ?? []).length > 0;
	if (hasResultCode !== hasResponses) return;
	throw badRequest(
		hasResponses
			? "'resultCodeId' must be null when 'responses' are given"
			: "Either 'resultCodeId' or 'responses' is required",
		['resultCodeId', 'responses'],
	);
}

function checkContext(call: ApiCall, context: Context): void {
	const { inputTypes, contactTypes } = call.store.setup;
	const inputTypeId = context.inputTypeId ?? DEFAULT_INPUT_TYPE_ID;
	if (!inputTypes.some((type) => type.inputTypeId === inputTypeId)) {
		throw badRequest("'inputTypeId' is unknown", ['canvassContext.inputTypeId']);
	}
	if (context.contactTypeId !== undefined) {
		const contactType = contactTypes.find((type) => type.contactTypeId === context.contactTypeId);
		if (!contactType?.inputTypeIds.includes(inputTypeId)) {
			throw badRequest("'contactTypeId' is not valid for the input type", [
				'canvassContext.contactTypeId',
				'canvassContext.inputTypeId',
			]);
		}
	}
	if (context.contentId !== undefined && context.campaignId === undefined) {
		throw badRequest("'contentId' requires 'campaignId'", ['canvassContext.campaignId']);
	}
}

function phoneOf(person: StoredPerson, context: Context): StoredPhone | undefined {
	if (context.phoneId !== undefined) {
		const phone = person.phones.find((held) => held.phoneId === context.phoneId);
		if (phone) return phone;
		throw badRequest("'phoneId' is not a phone of this person", ['canvassContext.phoneId']);
	}
	return person.phones.find((held) => held.phoneNumber === context.phone?.phoneNumber);
}

/** @returns whether it takes the phone out of use */
function checkResultCode(call: ApiCall, resultCodeId: number, context: Context): boolean {
	const code = call.store.setup.resultCodes.find((held) => held.resultCodeId === resultCodeId);
	const { contactTypeId } = context;
	if (!code || (contactTypeId !== undefined && !code.contactTypeIds.includes(contactTypeId)))
		throw badRequest("'resultCodeId' is not valid here", ['resultCodeId']);
	if (code.suppressesPhone) checkPhoneIsNamed(call, context);
	return code.suppressesPhone;
}

/**
 * A disposition of a phone (wrong number, disconnected, opt-in status) must carry the phoneId it is about
 * (service.md 5.1). The best-known deployment also accepts the number instead.
 */
function checkPhoneIsNamed(call: ApiCall, context: Context): void {
	const mayGiveNumber = call.version === 'v4' && context.phone !== undefined;
	if (context.phoneId === undefined && !mayGiveNumber) {
		throw badRequest("'phoneId' is required for a disposition of a phone", [
			'canvassContext.phoneId',
		]);
	}
}

function checkResponse(call: ApiCall, response: CanvassEntry, index: number): void {
	const { activistCodes, surveyQuestions, volunteerActivities } = call.store.setup;
	const rejectUnless = (isValid: boolean, property: string, text: string) => {
		if (!isValid) throw badRequest(`'${property}' ${text}`, [`responses[${index}].${property}`]);
	};
	switch (response.type) {
		case 'ActivistCode': {
			const code = activistCodes.find((held) => held.activistCodeId === response.activistCodeId);
			rejectUnless(code?.status === 'Active', 'activistCodeId', 'is not an active activist code');
			return;
		}
		case 'SurveyResponse': {
			const { surveyQuestionId, surveyResponseId } = response;
			const question = surveyQuestions.find((held) => held.surveyQuestionId === surveyQuestionId);
			const responses = question?.status === 'Active' ? question.responses : undefined;
			const hasResponse =
				responses?.some((held) => held.surveyResponseId === surveyResponseId) ?? false;
			rejectUnless(responses !== undefined, 'surveyQuestionId', 'is not an active survey question');
			rejectUnless(hasResponse, 'surveyResponseId', 'is not a response of the question');
			return;
		}
		case 'VolunteerActivity': {
			const { volunteerActivityId: id } = response;
			const isKnown = volunteerActivities.some((held) => held.volunteerActivityId === id);
			rejectUnless(isKnown, 'volunteerActivityId', 'is unknown');
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
			dateCreated: new Date().toISOString(),
			dateCanvassed,
			canvassedBy: null,
		});
	}
}

/** What tells one attempt from another; the date does not. */
function attemptOf({ canvassContext, resultCodeId, responses }: Canvass): string {
	return JSON.stringify([canvassContext?.contactTypeId, resultCodeId, responses]);
}

function isRepeated(call: ApiCall, person: StoredPerson, canvass: Canvass, now: number): boolean {
	if (canvass.canvassContext?.skipMatching === true) return false;
	const attempt = attemptOf(canvass);
	return call.store.canvassResponses.some(
		(held) =>
			held.nativeId === person.nativeId &&
			now - Date.parse(held.receivedAt) < MATCHING_MS &&
			attemptOf(held.body) === attempt,
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
	const canvass = bodyOf(call, canvassSchema);
	const context = canvass.canvassContext ?? {};
	const responses = canvass.responses ?? [];
	checkExclusivity(canvass);
	checkContext(call, context);
	if (context.phone?.smsOptInStatus !== undefined) checkPhoneIsNamed(call, context);
	const phone = phoneOf(person, context);
	const isSuppressed =
		typeof canvass.resultCodeId === 'number' &&
		checkResultCode(call, canvass.resultCodeId, context);
	responses.forEach((response, index) => checkResponse(call, response, index));

	const now = call.tenant.clock();
	const receivedAt = new Date(now).toISOString();
	if (phone && isSuppressed) phone.isSuppressed = true;
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
		});
	}
	return NO_CONTENT;
}

/** By the general conventions of service.md 1.1. */
function list(call: ApiCall): ApiResponse {
	if (!call.tenant.styles.canvassResponseList) throw notFound();
	const { nativeId } = found(findPersonOfSegment(call));
	const held = call.store.canvassResponses.filter((response) => response.nativeId === nativeId);
	return page(
		call,
		held.map(({ body }) => body),
	);
}

function contactTypes(call: ApiCall): ApiResponse {
	const inputTypeId = integerParameter(call, 'inputTypeId');
	return ok(
		call.store.setup.contactTypes
			.filter((type) => inputTypeId === undefined || type.inputTypeIds.includes(inputTypeId))
			.map(({ inputTypeIds, ...type }) => type),
	);
}

function resultCodes(call: ApiCall): ApiResponse {
	const contactTypeId = integerParameter(call, 'contactTypeId');
	const inputTypeId = integerParameter(call, 'inputTypeId');
	const { setup } = call.store;
	const possibleTypes = setup.contactTypes
		.filter((type) => contactTypeId === undefined || type.contactTypeId === contactTypeId)
		.filter((type) => inputTypeId === undefined || type.inputTypeIds.includes(inputTypeId))
		.map((type) => type.contactTypeId);
	return ok(
		setup.resultCodes
			.filter((code) => code.contactTypeIds.some((type) => possibleTypes.includes(type)))
			.map(({ contactTypeIds, suppressesPhone, ...code }) => code),
	);
}

export const canvassResponseRoutes: readonly Route[] = [
	route('POST', '/people/:person/canvassResponses', post, { category: 'high' }),
	route('GET', '/people/:person/canvassResponses', list, { query: PAGING_PARAMETERS }),
	route('GET', '/canvassResponses/contactTypes', contactTypes, { query: ['inputTypeId'] }),
	route('GET', '/canvassResponses/inputTypes', ({ store }) => ok(store.setup.inputTypes)),
	route('GET', '/canvassResponses/resultCodes', resultCodes, {
		query: ['inputTypeId', 'contactTypeId'],
	}),
];
