import type { INodeProperties } from 'n8n-workflow';

import { noteDropped } from '../shared/execution/droppedValues';
import type { ItemContext } from '../shared/execution/operation';
import { bodyInput, bodyOf, fieldsOrJson, usingFields } from '../shared/parameters/bodyForm';
import { readBirthDate, withDateInput } from '../shared/parameters/dateFormat';
import { type FieldValues, nonEmpty } from '../shared/parameters/enteredFields';
import type { ItemParameters } from '../shared/parameters/itemParameters';
import { byLabel, screenFields, textField } from '../shared/service/bodyField';
import type { PersonReference } from '../shared/service/endpoints';
import { type Person, personBody, personFields } from '../shared/service/personSchema';
import type { BodyForm } from '../shared/service/requestBody';

const MAIN_FIELDS = ['firstName', 'lastName', 'email', 'phone'];

/** One email and one phone, in fields of their own: the first entries of two lists. */
const firstEntries = {
	email: textField(
		'Email',
		'The email address of the person. Enough on its own to find them.',
		'ann@example.org',
	),
	phone: textField(
		'Phone',
		'The phone number of the person in the US or Canada; only its digits are sent. Enter numbers of other countries under Additional Fields, Phones.',
		'907-555-0100',
	),
};

/**
 * The fields of a person (service.md 4.2); all but the main ones are in a collection.
 * @param mayNameId false for an update, which has its own fields for the person's ID
 */
export function personParameters(mayNameId: boolean): INodeProperties[] {
	const form = personBody({ personId: 'personId' });
	const { firstName, lastName } = personFields;
	const additionalFields = screenFields(mayNameId ? form.fields : personFields).filter(
		({ name }) => !MAIN_FIELDS.includes(name),
	);
	return [
		...fieldsOrJson(
			form,
			'The person, with the property names that the service uses, e.g. {"firstName": "Ann", "emails": [{"email": "ann@example.org"}]}. Empty properties and null are not sent.',
		),
		...usingFields(form, [
			...screenFields({ firstName, lastName, ...firstEntries }),
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				description: 'Everything else you know about the person. Fields left empty are not sent.',
				options: byLabel(additionalFields),
			},
		]),
	];
}

function sameText(a: unknown, b: unknown): boolean {
	return String(a).trim().toLowerCase() === String(b).trim().toLowerCase();
}

function personFromFields(parameters: ItemParameters, { fields }: BodyForm) {
	const additional = parameters.fields('additionalFields');
	const input = bodyOf(fields, {
		...additional,
		firstName: parameters.value('firstName'),
		lastName: parameters.value('lastName'),
	});
	const places: Record<string, string> = {};
	for (const [name, list, property] of [
		['email', 'emails', 'email'],
		['phone', 'phones', 'phoneNumber'],
	] as const) {
		const value = nonEmpty(parameters.value(name));
		const others = input[list] as FieldValues[];
		// An entry with the same value has more details.
		if (value === undefined || others.some((entry) => sameText(entry[property], value))) continue;
		input[list] = [{ [property]: value }, ...others];
		const label = firstEntries[name].screen.displayName;
		places[`${list}[0].${property}`] = label;
		others.forEach((_, index) => (places[`${list}[${index + 1}]`] = `${label} ${index + 1}`));
	}
	return { input, places };
}

/**
 * The checked person of one item. Throws InvalidInput naming every problem in the words on the screen.
 * @param updated the person to update, if it is an update
 */
export function personInput(item: ItemContext, updated?: PersonReference): Person {
	const { parameters, service } = item;
	const kind = personBody(service.vocabulary, updated);
	const { body, ...entered } = bodyInput(
		parameters,
		kind,
		() => personFromFields(parameters, kind),
		(input) => withDateInput(parameters, input, 'dateOfBirth', readBirthDate),
	);
	noteDropped(item, entered);
	return body;
}
