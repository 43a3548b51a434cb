import type { MappedField } from './fieldMapping';
import { fieldNamed, type FieldValue, type MappingTypeDefinition } from './mappingType';
import { predefinedIds } from './predefinedValues';

/** The values one mapping type gets from one row, by the service's field names; blanks are absent. */
export type RowValues = ReadonlyMap<string, string>;

interface ValueRule {
	mapped: MappedField;
	isRequired: boolean;
	/** Lower-case id or name to id; null when any value goes. */
	ids: Map<string, string> | null;
	/** Per parent field the parent values allowed; null when any goes. */
	parents: Array<{ fieldName: string; allowed: Set<string> | null }>;
	/** The same per value of this field. */
	parentsOfValue: Map<string, NonNullable<FieldValue['parents']>>;
}

/** Reads and checks the values of one mapping type, row by row. */
export class RowValuesReader {
	private readonly valueRules: ValueRule[];

	constructor(definition: MappingTypeDefinition, fields: MappedField[]) {
		this.valueRules = fields.map((mapped) => {
			const field = fieldNamed(definition, mapped.fieldName);
			const values = definition.values.get(mapped.fieldName);
			return {
				mapped,
				isRequired: field?.isRequired === true,
				ids: values ? predefinedIds(values) : null,
				parents: (field?.parents ?? []).map((parent) => ({
					fieldName: parent.parentFieldName,
					allowed:
						parent.limitedToParentValues &&
						new Set(parent.limitedToParentValues.map((value) => value.id)),
				})),
				parentsOfValue: new Map(
					(values ?? []).flatMap((value) => (value.parents ? [[value.id, value.parents]] : [])),
				),
			};
		});
	}

	/** The values of a row, or the message that the result file gives for it. */
	read(row: string[]): { values: RowValues } | { problem: string } {
		const values = new Map<string, string>();
		for (const { mapped, isRequired, ids } of this.valueRules) {
			const text = rawValue(mapped, row);
			if (text === '') {
				if (isRequired) return { problem: `${mapped.fieldName} is required` };
				continue;
			}
			const value = ids ? ids.get(text.toLowerCase()) : text;
			if (value === undefined) return { problem: `Invalid value for ${mapped.fieldName}` };
			values.set(mapped.fieldName, value);
		}
		const problem = this.parentProblem(values);
		return problem === null ? { values } : { problem };
	}

	private parentProblem(values: RowValues): string | null {
		for (const { mapped, parents, parentsOfValue } of this.valueRules) {
			const value = values.get(mapped.fieldName);
			if (value === undefined) continue;
			for (const parent of parents) {
				const parentValue = values.get(parent.fieldName);
				if (parentValue === undefined) {
					return `${mapped.fieldName} can be used only together with ${parent.fieldName}`;
				}
				if (parent.allowed && !parent.allowed.has(parentValue)) {
					return `${mapped.fieldName} does not belong to ${parent.fieldName} ${parentValue}`;
				}
			}
			for (const parent of parentsOfValue.get(value) ?? []) {
				const parentValue = values.get(parent.parentFieldName);
				if (!parent.allowedParentValues.some((allowed) => allowed.id === parentValue)) {
					return `Invalid value for ${mapped.fieldName} with this ${parent.parentFieldName}`;
				}
			}
		}
		return null;
	}
}

/** The text a mapping gives for a row before the field's own rules: static, or of the file, translated. */
export function rawValue(mapped: MappedField, row: string[]): string {
	if (mapped.columnIndex === null) return (mapped.staticValue ?? '').trim();
	const text = row[mapped.columnIndex] ?? '';
	return (mapped.translations.get(text) ?? text).trim();
}
