import type { z } from 'zod';

import { suggestion } from './nearestName';

/** Where in a request body something is: property names and positions. */
export type BodyPath = Array<string | number>;

/** A problem of a body, before it is put into the words on the screen. */
export interface BodyProblem {
	path: BodyPath;
	/** What is wrong and what to do, continuing the name of the place. */
	text: string;
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

function valueAt(input: unknown, path: BodyPath): unknown {
	return path.reduce<unknown>(
		(value, part) =>
			value !== null && typeof value === 'object'
				? (value as Record<string | number, unknown>)[part]
				: undefined,
		input,
	);
}

/**
 * What a schema found wrong with a body, in sentences.
 * @param knownProperties from which the nearest is suggested for a misspelt one
 */
export function shapeProblems(
	error: z.ZodError,
	input: unknown,
	knownProperties: KnownProperties,
): BodyProblem[] {
	return error.issues.flatMap((issue): BodyProblem[] => {
		const path = issue.path.filter((part): part is string | number => typeof part !== 'symbol');
		if (issue.code === 'unrecognized_keys') {
			const place = jsonPath(path);
			const known = knownProperties.find(([pattern]) => pattern.test(place))?.[1] ?? [];
			return issue.keys.map((key) => ({
				path: [...path, key],
				text: `is not a property that the service knows.${suggestion(key, known)}`,
			}));
		}
		const isMissing = valueAt(input, path) === undefined;
		return [{ path, text: isMissing ? 'is missing.' : `${issue.message}.` }];
	});
}
