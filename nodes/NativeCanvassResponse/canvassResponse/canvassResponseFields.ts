import type { INodeProperties } from 'n8n-workflow';

import { type BodyForm, fieldsOrJson, usingFields } from '../../shared/parameters/bodyForm';
import { canvassResponseFields } from '../../shared/service/canvassResponse';

export const canvassForm: BodyForm = { label: 'Canvass Response', fields: canvassResponseFields };

const { canvassContext, resultCodeId, responses } = canvassResponseFields;

export const canvassParameters: INodeProperties[] = [
	...fieldsOrJson(
		canvassForm,
		'The response with canvassContext and either resultCodeId or responses, each with its type: ActivistCode, SurveyResponse or VolunteerActivity',
	),
	...usingFields(canvassForm, [
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
