import type { IExecuteFunctions } from 'n8n-workflow';

import {
	enteredJson,
	type Entered,
	entries,
	filled,
	filledText,
	withoutEmpty,
} from '../../shared/parameters/enteredValues';
import { placeInJson } from '../../shared/service/bodyProblem';
import { type CanvassResponse, checkCanvassResponse } from '../../shared/service/canvassResponse';
import { InvalidInput, refuseIfAny } from '../../shared/service/invalidInput';
import { CANVASS_RESPONSE_JSON_LABEL, fieldOnScreen } from './canvassResponseFields';

/** A date as text; expressions give objects of their own kinds. */
function dateText(value: unknown): unknown {
	const entered = filled(value);
	if (entered instanceof Date) return Number.isNaN(entered.getTime()) ? '' : entered.toISOString();
	if (entered !== null && typeof entered === 'object' && 'toISO' in entered) {
		return (entered as { toISO: () => unknown }).toISO();
	}
	return entered;
}

function phone(collection: unknown): Entered | undefined {
	const entered = (collection as { number?: Entered } | null | undefined)?.number;
	if (!entered) return undefined;
	return withoutEmpty({
		dialingPrefix: filledText(entered.dialingPrefix),
		phoneNumber: filledText(entered.phoneNumber) ?? '',
		smsOptInStatus: filled(entered.smsOptInStatus),
	});
}

/** The opposite of a switch; the service asks what to omit, the screen what to add. */
function negated(value: unknown): unknown {
	const entered = filled(value);
	if (typeof entered === 'boolean') return !entered;
	const text = String(entered).toLowerCase();
	return text === 'true' ? false : text === 'false' ? true : entered;
}

function canvassContext(fields: Entered): Entered | undefined {
	const context = withoutEmpty({
		contactTypeId: filled(fields.contactTypeId),
		inputTypeId: filled(fields.inputTypeId),
		dateCanvassed: dateText(fields.dateCanvassed),
		phoneId: filled(fields.phoneId),
		phone: phone(fields.phone),
		skipMatching: filled(fields.skipMatching),
		omitActivistCodeContactHistory: negated(fields.addActivistCodesToContactHistory),
		campaignId: filled(fields.campaignId),
		contentId: filled(fields.contentId),
	});
	return Object.keys(context).length > 0 ? context : undefined;
}

interface EnteredResponse {
	response: Entered;
	/** Where it stands on the screen. */
	place: string;
}

function enteredResponses(collection: unknown): EnteredResponse[] {
	const ofKind = (
		kind: string,
		label: string,
		response: (entry: Entered) => Entered,
	): EnteredResponse[] =>
		entries(collection, kind).map((entry, index) => ({
			response: withoutEmpty(response(entry)),
			place: `${label} ${index + 1}`,
		}));
	return [
		...ofKind('activistCodes', 'Activist Code', ({ activistCodeId, action }) => ({
			type: 'ActivistCode',
			activistCodeId: filled(activistCodeId),
			action: filled(action),
		})),
		...ofKind('surveyResponses', 'Survey Response', ({ surveyQuestionId, surveyResponseId }) => ({
			type: 'SurveyResponse',
			surveyQuestionId: filled(surveyQuestionId),
			surveyResponseId: filled(surveyResponseId),
		})),
		...ofKind('volunteerActivities', 'Volunteer Activity', ({ volunteerActivityId, action }) => ({
			type: 'VolunteerActivity',
			volunteerActivityId: filled(volunteerActivityId),
			action: filled(action),
		})),
	];
}

interface EnteredCanvassResponse {
	input: unknown;
	responsePlaces: string[];
}

function responseFromFields(
	functions: IExecuteFunctions,
	itemIndex: number,
): EnteredCanvassResponse {
	const parameter = (name: string, otherwise: unknown): unknown =>
		functions.getNodeParameter(name, itemIndex, otherwise);
	const context = canvassContext(parameter('canvassContext', {}) as Entered);
	// An outcome that an expression gives shows the fields of both; only those of the outcome count.
	if (parameter('outcome', 'resultCode') === 'responses') {
		const entered = enteredResponses(parameter('responses', {}));
		return {
			input: withoutEmpty({
				canvassContext: context,
				responses: entered.map(({ response }) => response),
			}),
			responsePlaces: entered.map(({ place }) => place),
		};
	}
	const resultCodeId = filled(parameter('resultCodeId', '')) ?? '';
	return {
		input: withoutEmpty({ canvassContext: context, resultCodeId }),
		responsePlaces: [],
	};
}

/**
 * The canvass response the user defined for one item, checked completely.
 * Throws InvalidInput naming every problem in the words on the screen.
 */
export function canvassResponseInput(
	functions: IExecuteFunctions,
	itemIndex: number,
): CanvassResponse {
	const usesJson = functions.getNodeParameter('defineResponse', itemIndex, 'fields') === 'json';
	const { input, responsePlaces } = usesJson
		? {
				input: enteredJson(
					functions,
					itemIndex,
					'canvassResponseJson',
					CANVASS_RESPONSE_JSON_LABEL,
				),
				responsePlaces: [],
			}
		: responseFromFields(functions, itemIndex);
	const checked = checkCanvassResponse(input);
	if ('response' in checked) return checked.response;
	refuseIfAny(
		checked.problems.map(({ path, text }) => ({
			field: usesJson
				? placeInJson(CANVASS_RESPONSE_JSON_LABEL, path)
				: fieldOnScreen(path, responsePlaces),
			text,
		})),
	);
	throw new InvalidInput([{ field: 'Canvass Response', text: 'could not be checked.' }]);
}
