import type { z } from 'zod';

import type { Problem } from './invalidInput';
import { suggestion } from './nearestName';

/** Where in a request body something is: property names and positions. */
export type BodyPath = Array<string | number>;

/** A problem of a body, before it is put into the words on the screen. */
export interface BodyProblem {
	path: BodyPath;
	text: Problem['text'];
}

/** The properties a body may have at the places (as {@link jsonPath} writes them) a pattern matches. */
export type KnownProperties = ReadonlyArray<readonly [RegExp, readonly string[]]>;

/** A path as it is written in JSON: `responses[0].surveyQuestionId`. */
export function jsonPath(path: BodyPath): string {
	return path.reduce<string>(
		(result, part) =>
			typeof part === 'number'
				? `${result}[${part}]`
				: `${result}${result === '' ? '' : '.'}${part}`,
		'',
	);
}

/** A place in a body that was entered as JSON: `Code (JSON) → supportedEntities[0].name`. */
export function placeInJson(label: string, path: BodyPath): string {
	return path.length === 0 ? label : `${label} → ${jsonPath(path)}`;
}

/** Longer values would hide the sentence they stand in; shorter ones cannot hold a whole key. */
const LONGEST_SHOWN = 30;

/**
 * A message that names the value it is about: `is "X", but must be one of F, M.` Only values that can be
 * read at a glance are named.
 */
export function withValue(message: string, value: unknown): string {
	const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
	if (isPlain && String(value).length <= LONGEST_SHOWN) {
		const shown = value === '' ? 'empty' : JSON.stringify(value);
		if (message.startsWith('must be ')) return `is ${shown}, but ${message}.`;
		if (message.startsWith('may only ')) return `${shown} ${message}.`;
	}
	return `${message}.`;
}

/** What stands at a place of what was entered; undefined if there is no such place. */
export function valueAt(input: unknown, path: ReadonlyArray<PropertyKey>): unknown {
	return path.reduce<unknown>(
		(value, part) =>
			value !== null && typeof value === 'object'
				? (value as Record<PropertyKey, unknown>)[part]
				: undefined,
		input,
	);
}

/** What to say of a value that was left out because nothing is in it. */
function missing(value: unknown): string {
	if (Array.isArray(value)) return 'must have at least one entry.';
	return value === undefined || value === null ? 'is missing.' : 'is empty.';
}

/**
 * What a schema found wrong with a body, in sentences.
 * @param given what the schema was given: the input without the values that hold nothing
 * @param knownProperties from which the nearest is suggested for a misspelt one
 */
export function shapeProblems(
	error: z.ZodError,
	input: unknown,
	given: unknown,
	knownProperties: KnownProperties,
): BodyProblem[] {
	return error.issues.flatMap((issue): BodyProblem[] => {
		const path = issue.path.filter((part): part is string | number => typeof part !== 'symbol');
		if (issue.code === 'unrecognized_keys') {
			const place = jsonPath(path);
			const known = knownProperties.find(([pattern]) => pattern.test(place))?.[1] ?? [];
			return issue.keys.map((key) => ({
				path: [...path, key],
				text: `is not a property that the service knows.${suggestion(
					key,
					known.filter((name) => name !== key),
				)}`,
			}));
		}
		const value = valueAt(input, path);
		const isMissing = valueAt(given, path) === undefined;
		return [{ path, text: isMissing ? missing(value) : withValue(issue.message, value) }];
	});
}
