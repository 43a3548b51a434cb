import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type ChosenMappingType,
	fieldId,
	type FieldSource,
	type FieldSources,
	RECORD_ID_FIELD,
} from './importMapping';

/** What the resource mapper stores in the node. */
interface StoredFieldMap {
	mappingMode?: string;
	value?: Record<string, unknown> | null;
}

/** Names that differ in signs and casing only are equal by this. */
export function simplified(name: string): string {
	return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Fields that have the name of a property of the rows, signs and casing aside. */
function automaticSources(
	known: Iterable<string>,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
): FieldSources {
	const properties = new Map<string, string>();
	for (const property of known) {
		const name = simplified(property);
		if (!properties.has(name)) properties.set(name, property);
	}
	const sources = new Map<string, FieldSource>();
	const find = (id: string, ...names: string[]): void => {
		const property = names
			.map((name) => properties.get(simplified(name)))
			.find((found) => found !== undefined);
		if (property !== undefined) {
			sources.set(id, { kind: 'perItem', expression: `={{ $json[${JSON.stringify(property)}] }}` });
		}
	};
	if (recordIdName !== undefined) find(RECORD_ID_FIELD, recordIdName);
	for (const { key, description } of chosen) {
		for (const { name } of description?.fields ?? [])
			find(fieldId(key, name), fieldId(key, name), name);
	}
	return sources;
}

// n8n types stored parameters by what they may be in any node.
function storedFieldMap(functions: IExecuteFunctions): StoredFieldMap {
	return (functions.getNode().parameters.fieldMap ?? {}) as unknown as StoredFieldMap;
}

/** Whether each property goes into the field that has its name. */
export function isMappedByName(functions: IExecuteFunctions): boolean {
	return storedFieldMap(functions).mappingMode === 'autoMapInputData';
}

/**
 * What the user mapped, by field; fields left blank are left out. The stored parameter is read as it
 * is, because an expression says where a value comes from and is evaluated for each item later.
 * @param properties that the rows have
 * @param recordIdName name of the identifier the import needs, if it needs one
 */
export function fieldSources(
	functions: IExecuteFunctions,
	properties: readonly string[],
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
): FieldSources {
	if (isMappedByName(functions)) return automaticSources(properties, chosen, recordIdName);
	const sources = new Map<string, FieldSource>();
	for (const [id, value] of Object.entries(storedFieldMap(functions).value ?? {})) {
		if (value === null || value === undefined || value === '') continue;
		const text = String(value);
		sources.set(
			id,
			text.startsWith('=')
				? { kind: 'perItem', expression: text }
				: { kind: 'static', value: text },
		);
	}
	return sources;
}
