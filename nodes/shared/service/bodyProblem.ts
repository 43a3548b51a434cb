import type { z } from 'zod';

import type { Problem } from './invalidInput';
import { suggestion } from './nearestName';

/** A place in a request body: property names and positions. */
export type BodyPath = Array<string | number>;

export interface BodyProblem {
	path: BodyPath;
	text: Problem['text'];
}

/** A path as in JSON: `responses[0].surveyQuestionId`. */
export function jsonPath(path: BodyPath): string {
	return path.reduce<string>(
		(result, part) =>
			typeof part === 'number'
				? `${result}[${part}]`
				: `${result}${result === '' ? '' : '.'}${part}`,
		'',
	);
}

/** Longer values would hide the message; shorter ones cannot contain a whole key. */
const LONGEST_SHOWN = 30;

/** Adds the value to its message: `is "X", but must be one of F, M.` Only short values are named. */
export function withValue(message: string, value: unknown): string {
	const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
	if (isPlain && String(value).length <= LONGEST_SHOWN) {
		const shown = value === '' ? 'empty' : JSON.stringify(value);
		if (message.startsWith('must be ')) return `is ${shown}, but ${message}.`;
		if (message.startsWith('may only ')) return `${shown} ${message}.`;
	}
	return `${message}.`;
}

export function valueAt(input: unknown, path: ReadonlyArray<PropertyKey>): unknown {
	return path.reduce<unknown>(
		(value, part) =>
			value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined,
		input,
	);
}

function missing(value: unknown): string {
	if (Array.isArray(value)) return 'must have at least one entry.';
	return value === undefined || value === null ? 'is missing.' : 'is empty.';
}

/** @param given the input of the schema, without empty values */
export function shapeProblems(
	error: z.ZodError,
	input: unknown,
	given: unknown,
	knownAt: (path: BodyPath) => readonly string[],
): BodyProblem[] {
	return error.issues.flatMap((issue): BodyProblem[] => {
		const path = issue.path.filter((part): part is string | number => typeof part !== 'symbol');
		if (issue.code === 'unrecognized_keys') {
			const known = knownAt(path);
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

/** The problems of a schema whose input is not known. */
export function schemaProblems(error: z.ZodError): BodyProblem[] {
	return error.issues.map(({ path, message }) => ({
		path: path.filter((part): part is string | number => typeof part !== 'symbol'),
		text: `${message}.`,
	}));
}
