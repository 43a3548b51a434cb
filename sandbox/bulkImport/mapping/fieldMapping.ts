import { z } from 'zod';
import { sameName, type MappingTypeDescription } from './mappingType';
import { strictObject } from '../../wire/schemas';

const name = z.string().min(1);

/** A refinement that rejects entries of a list with what an earlier entry has. */
export function rejectRepeated<Property extends string>(property: Property, isSame = sameName) {
	return (
		list: ReadonlyArray<Partial<Record<Property, string>>>,
		context: z.RefinementCtx,
	): void => {
		const texts = list.map((entry) => entry[property]);
		texts.forEach((text, index) => {
			const isRepeated = texts
				.slice(0, index)
				.some((other) => other !== undefined && text !== undefined && isSame(other, text));
			if (!isRepeated) return;
			const message = `'${text}' is given more than once`;
			context.addIssue({ code: 'custom', path: [index, property], message });
		});
	};
}

export const fieldValueMappingSchema = strictObject({
	fieldName: name,
	columnName: name.optional(),
	staticValue: z.string().optional(),
	values: z
		.array(strictObject({ sourceValue: z.string(), targetValue: z.string() }))
		.superRefine(rejectRepeated('sourceValue', (one, other) => one === other))
		.optional(),
})
	.refine(
		({ staticValue, columnName }) => staticValue === undefined || columnName === undefined,
		"'staticValue' and 'columnName' exclude each other",
	)
	.refine(({ staticValue, values = [] }) => staticValue === undefined || values.length === 0, {
		message: "{name} translates values of the file and cannot be used with 'staticValue'",
		path: ['values'],
	});

export type FieldValueMappingRequest = z.output<typeof fieldValueMappingSchema>;

/** One field of a mapping type and where a row's value for it comes from. */
export interface MappedField {
	/** The service's own spelling. */
	fieldName: string;
	/** Position in the file, or null for a static value. */
	columnIndex: number | null;
	staticValue: string | null;
	/** File value to value to import. */
	translations: Map<string, string>;
}

/** The position of a column by its name, case-insensitively; -1 when there is none. */
export function columnIndexOf(columnNames: string[], name: string): number {
	return columnNames.findIndex((column) => sameName(column, name));
}

/** The service's spelling of a field a mapping may name: its own fields and the key column. */
export function knownFieldName(
	description: MappingTypeDescription,
	keyField: string,
	fieldName: string,
): string | undefined {
	return [...description.fields.map((field) => field.name), keyField].find((name) =>
		sameName(name, fieldName),
	);
}

/** Empty when the file has no such column. */
export function fieldOfColumn(
	fieldName: string,
	columnName: string,
	columnNames: string[],
): MappedField[] {
	const columnIndex = columnIndexOf(columnNames, columnName);
	if (columnIndex === -1) return [];
	return [{ fieldName, columnIndex, staticValue: null, translations: new Map() }];
}

/**
 * The fields a mapping type takes from the file. Without fieldValueMappings, those whose names are
 * columns of the file; a columnName is needed only where it differs from the fieldName (service.md
 * 2.5 and 2.6). Mappings of unknown fields or columns are left out.
 */
export function mappedFields(
	description: MappingTypeDescription,
	mappings: FieldValueMappingRequest[] | undefined,
	columnNames: string[],
	keyField: string,
): MappedField[] {
	const byColumn = (fieldName: string, columnName: string) =>
		fieldOfColumn(fieldName, columnName, columnNames);
	if (mappings === undefined) {
		return description.fields
			.filter((field) => field.canBeMappedToColumn)
			.flatMap((field) => byColumn(field.name, field.name));
	}
	return mappings.flatMap((mapping): MappedField[] => {
		const fieldName = knownFieldName(description, keyField, mapping.fieldName);
		if (fieldName === undefined) return [];
		if (mapping.staticValue !== undefined) {
			return [
				{ fieldName, columnIndex: null, staticValue: mapping.staticValue, translations: new Map() },
			];
		}
		return byColumn(fieldName, mapping.columnName ?? mapping.fieldName).map((field) => ({
			...field,
			translations: new Map(mapping.values?.map((value) => [value.sourceValue, value.targetValue])),
		}));
	});
}
