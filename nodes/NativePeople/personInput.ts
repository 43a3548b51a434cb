import type { IExecuteFunctions } from 'n8n-workflow';

import {
	locatorValue,
	parameterJson,
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

function personFromFields(
	functions: IExecuteFunctions,
	itemIndex: number,
	vocabulary: Vocabulary,
): EnteredPerson {
	const parameter = (name: string): unknown =>
		functions.getNodeParameter(name, itemIndex, undefined);
	const additional = (parameter('additionalFields') ?? {}) as FieldValues;
	const { personId, dateOfBirth, ...rest } = { ...additional };
	const fields: FieldValues = {
		...rest,
		dateOfBirth: readDateInput(functions, itemIndex, dateOfBirth, readBirthDate),
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
		const value = nonEmpty(parameter(field));
		const list = placed.get(name) ?? [];
		if (value === undefined || list.some(({ entry }) => sameText(entry[property], value))) continue;
		const place = fieldNames[field] ?? field;
		placed.set(name, [{ entry: { [property]: value }, place, isField: true }, ...list]);
	}

	const values = { firstName: parameter('firstName'), lastName: parameter('lastName'), ...fields };
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
function idToUpdate(functions: IExecuteFunctions, itemIndex: number): IdInBody {
	const person = personReferenceInput(functions, itemIndex);
	return { mayBe: 'only', id: typeof person === 'number' ? person : undefined };
}

/**
 * The checked person of one item. Throws InvalidInput naming every problem in the words on the screen.
 * @param mayNameId false for an update, which has its own fields for the person's ID
 */
export function personInput(
	functions: IExecuteFunctions,
	itemIndex: number,
	vocabulary: Vocabulary,
	mayNameId: boolean,
): CheckedPerson {
	const usesJson = functions.getNodeParameter('definePerson', itemIndex, 'fields') === 'json';
	const { input, fieldOf }: EnteredPerson = usesJson
		? {
				input: parameterJson(functions, itemIndex, 'personJson', PERSON_JSON),
				fieldOf: (path) => placeInJson(PERSON_JSON, path),
			}
		: personFromFields(functions, itemIndex, vocabulary);
	const allowedId: IdInBody = mayNameId ? { mayBe: 'any' } : idToUpdate(functions, itemIndex);
	const checked = checkPerson(input, vocabulary, allowedId);
	if ('person' in checked) {
		noteDropped(functions, checked.dropped);
		return checked;
	}
	const [first, ...rest] = checked.problems.map(({ path, text }) => ({
		field: fieldOf(path),
		text,
	}));
	throw new InvalidInput([first ?? { field: 'Person', text: 'could not be checked.' }, ...rest]);
}
