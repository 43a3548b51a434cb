import type { z } from 'zod';
import { badRequest, RequestRejected, type ServiceErrorEntry } from './requestRejected';
import type { Vocabulary } from './vocabulary';

const NEUTRAL_PERSON_ID = 'nativeId';

/** `['phones', 0, 'phoneNumber']` as the service writes it: `phones[0].phoneNumber`. */
function propertyPath(path: ReadonlyArray<string | number>): string {
	return path.reduce<string>(
		(text, part) =>
			typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
		'',
	);
}

function nameInText(path: ReadonlyArray<string | number>): string {
	const lastName = [...path].reverse().find((part) => typeof part === 'string');
	return lastName === undefined ? 'body' : String(lastName);
}

function entriesOfIssue(issue: z.ZodIssue): ServiceErrorEntry[] {
	const name = nameInText(issue.path);
	const entry = (text: string, hint?: string): ServiceErrorEntry[] => [
		{
			code: 'INVALID_PARAMETER',
			text,
			...(issue.path.length > 0 && { properties: [propertyPath(issue.path)] }),
			...(hint !== undefined && { hint }),
		},
	];
	switch (issue.code) {
		case 'unrecognized_keys':
			return issue.keys.map((key) => ({
				code: 'INVALID_PARAMETER',
				text: `'${key}' is not a property that can be written here`,
				properties: [propertyPath([...issue.path, key])],
				hint: 'Property names are camelCase and case-sensitive; omit read-only properties.',
			}));
		case 'invalid_type':
			return entry(
				issue.received === 'undefined'
					? `'${name}' is required`
					: `'${name}' must be of type ${issue.expected}, not ${issue.received}`,
			);
		case 'invalid_enum_value':
			return entry(
				`'${name}' is not one of the accepted values`,
				`Accepted values: ${issue.options.join(', ')}`,
			);
		case 'invalid_literal':
			return entry(`'${name}' must be ${JSON.stringify(issue.expected)}`);
		case 'invalid_union':
			return issue.unionErrors[0]?.issues.flatMap(entriesOfIssue) ?? entry(`'${name}' is invalid`);
		case 'too_big':
			return entry(`'${name}' must not be longer or larger than ${issue.maximum}`);
		case 'too_small':
			return entry(`'${name}' must not be shorter or smaller than ${issue.minimum}`);
		case 'custom':
			return entry(issue.message.replaceAll('{name}', `'${name}'`), issue.params?.hint);
		default:
			return entry(issue.message.replaceAll('{name}', `'${name}'`));
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks a request body against the schema of its resource and returns it typed, with the person id
 * under its neutral name `nativeId`. Schemas are strict: wrong casing, extra properties and values of
 * another JSON type are rejected, which catches clients that rely on coercion.
 *
 * @throws RequestRejected 400 with one entry per problem.
 */
export function parseBody<Schema extends z.ZodTypeAny>(
	schema: Schema,
	body: unknown,
	vocabulary: Vocabulary,
): z.output<Schema> {
	let neutral = body;
	if (vocabulary.personId !== NEUTRAL_PERSON_ID && isObject(body)) {
		if (NEUTRAL_PERSON_ID in body) {
			throw badRequest(
				`'${NEUTRAL_PERSON_ID}' is not a property that can be written here`,
				[NEUTRAL_PERSON_ID],
				`This version writes '${vocabulary.personId}'.`,
			);
		}
		neutral = Object.fromEntries(
			Object.entries(body).map(([key, value]) => [
				key === vocabulary.personId ? NEUTRAL_PERSON_ID : key,
				value,
			]),
		);
	}
	const result = schema.safeParse(neutral);
	if (result.success) return result.data;
	const inVocabulary = (text: string) => text.replaceAll(NEUTRAL_PERSON_ID, vocabulary.personId);
	throw new RequestRejected(
		400,
		result.error.issues.flatMap(entriesOfIssue).map((entry) => ({
			...entry,
			text: inVocabulary(entry.text),
			...(entry.properties && { properties: entry.properties.map(inVocabulary) }),
		})),
	);
}

/** Renames the neutral `nativeId` in a response to the word of the addressed version. */
export function inVocabulary(value: unknown, vocabulary: Vocabulary): unknown {
	if (vocabulary.personId === NEUTRAL_PERSON_ID) return value;
	if (Array.isArray(value)) return value.map((entry) => inVocabulary(entry, vocabulary));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [
			key === NEUTRAL_PERSON_ID ? vocabulary.personId : key,
			inVocabulary(entry, vocabulary),
		]),
	);
}
