import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import { throwIfAny } from '../service/invalidInput';
import { readBody } from '../service/requestBody';
import type { ItemParameters } from './itemParameters';
import { type FieldValues, locatorValue } from './parameterValues';

/**
 * The body of one item whose fields are parameters of the same names; empty ones are left out. Throws
 * InvalidInput naming every field that the schema does not accept.
 */
export function bodyFromFields<Schema extends z.ZodTypeAny>(
	parameters: ItemParameters,
	fields: readonly INodeProperties[],
	schema: Schema,
): z.output<Schema> {
	const input: FieldValues = {};
	for (const { name } of fields) input[name] = locatorValue(parameters.value(name));
	const read = readBody(input, { schema, known: [] });
	if ('body' in read) return read.body;
	throwIfAny(
		read.problems.map(({ path: [name = ''], text }) => ({
			field: parameters.labelOf(String(name)),
			text,
		})),
	);
	return {};
}
