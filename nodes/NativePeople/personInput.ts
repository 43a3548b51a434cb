import type { ItemContext } from '../shared/execution/operation';
import type { ItemParameters } from '../shared/parameters/itemParameters';
import {
	locatorValue,
	type FieldValues,
	entries,
	nonEmpty,
	noteDropped,
} from '../shared/parameters/parameterValues';
import { readDateInput } from '../shared/parameters/dateFormat';
import { personReferenceInput } from '../shared/parameters/personReference';
import { type BodyPath, placeInJson } from '../shared/service/bodyProblem';
import { readBirthDate } from '../shared/service/dateFormat';
import { InvalidInput } from '../shared/service/invalidInput';
import { type CheckedPerson, checkPerson, type IdInBody } from '../shared/service/person';
import type { Vocabulary } from '../shared/service/vocabulary';
import { entryLists, fieldNames, idLists, idObjects } from './personFields';

/** Maps the body to the screen. */
interface EnteredPerson {
	input: unknown;
	/** A place in the body in the words on the screen. */
	fieldOf: (path: BodyPath) => string;
}

const PERSON_JSON = 'Person (JSON)';

function ids(value: unknown, property: string): FieldValues[] {
	return String(value)
		.split(',')
		.map((id) => id.trim())
		.filter((id) => id !== '')
		.map((id) => ({ [property]: id }));
}

function fieldValue(name: string, value: unknown): unknown {
	const entered = nonEmpty(value);
	if (entered === undefined) return undefined;
	const listed = idLists[name];
	if (listed !== undefined) return ids(entered, listed);
	const single = idObjects[name];
	return single === undefined ? entered : { [single]: entered };
}

/** Do not send unticked boxes: false would overwrite what is stored. */
function entryValue(name: string, value: unknown): unknown {
	const isBox = name === 'isPreferred';
	return isBox && String(value).trim().toLowerCase() === 'false' ? undefined : locatorValue(value);
}

interface PlacedEntry {
	entry: FieldValues;
	/** The entry's place on the screen. */
	place: string;
	/** The entry is one field; its properties have no labels. */
	isField: boolean;
}

function sameText(a: unknown, b: unknown): boolean {
	return String(a).trim().toLowerCase() === String(b).trim().toLowerCase();
}

function personFromFields(parameters: ItemParameters, vocabulary: Vocabulary): EnteredPerson {
	const additional = parameters.fields('additionalFields');
	const { personId, dateOfBirth, ...rest } = { ...additional };
	const fields: FieldValues = {
		...rest,
		dateOfBirth: readDateInput(parameters, dateOfBirth, readBirthDate),
	};

	const placed = new Map<string, PlacedEntry[]>();
	for (const { name, kind, displayName } of entryLists) {
		delete fields[name];
		const list = entries(additional[name], kind).map((entry, index) => ({
			entry: Object.fromEntries(
				Object.entries(entry).map(([property, value]) => [property, entryValue(property, value)]),
			),
			place: `${displayName} ${index + 1}`,
			isField: false,
		}));
		placed.set(name, list);
	}
	// Email and phone of the main fields; an entry with the same value has more details.
	for (const [field, name, property] of [
		['email', 'emails', 'email'],
		['phone', 'phones', 'phoneNumber'],
	] as const) {
		const value = nonEmpty(parameters.value(field));
		const list = placed.get(name) ?? [];
		if (value === undefined || list.some(({ entry }) => sameText(entry[property], value))) continue;
		const place = fieldNames[field] ?? field;
		placed.set(name, [{ entry: { [property]: value }, place, isField: true }, ...list]);
	}

	const values = {
		firstName: parameters.value('firstName'),
		lastName: parameters.value('lastName'),
		...fields,
	};
	const input = {
		[vocabulary.personId]: locatorValue(personId),
		...Object.fromEntries(
			Object.entries(values).map(([name, value]) => [name, fieldValue(name, value)]),
		),
		...Object.fromEntries(
			[...placed].map(([name, list]) => [name, list.map(({ entry }) => entry)]),
		),
	};

	const fieldOf = (path: BodyPath): string => {
		const [name = '', position, property] = path.map(String);
		if (name === '') return 'Person';
		const entry = placed.get(name)?.[Number(position)];
		if (!entry) return name === vocabulary.personId ? 'Person ID' : (fieldNames[name] ?? name);
		const label = entryLists
			.find((list) => list.name === name)
			?.values.find((value) => value.name === property)?.displayName;
		return entry.isField || label === undefined ? entry.place : `${entry.place} → ${label}`;
	};
	return { input, fieldOf };
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
	const usesJson = parameters.choice('definePerson', ['fields', 'json']) === 'json';
	const { input, fieldOf }: EnteredPerson = usesJson
		? {
				input: parameters.json('personJson'),
				fieldOf: (path) => placeInJson(PERSON_JSON, path),
			}
		: personFromFields(parameters, vocabulary);
	const allowedId: IdInBody = mayNameId ? { mayBe: 'any' } : idToUpdate(parameters);
	const checked = checkPerson(input, vocabulary, allowedId);
	if ('person' in checked) {
		noteDropped(item, checked.dropped);
		return checked;
	}
	const [first, ...rest] = checked.problems.map(({ path, text }) => ({
		field: fieldOf(path),
		text,
	}));
	throw new InvalidInput([first ?? { field: 'Person', text: 'could not be checked.' }, ...rest]);
}
