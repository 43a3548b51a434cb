import type { INodeProperties } from 'n8n-workflow';

import { type BodyForm, fieldsOrJson, usingFields } from '../shared/parameters/bodyForm';
import { byLabel, screenFields, textField } from '../shared/service/bodyField';
import { personFields, personIdField } from '../shared/service/personSchema';
import type { Vocabulary } from '../shared/service/vocabulary';

/** Above Additional Fields. */
const MAIN_FIELDS = ['firstName', 'lastName', 'email', 'phone'];

/** One email and one phone, in fields of their own: the first entries of two lists. */
export const firstEntries = {
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

/** The form of a person, whose ID has the deployment's name. */
export function personForm({ personId }: Pick<Vocabulary, 'personId'>): BodyForm {
	return { label: 'Person', fields: { [personId]: personIdField, ...personFields } };
}

/**
 * The fields of a person (service.md 4.2); all but the main ones are in a collection.
 * @param mayNameId false for an update, which has its own fields for the person's ID
 */
export function personParameters(mayNameId: boolean): INodeProperties[] {
	const form = personForm({ personId: 'personId' });
	const { firstName, lastName } = personFields;
	const additionalFields = screenFields(mayNameId ? form.fields : personFields).filter(
		({ name }) => !MAIN_FIELDS.includes(name),
	);
	return [
		...fieldsOrJson(
			form,
			'The person with the property names of the service, e.g. {"firstName": "Ann", "emails": [{"email": "ann@example.org"}]}. Empty properties and null are not sent.',
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
