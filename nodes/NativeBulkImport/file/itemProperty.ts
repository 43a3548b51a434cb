import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { TimeSlice } from '../../shared/execution/timeSlice';
import { findName } from '../../shared/importFile/fileColumns';

type Items = readonly INodeExecutionData[];

/** All properties of the items, in order of first appearance. */
export async function itemProperties(items: Items, slice: TimeSlice): Promise<string[]> {
	const properties = new Set<string>();
	for (const { json } of items) {
		if (slice.isOver) await slice.yield();
		for (const property in json) properties.add(property);
	}
	return [...properties];
}

const STEP = /\[(?:"([^"]+)"|'([^']+)'|(\d+))\]|([^.[\]]+)/g;

/** The names in a path as n8n's editor writes it: `address.city`, `phones[0].number`, `["First Name"]`. */
function pathSteps(path: string): string[] {
	return [...path.matchAll(STEP)].map(
		([, doubleQuoted, singleQuoted, index, plain]) =>
			doubleQuoted ?? singleQuoted ?? index ?? plain ?? '',
	);
}

/** The name that the user entered, as a name or as a path. */
export function findProperty(names: readonly string[], entered: string): string | undefined {
	const [first = '', ...more] = pathSteps(entered);
	return findName(names, entered) ?? (more.length === 0 ? findName(names, first) : undefined);
}

/**
 * Reads a property, or a path into objects and lists; a property of that name wins.
 * @param properties that the items have
 */
export function propertyReader(
	properties: readonly string[],
	entered: string,
): (json: IDataObject) => unknown {
	const property = findProperty(properties, entered);
	if (property !== undefined) return (json) => json[property];
	const [first = '', ...more] = pathSteps(entered);
	const steps = [findName(properties, first) ?? first, ...more];
	return (json) =>
		steps.reduce<unknown>(
			(value, step) =>
				typeof value === 'object' && value !== null && Object.hasOwn(value, step)
					? (value as IDataObject)[step]
					: undefined,
			json,
		);
}

export async function isInAnyItem(
	items: Items,
	read: (json: IDataObject) => unknown,
	slice: TimeSlice,
): Promise<boolean> {
	for (const { json } of items) {
		if (slice.isOver) await slice.yield();
		if (read(json) !== undefined) return true;
	}
	return false;
}
