import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { locatorValue, type FieldValues, entries } from '../../shared/parameters/parameterValues';
import { readDateInput } from '../../shared/parameters/dateFormat';
import { readDate } from '../../shared/service/dateFormat';
import { placeInJson } from '../../shared/service/bodyProblem';
import { flagOf } from '../../shared/service/bodySchema';
import { type CanvassResponse, checkCanvassResponse } from '../../shared/service/canvassResponse';
import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
import { CANVASS_RESPONSE_JSON_LABEL, fieldOnScreen } from './canvassResponseFields';

/** The service has a switch for omitting, the screen one for adding. */
function negated(value: unknown): unknown {
	const flag = flagOf(value);
	return typeof flag === 'boolean' ? !flag : flag;
}

function canvassContext(entered: FieldValues): FieldValues {
	const { phone, addActivistCodesToContactHistory: adds, ...fields } = entered;
	return {
		...Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [name, locatorValue(value)]),
		),
		phone: (phone as { number?: unknown } | null | undefined)?.number,
		omitActivistCodeContactHistory: negated(adds),
	};
}

interface ResponseFields {
	response: FieldValues;
	/** Its place on the screen. */
	place: string;
}

function responsesFromFields(collection: unknown): ResponseFields[] {
	const ofKind = (
		kind: string,
		label: string,
		response: (entry: FieldValues) => FieldValues,
	): ResponseFields[] =>
		entries(collection, kind).map((entry, index) => ({
			response: response(entry),
			place: `${label} ${index + 1}`,
		}));
	return [
		...ofKind('activistCodes', 'Activist Code', ({ activistCodeId, action }) => ({
			type: 'ActivistCode',
			activistCodeId: locatorValue(activistCodeId),
			action: locatorValue(action),
		})),
		...ofKind('surveyResponses', 'Survey Response', ({ surveyQuestionId, surveyResponseId }) => ({
			type: 'SurveyResponse',
			surveyQuestionId: locatorValue(surveyQuestionId),
			surveyResponseId: locatorValue(surveyResponseId),
		})),
		...ofKind('volunteerActivities', 'Volunteer Activity', ({ volunteerActivityId, action }) => ({
			type: 'VolunteerActivity',
			volunteerActivityId: locatorValue(volunteerActivityId),
			action: locatorValue(action),
		})),
	];
}

interface EnteredCanvassResponse {
	input: unknown;
	responsePlaces: string[];
	/** The message if there is neither a result code nor a response. */
	missing?: Problem;
}

function responseFromFields(parameters: ItemParameters): EnteredCanvassResponse {
	const entered = parameters.fields('canvassContext');
	const dateCanvassed = readDateInput(parameters, entered.dateCanvassed, readDate);
	const context = canvassContext({ ...entered, dateCanvassed });
	// If an expression gives the outcome, the fields of both show; use only those of the outcome.
	if (parameters.choice('outcome', ['resultCode', 'responses']) === 'responses') {
		const entered = responsesFromFields(parameters.value('responses'));
		return {
			input: { canvassContext: context, responses: entered.map(({ response }) => response) },
			responsePlaces: entered.map(({ place }) => place),
		};
	}
	return {
		input: {
			canvassContext: context,
			resultCodeId: locatorValue(parameters.value('resultCodeId')),
		},
		responsePlaces: [],
		missing: { field: 'Result Code', text: 'is empty. Choose the result of the attempt.' },
	};
}

/** The checked canvass response of one item. Throws InvalidInput naming every problem. */
export function canvassResponseInput(parameters: ItemParameters): CanvassResponse {
	const usesJson = parameters.choice('defineResponse', ['fields', 'json']) === 'json';
	const { input, responsePlaces, missing }: EnteredCanvassResponse = usesJson
		? {
				input: parameters.json('canvassResponseJson'),
				responsePlaces: [],
			}
		: responseFromFields(parameters);
	const checked = checkCanvassResponse(input);
	if ('response' in checked) return checked.response;
	throwIfAny(
		checked.problems.map(({ path, text }) =>
			missing && path.join() === 'responses'
				? missing
				: {
						field: usesJson
							? placeInJson(CANVASS_RESPONSE_JSON_LABEL, path)
							: fieldOnScreen(path, responsePlaces),
						text,
					},
		),
	);
	throw new InvalidInput([{ field: 'Canvass Response', text: 'could not be checked.' }]);
}
