import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { flagOf } from '../service/bodySchema';
import { InvalidInput } from '../service/invalidInput';

/** Labels of all switches by path: `returnAll`, `options.dryRun`. */
function switchLabels(properties: INodeProperties[], folder = ''): Array<[string, string]> {
	return properties.flatMap(
		({ name, type, displayName, options = [] }): Array<[string, string]> => {
			if (type === 'boolean') return [[folder + name, displayName]];
			return type === 'collection' ? switchLabels(options as INodeProperties[], `${name}.`) : [];
		},
	);
}

/** Undefined for an empty switch. Throws InvalidInput for a value that is not true or false. */
function readSwitch(value: unknown, field: string): boolean | undefined {
	const flag = value === '' ? undefined : (flagOf(value) ?? undefined);
	if (flag === undefined || typeof flag === 'boolean') return flag;
	throw new InvalidInput([{ field, text: `"${String(value)}" is not true or false.` }]);
}

/**
 * The functions of a node whose switches are always booleans: an expression may give the text "false",
 * and any text is truthy.
 */
export function withSwitches(
	functions: IExecuteFunctions,
	properties: INodeProperties[],
): IExecuteFunctions {
	const labels = new Map(switchLabels(properties));
	if (labels.size === 0) return functions;
	const getNodeParameter = (path: string, index: number, ...rest: unknown[]): unknown => {
		const value: unknown = functions.getNodeParameter(path, index, ...(rest as []));
		const label = labels.get(path);
		if (label !== undefined) return readSwitch(value, label) ?? rest[0];
		if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
		const inside = [...labels].filter(([name]) => name.startsWith(`${path}.`));
		if (inside.length === 0) return value;
		const read: IDataObject = { ...(value as IDataObject) };
		for (const [name, field] of inside) {
			const key = name.slice(path.length + 1);
			if (key in read) read[key] = readSwitch(read[key], field);
		}
		return read;
	};
	return Object.create(functions, {
		getNodeParameter: { value: getNodeParameter },
	}) as IExecuteFunctions;
}
