import type { ItemContext } from '../shared/execution/operation';
import { bodyInput, bodyOf, type BodyForm } from '../shared/parameters/bodyForm';
import { readDateInput } from '../shared/parameters/dateFormat';
import type { ItemParameters } from '../shared/parameters/itemParameters';
import { type FieldValues, nonEmpty, noteDropped } from '../shared/parameters/parameterValues';
import { personReferenceInput } from '../shared/parameters/personReference';
import { readBirthDate } from '../shared/service/dateFormat';
import { type CheckedPerson, checkPerson, type IdInBody } from '../shared/service/person';
import { firstEntries, personForm } from './personFields';

function sameText(a: unknown, b: unknown): boolean {
	return String(a).trim().toLowerCase() === String(b).trim().toLowerCase();
}

function personFromFields(parameters: ItemParameters, { fields }: BodyForm) {
	const additional = parameters.fields('additionalFields');
	const input = bodyOf(fields, {
		...additional,
		firstName: parameters.value('firstName'),
		lastName: parameters.value('lastName'),
		dateOfBirth: readDateInput(parameters, additional.dateOfBirth, readBirthDate),
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

/** In an update, another ID in the body would change another record. */
function idToUpdate(parameters: ItemParameters): IdInBody {
	const person = personReferenceInput(parameters);
	return { mayBe: 'only', id: typeof person === 'number' ? person : undefined };
}

/**
 * The checked person of one item. Throws InvalidInput naming every problem in the words on the screen.
 * @param mayNameId false for an update, which has its own fields for the person's ID
 */
export function personInput(item: ItemContext, mayNameId: boolean): CheckedPerson {
	const { parameters } = item;
	const { vocabulary } = item.service;
	const form = personForm(vocabulary);
	const allowedId: IdInBody = mayNameId ? { mayBe: 'any' } : idToUpdate(parameters);
	const check = (input: unknown) => checkPerson(input, vocabulary, allowedId);
	const fromFields = () => personFromFields(parameters, form);
	const checked = bodyInput(parameters, form, check, fromFields);
	noteDropped(item, checked.dropped);
	return checked;
}
