import { deepCopy, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { noteDropped } from '../../shared/execution/droppedValues';
import type { NodeOperation } from '../../shared/execution/operation';
import { sendEach } from '../../shared/execution/sendEach';
import { showHint } from '../../shared/execution/showHint';
import { bodyInput, bodyOf, fieldsOrJson, usingFields } from '../../shared/parameters/bodyForm';
import { dateFormatOption, readDate, withDateInput } from '../../shared/parameters/dateFormat';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import {
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
} from '../../shared/parameters/personReference';
import {
	type CanvassResponse,
	canvassResponseBody,
	lacksPhone,
	responseKinds,
	sentResponse,
} from '../../shared/service/canvassResponse';
import { endpoints, type PersonReference, prepareCall } from '../../shared/service/endpoints';
import { isObject } from '../../shared/service/requestBody';

const { canvassContext, resultCodeId, responses } = canvassResponseBody.fields;

const canvassParameters: INodeProperties[] = [
	...fieldsOrJson(
		canvassResponseBody,
		'The response with canvassContext and either resultCodeId or responses, each with its type: ActivistCode, SurveyResponse or VolunteerActivity',
	),
	...usingFields(canvassResponseBody, [
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
		{ ...canvassContext.screen, name: 'canvassContext' },
	]),
];

function responseFromFields(parameters: ItemParameters) {
	const { canvassContext } = bodyOf(canvassResponseBody.fields, {
		canvassContext: parameters.fields('canvassContext'),
	});
	// If an expression gives the outcome, the fields of both show; use only those of the outcome.
	if (parameters.choice('outcome', ['resultCode', 'responses']) === 'resultCode')
		return { input: { canvassContext, resultCodeId: parameters.text('resultCodeId') } };
	const entered = Object.entries(responseKinds).flatMap(([name, { label, fields }]) =>
		parameters.entries('responses', name).map((entry, index) => ({
			response: bodyOf(fields, entry),
			place: `Responses → ${label} ${index + 1}`,
		})),
	);
	return {
		input: { canvassContext, responses: entered.map(({ response }) => response) },
		places: Object.fromEntries(entered.map(({ place }, index) => [`responses[${index}]`, place])),
	};
}

/** The checked canvass response of one item, and the parts of it that are not sent as entered. Throws InvalidInput naming every problem. */
export function canvassResponseInput(parameters: ItemParameters) {
	const fromFields = () => responseFromFields(parameters);
	const withDate = (input: unknown): unknown => {
		if (!isObject(input)) return input;
		const entered = input.canvassContext;
		const canvassContext = withDateInput(parameters, entered, 'dateCanvassed', readDate);
		return { ...input, canvassContext };
	};
	const { body, ...entered } = bodyInput(parameters, canvassResponseBody, fromFields, withDate);
	return { body: sentResponse(body), entered };
}

/** service.md 5.1: for calls and texts, a disposition must name its phone. */
function showMissingPhoneHint(functions: IExecuteFunctions, items: number[]): void {
	const [first, ...more] = items;
	if (first === undefined) return;
	const which = `Item ${first + 1}${more.length > 0 ? ` and ${more.length} more` : ''}`;
	showHint(
		functions,
		`${which} came by phone or text message, but without Phone ID or Phone. The service then cannot record wrong numbers and opt-ins for the right phone. Add Phone ID under Canvass Context.`,
		'warning',
	);
}

/** Attempts that the service may take for one: it merges those of one hour, whatever their dates. */
class RepeatedAttempts {
	/** The date of the first attempt, by person, contact type and result. */
	private readonly dates = new Map<string, string>();
	private first: number | undefined;
	private count = 0;

	add(person: PersonReference, { canvassContext = {}, ...result }: CanvassResponse, item: number) {
		const { skipMatching, dateCanvassed = '', contactTypeId } = canvassContext;
		if (skipMatching === true) return;
		const key = JSON.stringify([person, contactTypeId, result]);
		const before = this.dates.get(key) ?? dateCanvassed;
		this.dates.set(key, before);
		if (before === dateCanvassed) return;
		this.first ??= item;
		this.count++;
	}

	showHint(functions: IExecuteFunctions): void {
		if (this.first === undefined) return;
		const which = `Item ${this.first + 1}${this.count > 1 ? ` and ${this.count - 1} more` : ''}`;
		showHint(
			functions,
			`${which} repeat${this.count > 1 ? '' : 's'} an attempt with another date: same person, contact type and result. The service merges such attempts if they are sent within one hour. To store each, turn on Store Repeated Responses under Canvass Context.`,
			'warning',
		);
	}
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create canvass response',
	description: 'Post the outcome of a call, text message, visit or other contact with a person',
	calls: [endpoints.createCanvassResponse],
	properties: [...personReferenceFields, ...canvassParameters],
	options: [dateFormatOption],
	async runAll(run) {
		const withoutPhone: number[] = [];
		const repeated = new RepeatedAttempts();
		const results = await sendEach(run, ({ parameters, service, itemIndex }) => {
			const person = personReferenceInput(parameters);
			const { body, entered } = parameters.once(canvassResponseInput);
			noteDropped({ functions: run.functions, service }, entered);
			if (lacksPhone(body)) withoutPhone.push(itemIndex);
			repeated.add(person, body, itemIndex);
			const who = personReferenceOutput(person, service.vocabulary);
			return {
				call: prepareCall(endpoints.createCanvassResponse, { path: { person }, body }),
				// Later nodes may change an item.
				output: () => ({ created: true, ...who, ...deepCopy(body) }),
			};
		});
		showMissingPhoneHint(run.functions, withoutPhone);
		repeated.showHint(run.functions);
		return results;
	},
};
