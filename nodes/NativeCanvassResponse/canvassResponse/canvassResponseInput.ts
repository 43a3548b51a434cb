import type { INodeProperties } from 'n8n-workflow';

import { bodyInput, bodyOf, fieldsOrJson, usingFields } from '../../shared/parameters/bodyForm';
import { readDate, readDateInput } from '../../shared/parameters/dateFormat';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import {
	type CanvassResponse,
	canvassResponseBody,
	responseKinds,
	sentResponse,
} from '../../shared/service/canvassResponse';

const { canvassContext, resultCodeId, responses } = canvassResponseBody.fields;

export const canvassParameters: INodeProperties[] = [
	...fieldsOrJson(
		canvassResponseBody,
		'The response with canvassContext and either resultCodeId or responses, each with its type: ActivistCode, SurveyResponse or VolunteerActivity',
	),
	...usingFields(canvassResponseBody, [
		{ ...canvassContext.screen, name: 'canvassContext' },
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
			description: 'Result of the attempt: either responses or a result code, never both',
		},
		{
			...resultCodeId.screen,
			required: true,
			displayOptions: { show: { outcome: ['resultCode'] } },
		},
		{
			...responses.screen,
			name: 'responses',
			displayOptions: { show: { outcome: ['responses'] } },
		},
	]),
];

function responsesFromFields(parameters: ItemParameters) {
	const entered = Object.entries(responseKinds).flatMap(([name, { label, fields }]) =>
		parameters.entries('responses', name).map((entry, index) => ({
			response: bodyOf(fields, entry),
			place: `Responses → ${label} ${index + 1}`,
		})),
	);
	return {
		responses: entered.map(({ response }) => response),
		places: Object.fromEntries(entered.map(({ place }, index) => [`responses[${index}]`, place])),
	};
}

function responseFromFields(parameters: ItemParameters) {
	const context = parameters.fields('canvassContext');
	const dateCanvassed = readDateInput(parameters, context.dateCanvassed, readDate);
	const { canvassContext } = bodyOf(canvassResponseBody.fields, {
		canvassContext: { ...context, dateCanvassed },
	});
	// If an expression gives the outcome, the fields of both show; use only those of the outcome.
	if (parameters.choice('outcome', ['resultCode', 'responses']) === 'responses') {
		const { responses, places } = responsesFromFields(parameters);
		return { input: { canvassContext, responses }, places };
	}
	return { input: { canvassContext, resultCodeId: parameters.text('resultCodeId') } };
}

/** The checked canvass response of one item. Throws InvalidInput naming every problem. */
export function canvassResponseInput(parameters: ItemParameters): CanvassResponse {
	const fromFields = () => responseFromFields(parameters);
	return sentResponse(bodyInput(parameters, canvassResponseBody, fromFields).body);
}
