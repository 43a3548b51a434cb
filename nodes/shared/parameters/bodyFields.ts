import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import { throwIfAny } from '../service/invalidInput';
import { readBody } from '../service/requestBody';
import { type FieldValues, locatorValue } from './parameterValues';

/**
 * The body of one item whose fields are parameters of the same names; empty ones are left out. Throws
 * InvalidInput naming every field that the schema does not accept.
 */
export function bodyFromFields<Schema extends z.ZodTypeAny>(
	functions: IExecuteFunctions,
	itemIndex: number,
	fields: readonly INodeProperties[],
	schema: Schema,
): z.output<Schema> {
	const input: FieldValues = {};
	for (const { name } of fields)
		input[name] = locatorValue(functions.getNodeParameter(name, itemIndex, undefined));
	const read = readBody(input, { schema, known: [] });
	if ('body' in read) return read.body;
	const labels = new Map(fields.map(({ name, displayName }) => [name, displayName]));
	throwIfAny(
		read.problems.map(({ path: [name = ''], text }) => ({
			field: labels.get(String(name)) ?? String(name),
			text,
		})),
	);
	return {};
}
