import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { type BodyFields, propertiesAt } from './bodyField';
import { type BodyPath, type BodyProblem, jsonPath, shapeProblems } from './bodyProblem';
import { MOST_ENTRIES } from './bodySchema';
import { isDateObject } from './dateText';

/** Excludes dates, which have a value but no properties. */
export function isObject(value: unknown): value is IDataObject {
	return Object.prototype.toString.call(value) === '[object Object]' && !isDateObject(value);
}

export const recordSchema = z.custom<IDataObject>(isObject);

export interface BodyForm {
	/** In Title Case: `Canvass Response`. */
	label: string;
	fields: BodyFields;
}

/** A request body with all that is checked of it. */
export interface BodyKind<Schema extends z.ZodTypeAny> extends BodyForm {
	schema: Schema;
	/** Whether the service sets a property of the object at a place: `phones[].isCellStatus`. */
	isReadOnly?: (place: string, name: string, of: IDataObject) => boolean;
	/** Properties that may be blank text. */
	mayBeBlank?: readonly string[];
	reword?: (problem: BodyProblem) => BodyProblem;
	/** Problems between the properties of a body that fits the schema, with what was entered. */
	rules?: (body: z.output<Schema>, input: unknown) => BodyProblem[];
}

type ReadBody<Body> =
	| {
			body: Body;
			/** Read-only properties in the input, not sent: `codeId`, `phones[0].isBest`. */
			dropped: string[];
	  }
	| { problems: BodyProblem[] };

function isNotGiven(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

/**
 * A copy without the empty values of forms and tables, which the service would store or reject. List
 * entries stay, to keep the positions in messages.
 */
function givenOnly(
	value: unknown,
	kind: Pick<BodyKind<z.ZodTypeAny>, 'isReadOnly' | 'mayBeBlank'>,
	path: BodyPath,
	dropped: string[],
): unknown {
	if (Array.isArray(value)) {
		// Rejected by the schema.
		if (value.length > MOST_ENTRIES) return value;
		return value.map((entry, index) => givenOnly(entry, kind, [...path, index], dropped));
	}
	if (!isObject(value)) return value;
	const place = jsonPath(path).replace(/\[\d+\]/g, '[]');
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, entry]) => {
			if (typeof entry === 'string' && kind.mayBeBlank?.includes(name)) return [[name, entry]];
			const at = [...path, name];
			const given = givenOnly(entry, kind, at, dropped);
			if (isNotGiven(given)) return [];
			if (!kind.isReadOnly?.(place, name, value)) return [[name, given]];
			dropped.push(jsonPath(at));
			return [];
		}),
	);
}

/** Reads a request body entered as fields or as JSON: the same input gives the same body. */
export function readBody<Schema extends z.ZodTypeAny>(
	input: unknown,
	kind: BodyKind<Schema>,
): ReadBody<z.output<Schema>> {
	const dropped: string[] = [];
	const given = givenOnly(input, kind, [], dropped);
	const parsed = kind.schema.safeParse(given);
	if (!parsed.success) {
		const knownAt = (path: BodyPath): string[] => propertiesAt(kind.fields, path);
		const problems = shapeProblems(parsed.error, input, given, knownAt);
		return { problems: problems.map(kind.reword ?? ((problem) => problem)) };
	}
	// Drops lists that are now empty: to the service an empty list differs from none.
	const body = givenOnly(parsed.data, { mayBeBlank: kind.mayBeBlank }, [], []) as z.output<Schema>;
	const problems = kind.rules?.(body, input) ?? [];
	return problems.length > 0 ? { problems } : { body, dropped };
}
