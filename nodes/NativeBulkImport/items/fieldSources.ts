import type { IExecuteFunctions } from 'n8n-workflow';

import {
	type ChosenMappingType,
	fieldId,
	type FieldSource,
	type FieldSources,
	type PlannedColumn,
	RECORD_ID_FIELD,
} from './importMapping';

/** What the resource mapper stores in the node. */
interface StoredFieldMap {
	mappingMode?: string;
	value?: Record<string, unknown> | null;
}

function simplified(name: string): string {
	return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Fields that have the name of a property of the items, signs and casing aside. */
function automaticSources(
	functions: IExecuteFunctions,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
): FieldSources {
	const properties = new Map<string, string>();
	for (const { json } of functions.getInputData()) {
		for (const property of Object.keys(json)) {
			const name = simplified(property);
			if (!properties.has(name)) properties.set(name, property);
		}
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

/**
 * What the user mapped, by field; fields left blank are left out. The stored parameter is read as it
 * is, because an expression says where a value comes from and is evaluated for each item later.
 * @param recordIdName name of the identifier the import needs, if it needs one
 */
export function fieldSources(
	functions: IExecuteFunctions,
	chosen: readonly ChosenMappingType[],
	recordIdName: string | undefined,
): FieldSources {
	// n8n types stored parameters by what they may be in any node.
	const stored = (functions.getNode().parameters.fieldMap ?? {}) as unknown as StoredFieldMap;
	if (stored.mappingMode === 'autoMapInputData')
		return automaticSources(functions, chosen, recordIdName);
	const sources = new Map<string, FieldSource>();
	for (const [id, value] of Object.entries(stored.value ?? {})) {
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

/** `={{ $json.name }}` and `={{ $json["name"] }}`, which need no expression engine. */
const PLAIN_PROPERTY =
	/^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*")\]|\['([^'\\]*)'\])\s*\}\}$/;

function plainProperty(expression: string): string | undefined {
	const match = PLAIN_PROPERTY.exec(expression);
	if (!match) return undefined;
	const [, dotted, doubleQuoted, singleQuoted] = match;
	return dotted ?? singleQuoted ?? (JSON.parse(doubleQuoted ?? '""') as string);
}

/**
 * A function that gives the values of an item in the order of the columns. The column without an
 * expression stays undefined. Reading a property directly is some hundred times cheaper than an
 * expression, and nearly every column is one.
 */
export function itemValues(
	functions: IExecuteFunctions,
	columns: readonly PlannedColumn[],
): (item: number) => unknown[] {
	const items = functions.getInputData();
	const readers = columns.map(({ expression }): ((item: number) => unknown) => {
		if (expression === undefined) return () => undefined;
		const property = plainProperty(expression);
		if (property !== undefined) return (item) => items[item]?.json[property];
		return (item) => functions.evaluateExpression(expression.slice(1), item);
	});
	return (item) => readers.map((read) => read(item));
}
