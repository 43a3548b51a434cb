import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** For operations whose answers have many properties that hold nothing. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

function holdsNothing(value: unknown): boolean {
	return (
		value === null ||
		value === undefined ||
		(Array.isArray(value) && value.length === 0) ||
		(typeof value === 'object' && Object.keys(value).length === 0)
	);
}

function withoutBlanks(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutBlanks);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(
		Object.entries(value)
			.map(([name, entry]) => [name, withoutBlanks(entry)] as const)
			.filter(([, entry]) => !holdsNothing(entry)),
	);
}

/** The record as the user wants it: as it is, or without everything in it that holds nothing. */
export function asWanted(
	functions: IExecuteFunctions,
	itemIndex: number,
	record: IDataObject,
): IDataObject {
	return functions.getNodeParameter('simplify', itemIndex, true)
		? (withoutBlanks(record) as IDataObject)
		: record;
}
