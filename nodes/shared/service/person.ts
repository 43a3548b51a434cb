import { type BodyProblem, withValue } from './bodyProblem';
import {
	type Person,
	personFields,
	personIdField,
	personSchema,
	readOnlyPersonProperties,
} from './personSchema';
import { recordIdSchema } from './bodySchema';
import { isObject, readBody } from './requestBody';
import type { Vocabulary } from './vocabulary';

export type { Person };

/** Problems of the person as a whole; the schema checks the entries of lists. */
function rulesBroken(person: Person): BodyProblem[] {
	if (person.contactMode === 'Organization') return [];
	return (['organizationContactCommonName', 'organizationContactOfficialName'] as const)
		.filter((name) => person[name] !== undefined)
		.map((name) => ({
			path: [name],
			text: 'is stored for organizations only. Set the contact mode to Organization, or remove this name.',
		}));
}

export interface CheckedPerson {
	person: Person;
	/** The body to send: the person, with the service's own ID if given. */
	body: Record<string, unknown>;
	/** Values that are not sent because the service sets them. */
	dropped: string[];
}

const NOT_IN_AN_UPDATE =
	'cannot be changed. Remove it here: the ID above says which person is updated.';

/** Whether the body may hold any ID, or only that of the person to update. */
export type IdInBody = { mayBe: 'any' } | { mayBe: 'only'; id: number | undefined };

/** Removes the service's own ID from a person and returns its problems. */
function takeId(
	given: Record<string, unknown>,
	personId: string,
	allowed: IdInBody,
): { rest: Record<string, unknown>; id?: number; problems: BodyProblem[]; dropped: string[] } {
	const { [personId]: entered, ...rest } = given;
	const nothing = { rest, problems: [], dropped: [] };
	if (String(entered ?? '').trim() === '') return nothing;
	const parsed = recordIdSchema.safeParse(entered);
	const problem = (text: string) => ({ rest, problems: [{ path: [personId], text }], dropped: [] });
	if (allowed.mayBe === 'only') {
		const isSame = parsed.success && parsed.data === allowed.id;
		return isSame ? { ...nothing, dropped: [personId] } : problem(NOT_IN_AN_UPDATE);
	}
	return parsed.success
		? { ...nothing, id: parsed.data }
		: problem(withValue(parsed.error.issues[0]?.message ?? 'is not an ID', entered));
}

/**
 * Checks a person.
 * @returns what to send, or all its problems
 */
export function checkPerson(
	input: unknown,
	{ personId }: Vocabulary,
	allowedId: IdInBody,
): CheckedPerson | { problems: BodyProblem[] } {
	if (!isObject(input)) {
		return { problems: [{ path: [], text: 'must be an object, in braces { }.' }] };
	}
	const { rest, id, ...ofId } = takeId(input, personId, allowedId);
	const read = readBody(rest, {
		schema: personSchema,
		fields: { [personId]: personIdField, ...personFields },
		readOnly: readOnlyPersonProperties,
	});
	const problems = [
		...ofId.problems,
		...('problems' in read ? read.problems : rulesBroken(read.body)),
	];
	if (problems.length > 0 || 'problems' in read) return { problems };
	const person = read.body;
	if (id === undefined && Object.keys(person).length === 0) {
		return { problems: [{ path: [], text: 'is empty. Enter what is known of the person.' }] };
	}
	return {
		person,
		body: { ...(id !== undefined && { [personId]: id }), ...person },
		dropped: [...ofId.dropped, ...read.dropped],
	};
}
